// A window that consolidates and is killed while it does, or while it completes what another began. Its arguments: the
// folder of the memories, what to do, the step of its work with the disk at which it dies by SIGKILL, 0 for never, and
// whether that is before the step is begun or while it is under way. It prints how many steps there were.

import { promises as fs } from 'node:fs';
import { silentLog } from '../../src/base/log.ts';
import { applyConsolidation } from '../../src/memory/consolidation/consolidation.ts';
import { planConsolidation } from '../../src/memory/consolidation/consolidationPlan.ts';
import { recoverConsolidation } from '../../src/memory/consolidation/consolidationRecovery.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { CHANGES } from './consolidationCase.ts';
import { scriptedModel } from './scriptedModel.ts';

const [folder = '', task, killAt = '0', when] = process.argv.slice(2);
const steps = { done: 0 };

type Method = (...args: unknown[]) => unknown;

/** Wraps every function of an object, so that a step is counted when it is called. */
function countCallsOf(object: object): void {
  const methods = object as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(object)) {
    const method = methods[name];
    if (typeof method !== 'function' || name === 'constructor') continue;
    methods[name] = function (this: unknown, ...args: unknown[]) {
      const isLast = ++steps.done === Number(killAt);
      if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
      const result = Reflect.apply(method as Method, this, args);
      if (isLast) process.kill(process.pid, 'SIGKILL');
      return result;
    };
  }
}

const store = new MemoryStore({ folder, log: silentLog });
if (task === 'apply') {
  const model = scriptedModel([JSON.stringify(CHANGES)]);
  const { changes, refused } = await planConsolidation(
    { store, model, log: silentLog, unattended: true },
    new AbortController().signal,
  );
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  await countDiskSteps();
  await applyConsolidation(changes, { store, log: silentLog });
} else {
  await countDiskSteps();
  await recoverConsolidation(store, silentLog);
}
console.log(steps.done);

/** Those of open files too. */
async function countDiskSteps(): Promise<void> {
  const handle = await fs.open(process.execPath);
  await handle.close();
  countCallsOf(Object.getPrototypeOf(handle) as object);
  countCallsOf(fs);
  steps.done = 0;
}
