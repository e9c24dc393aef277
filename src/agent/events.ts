// All that a user interface may know of a turn while it runs.

import type { RecalledRecord } from '../memory/recall.ts';

export type TurnEvent =
  /** The records shown to the model in this turn, newly or still standing in its history. */
  | { readonly type: 'recalled'; readonly records: readonly RecalledRecord[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly attempts: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | {
      readonly type: 'toolStarted';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: 'toolFinished';
      readonly id: string;
      readonly name: string;
      readonly isError: boolean;
    }
  /** Older messages left the working history. Sizes are estimated tokens; `archive` is the transcript's path. */
  | {
      readonly type: 'compacted';
      readonly before: number;
      readonly after: number;
      readonly archive: string;
    };
