// Deletes conversations that are old, or too many, some time after the start and then once a day; and lets go of them
// at the end.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import type { PruneLimits } from '../../sessions/prune.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';

interface SessionUpkeepDeps {
  readonly sessions: SessionStore;
  /** Read when they are needed. */
  readonly limits: () => PruneLimits;
  readonly log: Log;
  readonly afterMs?: number;
  readonly everyMs?: number;
}

/** A window that starts has better things to do. */
const AFTER_MS = 2 * 60_000;
/** Windows stay open for weeks. */
const EVERY_MS = 24 * 60 * 60_000;

export function registerSessionUpkeep(deps: SessionUpkeepDeps): vscode.Disposable {
  const { sessions, afterMs = AFTER_MS, everyMs = EVERY_MS } = deps;
  const run = () => void prune(deps);
  const first = setTimeout(run, afterMs).unref();
  const daily = setInterval(run, everyMs).unref();
  return new vscode.Disposable(() => {
    clearTimeout(first);
    clearInterval(daily);
    sessions.close();
  });
}

async function prune({ sessions, limits, log }: SessionUpkeepDeps): Promise<void> {
  try {
    await sessions.prune(limits());
  } catch (error) {
    log.error(`[sessions] Old conversations were not deleted: ${errorText(error)}`);
  }
}
