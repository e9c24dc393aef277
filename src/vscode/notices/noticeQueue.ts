// What happens by itself at one moment, or while the last notice can still be seen, is told in one notice, so that
// notifications do not pile up.

import { together } from '../../agent/learning/learned.ts';
import type { Happened } from './notices.ts';

interface NoticeQueueOptions {
  /** Resolves when the person has answered, or has been told without a question. */
  readonly tell: (happened: Happened) => Promise<void>;
  readonly collectMs?: number;
  readonly sightMs?: number;
}

export interface NoticeQueue {
  add(part: Partial<Happened>): void;
  /** Tells at once what waits. */
  flush(): void;
  dispose(): void;
}

/** What belongs to the start of a window, or to the end of a turn, comes within it. */
const COLLECT_MS = 1_000;
/** VS Code takes a notification out of sight after about as long, and does not say when. */
const SIGHT_MS = 10_000;

export function createNoticeQueue(options: NoticeQueueOptions): NoticeQueue {
  const { tell, collectMs = COLLECT_MS, sightMs = SIGHT_MS } = options;
  let waiting: Partial<Happened>[] = [];
  let collecting: NodeJS.Timeout | undefined;
  let inSight: NodeJS.Timeout | undefined;

  const collect = (): void => {
    if (waiting.length > 0 && !inSight) collecting ??= setTimeout(flush, collectMs);
  };
  const flush = (): void => {
    clearTimeout(collecting);
    collecting = undefined;
    if (waiting.length === 0) return;
    const expired = waiting.flatMap((part) => part.expired ?? []);
    const happened = { ...together(waiting), expired };
    waiting = [];
    clearTimeout(inSight);
    const leave = (): void => {
      if (inSight !== shown) return;
      clearTimeout(shown);
      inSight = undefined;
      collect();
    };
    const shown = setTimeout(leave, sightMs);
    inSight = shown;
    void tell(happened).finally(leave);
  };
  return {
    add(part) {
      waiting.push(part);
      collect();
    },
    flush,
    dispose() {
      clearTimeout(collecting);
      clearTimeout(inSight);
    },
  };
}
