// Runs synchronous work that may never end, such as a regular expression from outside, and ends it in time.

import vm from 'node:vm';

const call = new vm.Script('work()');
const context = vm.createContext({ work: undefined });

/**
 * Runs `work` for at most `ms`. False when it had to be ended: it stopped where it stood, so what it has put
 * into its own variables by then is there. Costs about 0.4 ms, so hand it work in batches.
 */
export function runWithin(ms: number, work: () => void): boolean {
  context['work'] = work;
  try {
    call.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    context['work'] = undefined;
  }
}

/** The error is made in the other context, so it is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
