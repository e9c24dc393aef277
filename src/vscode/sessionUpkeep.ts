// Deletes conversations that are old, or too many, some time after the start; and lets go of them at the end.

import * as vscode from 'vscode';
import { errorText, type Log } from '../base/log.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { SessionLimits } from './settings.ts';

interface SessionUpkeepDeps {
  readonly sessions: SessionStore;
  /** Read when it is needed. */
  readonly limits: () => SessionLimits;
  readonly log: Log;
  readonly afterMs?: number;
}

/** A window that starts has better things to do. */
const AFTER_MS = 2 * 60_000;

export function registerSessionUpkeep(deps: SessionUpkeepDeps): vscode.Disposable {
  const timer = setTimeout(() => void prune(deps), deps.afterMs ?? AFTER_MS);
  timer.unref();
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    deps.sessions.close();
  });
}

async function prune({ sessions, limits, log }: SessionUpkeepDeps): Promise<void> {
  try {
    await sessions.prune(limits());
  } catch (error) {
    log.error(`[sessions] Old conversations were not deleted: ${errorText(error)}`);
  }
}
