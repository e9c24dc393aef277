// What a person sees of work that takes longer than a moment, as if each did.

import { afterEach, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import { PROGRESS_AFTER_MS } from '../../src/vscode/host/progress.ts';

interface ShownProgress {
  readonly title: string | undefined;
  readonly cancellable: boolean | undefined;
  readonly messages: (string | undefined)[];
}

interface ProgressStub {
  readonly shown: ShownProgress[];
  /** Whether the person presses Cancel as soon as they see it; to be set by a test. */
  stops: boolean;
}

/** Registers hooks that show progress at once in each test of the surrounding suite. */
export function useProgressStub(): ProgressStub {
  const stub: ProgressStub = { shown: [], stops: false };
  const { setTimeout } = globalThis;
  const { withProgress } = vscode.window;
  beforeEach(() => {
    stub.shown.length = 0;
    stub.stops = false;
    const soon = (run: () => void, ms?: number) =>
      setTimeout(run, ms === PROGRESS_AFTER_MS ? 0 : ms);
    set(globalThis, 'setTimeout', soon);
    const show: typeof withProgress = (options, task) => {
      const messages: (string | undefined)[] = [];
      stub.shown.push({ title: options.title, cancellable: options.cancellable, messages });
      const source = new vscode.CancellationTokenSource();
      const end = task({ report: ({ message }) => messages.push(message) }, source.token);
      if (stub.stops) source.cancel();
      return end;
    };
    set(vscode.window, 'withProgress', show);
  });
  afterEach(() => {
    set(globalThis, 'setTimeout', setTimeout);
    set(vscode.window, 'withProgress', withProgress);
  });
  return stub;
}

function set(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}
