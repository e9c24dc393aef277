// A cancellation token of VS Code as the AbortSignal that the core takes, and back.

import * as vscode from 'vscode';

/** `dispose` when the work is over, so that the token does not keep the listener. */
export function abortSignalOf(token: vscode.CancellationToken): {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
} {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listener = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => listener.dispose() };
}

/** `dispose` when the work is over, so that the signal does not keep the listener. */
export function cancellationTokenOf(signal: AbortSignal): {
  readonly token: vscode.CancellationToken;
  readonly dispose: () => void;
} {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return {
    token: source.token,
    dispose() {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}
