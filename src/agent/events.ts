// All that a user interface may know of a turn while it runs.

import type { RecalledRecord } from '../memory/recall.ts';
import type { ModelEvent } from '../models/model.ts';

export type TurnEvent =
  /** The records chosen for this turn, those that already stand in the history included. */
  | { readonly type: 'recalled'; readonly records: readonly RecalledRecord[] }
  | Exclude<ModelEvent, { type: 'end' }>
  | { readonly type: 'toolStarted'; readonly id: string; readonly name: string }
  | {
      readonly type: 'toolFinished';
      readonly id: string;
      readonly name: string;
      readonly isError: boolean;
    }
  /** Older messages left the working history. Sizes are estimated tokens; `archive` is an absolute path. */
  | {
      readonly type: 'compacted';
      readonly before: number;
      readonly after: number;
      readonly archive: string;
    };

export type Emit = (event: TurnEvent) => void;
