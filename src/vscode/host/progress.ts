// How far work on many memories has come: a notification with a count, once it takes longer than a moment, and where it
// may stop in the middle, with Cancel.

import * as vscode from 'vscode';
import { settleEach, type OnProgress } from '../../base/atMost.ts';
import { throwAny } from '../../base/sentence.ts';
import { figure } from '../text/figures.ts';

/** What is done sooner needs no notification, which would come and go at once. */
export const PROGRESS_AFTER_MS = 1_000;
/** Several times as fast as one by one, and the person does not wait long for the end of those when they stop. */
const AT_A_TIME = 50;

interface Shown {
  readonly title: string;
  /** Given, the person can stop the work by it. */
  readonly stop?: AbortController;
}

/** Resolves and rejects as `work` does. */
export async function withProgress<T>(
  { title, stop }: Shown,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  let latest: Parameters<OnProgress> | undefined;
  let report: (() => void) | undefined;
  const working = work((...progress) => {
    latest = progress;
    report?.();
  });
  const show = (): void => {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title,
      cancellable: stop !== undefined,
    };
    void vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => stop?.abort());
      let percent = 0;
      report = () => {
        if (!latest) return;
        const [done, total] = latest;
        const increment = (100 * done) / total - percent;
        percent += increment;
        const message = vscode.l10n.t('{0} of {1}', figure(done), figure(total));
        progress.report({ message, increment });
      };
      report();
      // Whoever began the work is told of its failure.
      await Promise.allSettled([working]);
    });
  };
  const showing = setTimeout(show, PROGRESS_AFTER_MS);
  try {
    return await working;
  } finally {
    clearTimeout(showing);
  }
}

/**
 * Does `work` for some items after the others, and ends between two of them when the person stops it. `work` gives what
 * it could not do, which is thrown at the end; where it could do nothing at all, nothing more is tried.
 */
export async function workThrough<Item>(
  items: readonly Item[],
  options: {
    readonly title: string;
    readonly work: (some: readonly Item[]) => Promise<readonly { readonly error: unknown }[]>;
    readonly atATime?: number;
  },
): Promise<void> {
  const { title, work, atATime = AT_A_TIME } = options;
  const errors: unknown[] = [];
  const stop = new AbortController();
  await withProgress({ title, stop }, async (onProgress) => {
    for (let start = 0; start < items.length && !stop.signal.aborted; start += atATime) {
      const some = items.slice(start, start + atATime);
      const failed = await work(some);
      errors.push(...failed.map(({ error }) => error));
      if (failed.length === some.length && some.length > 1) break;
      onProgress(start + some.length, items.length);
    }
  });
  throwAny(errors);
}

/** The same, one item after the other. */
export function workOneByOne<Item>(
  items: readonly Item[],
  { title, work }: { readonly title: string; readonly work: (item: Item) => Promise<void> },
): Promise<void> {
  return workThrough(items, {
    title,
    atATime: 1,
    work: async (some) => (await settleEach(some, 1, work)).failures,
  });
}
