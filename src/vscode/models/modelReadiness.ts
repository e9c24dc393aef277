// Finds out, for the walkthrough, that a model can be asked: a key is there, or a model has answered.

import type * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { HAS_MODEL_KEY } from '../../manifest.ts';
import type { ApiKey } from '../host/settings.ts';
import type { StartProgress } from '../host/startProgress.ts';

interface ModelReadiness extends vscode.Disposable {
  /** A model has answered. */
  answered(): void;
}

export function registerModelReadiness(deps: {
  readonly apiKey: ApiKey;
  readonly progress: StartProgress;
  readonly log: Log;
}): ModelReadiness {
  const { apiKey, progress, log } = deps;
  const ready = (): void => progress.set(HAS_MODEL_KEY, true);
  const look = async (): Promise<void> => {
    try {
      if ((await apiKey.get()) !== undefined) ready();
    } catch (error) {
      log.warn(`[models] The API key could not be read: ${errorText(error)}`);
    }
  };
  const subscription = apiKey.onDidChange(() => void look());
  void look();
  return { answered: ready, dispose: () => subscription.dispose() };
}
