// What one turn teaches, once: the words that no extraction has looked at yet are looked at, and marked.

import type { Log } from '../../base/log.ts';
import {
  extractMemories,
  ExtractionError,
  type Extracted,
} from '../../memory/extraction/extraction.ts';
import { isIdle } from '../../memory/extraction/idleWords.ts';
import type { Mode } from '../../memory/mode.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { messageText, ModelError, type Message, type Model } from '../../models/model.ts';
import type { UnlearnedTurn } from '../../sessions/session.ts';
import type { Learned } from './learned.ts';

interface Look {
  readonly model: Model;
  readonly mode: Exclude<Mode, 'off'>;
  readonly scopes: MemoryScopes;
  readonly log: Log;
  readonly now: () => Date;
  /** Called before a model is asked. */
  readonly onAsk: () => void;
}

/** Throws when the model failed; then the turn is not marked, so that it can be looked at later. */
export async function lookAt(
  turn: UnlearnedTurn,
  { model, mode, scopes, log, now, onAsk }: Look,
  signal: AbortSignal,
): Promise<Partial<Learned>> {
  // While the turn runs its log grows.
  const messages = [...turn.log()];
  // Read just before: another window may have looked at it meanwhile.
  const learned = turn.learned();
  if (!holdSomething(messages.slice(learned))) {
    turn.markLearned(messages.length);
    return {};
  }
  onAsk();
  const options = { scopes, mode, model, log, now, messages, learned };
  const extracted = await extractMemories(options, signal);
  turn.markLearned(messages.length);
  return learnedFrom(extracted);
}

/** What a look that failed had saved before that. */
export function learnedBefore(error: unknown): Partial<Learned> {
  return error instanceof ExtractionError ? learnedFrom(error.extracted) : {};
}

/** Whether the model would not look at the words, rather than failed. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ModelError) return error.kind === 'refused';
  return error instanceof Error && isRefusal(error.cause);
}

function learnedFrom({ changes, ...rest }: Extracted): Partial<Learned> {
  return { saved: changes, ...rest };
}

/** Whether there is something to look at. */
export function isWorthALook(turn: UnlearnedTurn): boolean {
  return holdSomething(turn.log().slice(turn.learned()));
}

/** Only the person's words count: what a tool printed is no text of a message. */
function holdSomething(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'user' && !isIdle(messageText(message)));
}
