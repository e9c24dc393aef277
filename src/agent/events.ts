// All that a user interface may know of a turn while it runs.

import { errorText, type Log } from '../base/log.ts';
import type { Said } from '../base/sentence.ts';
import type { StageName } from '../context/stage.ts';
import type { WindowPart } from '../context/windowAccount.ts';
import type { RecallReceipt } from '../memory/recall/recallReceipt.ts';
import type { ModelEvent } from '../models/model.ts';
import type { SessionUsage } from '../sessions/session.ts';

export type TurnEvent =
  /** What was recalled for this turn, also when that is nothing. Not told where there are no memories. */
  | { readonly type: 'recalled'; readonly receipt: RecallReceipt }
  | Exclude<ModelEvent, { type: 'end' }>
  | { readonly type: 'toolStarted'; readonly id: string; readonly name: string }
  | {
      readonly type: 'toolFinished';
      readonly id: string;
      readonly name: string;
      readonly isError: boolean;
    }
  /** The model's checklist changed. */
  | { readonly type: 'todos'; readonly todos: readonly Todo[] }
  /** What happens in a sub-agent's turn. */
  | { readonly type: 'inTask'; readonly title: string; readonly event: TurnEvent }
  /**
   * A reply is complete. Its input had `tokens` tokens; compaction begins at `limit`. `usage` is that of the whole
   * session.
   */
  | {
      readonly type: 'answered';
      readonly tokens: number;
      readonly limit: number;
      readonly usage: SessionUsage;
    }
  /**
   * Told once a session: the input has `tokens` tokens, and when it has `limit` the older part of the conversation is
   * compacted for the first time. Behind `answered`.
   */
  | { readonly type: 'compactionNear'; readonly tokens: number; readonly limit: number }
  /**
   * Something is about to leave the working history: it is archived first, and perhaps summarised, which takes a
   * while.
   */
  | { readonly type: 'leaving' }
  /** The working history became smaller. Sizes are estimated tokens of the input; `archive` is an absolute path. */
  | {
      readonly type: 'compacted';
      readonly stages: readonly StageName[];
      readonly before: number;
      readonly after: number;
      readonly archive: string;
    }
  /** Something could not be archived, so it stays. Told once a turn; `problem` is one sentence. */
  | { readonly type: 'archiveFailed'; readonly problem: Said }
  /** Compaction gains nothing any more. `parts` is what fills the window. */
  | { readonly type: 'compactionGivenUp'; readonly parts: readonly WindowPart[] };

/** One line of the checklist that the model keeps. */
export interface Todo {
  readonly content: string;
  readonly status: (typeof TODO_STATUSES)[number];
}

export const TODO_STATUSES = ['pending', 'in_progress', 'completed'] as const;

export type Emit = (event: TurnEvent) => void;

/** A chat that is closed refuses what it is shown; the turn must come to its end all the same. */
export function withoutThrowing(emit: Emit, log: Log): Emit {
  return (event) => {
    try {
      emit(event);
    } catch (error) {
      log.warn(`[chat] A ${event.type} event could not be shown: ${errorText(error)}`);
    }
  };
}
