// Takes the steps of changes back, the last first, as many as are still as they were left.

import { joinedSentences, sentence, SentenceError, sentenceOf } from '../../base/sentence.ts';
import type { Step } from '../change.ts';

/** Throws when some stay, in sentences that name them. */
export async function takeBack(options: {
  readonly steps: readonly Step[];
  /** Ids of the steps that were taken back before. */
  readonly earlier: ReadonlySet<string>;
  readonly undo: (step: Step) => Promise<void>;
  /** Is given the ids of the steps that are taken back now, also when others stay. */
  readonly undone: string[];
}): Promise<void> {
  const { steps, earlier, undo, undone } = options;
  const failures: unknown[] = [];
  for (const step of steps.toReversed()) {
    try {
      if (earlier.has(step.id)) throw alreadyUndone(step);
      await undo(step);
      undone.push(step.id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new SentenceError(joinedSentences(failures.map(sentenceOf)));
}

function alreadyUndone({ after, before }: Step): Error {
  const file = after?.file ?? before?.file;
  return new SentenceError(
    file ? sentence`The change to ${file} is already undone.` : sentence`It is already undone.`,
  );
}
