// What a person asked to have remembered and what came to nothing, so that they are told and can do something about it.

import { redactSecrets } from '../secrets/secrets.ts';
import { ownWords } from './ownWords.ts';
import { REFUSALS, type Operation } from './policy.ts';
import { topicOf } from './quoteTopic.ts';
import { areOfOne, requestsToRemember } from './rememberRequest.ts';

export interface UnsavedRequest {
  /** Those of the person, without a secret. */
  readonly words: string;
  /** `temporary` when it was refused as something that does not last: a date may help. */
  readonly because: 'temporary' | 'other';
}

interface Outcome {
  /** Each message of the person that memories may come from, whole. */
  readonly said: readonly string[];
  readonly operations: readonly Operation[];
  /** Why nothing came of some of them. */
  readonly lost: ReadonlyMap<Operation, string>;
  /** The texts of all that is saved or proposed by now. */
  readonly known: readonly string[];
}

/** Characters. What is longer was pasted in the main, and a request in it is somebody else's if no model saw one. */
const MOST_TYPED = 1_000;
const TEMPORARY: readonly string[] = [REFUSALS.temporary, REFUSALS.notPersistent];

export function unsavedRequests(outcome: Outcome): readonly UnsavedRequest[] {
  return outcome.said.flatMap((message) =>
    ownWords(message)
      .flatMap(requestsToRemember)
      .flatMap((words) => unsavedOf(words, message, outcome) ?? []),
  );
}

function unsavedOf(
  words: string,
  message: string,
  { operations, lost, known }: Outcome,
): UnsavedRequest | undefined {
  const made = operations.filter(({ quote }) => areOfOne(words, quote));
  const unsaved: UnsavedRequest = { words: redactSecrets(words), because: 'other' };
  if (made.length === 0) {
    const isUnheard = message.length <= MOST_TYPED && known.every((text) => isElse(words, text));
    return isUnheard ? unsaved : undefined;
  }
  if (made.some((operation) => !lost.has(operation))) return undefined;
  const isTemporary = made.some((operation) => TEMPORARY.includes(lost.get(operation) ?? ''));
  return isTemporary ? { ...unsaved, because: 'temporary' } : unsaved;
}

/** In doubt it is known: a model makes nothing of what is saved already. */
function isElse(words: string, text: string): boolean {
  return topicOf(words, text) === 'other';
}
