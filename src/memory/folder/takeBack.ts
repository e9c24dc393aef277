// Takes the steps of changes back, of each file the last first, as many as are still as they were left.

import { AtMost } from '../../base/atMost.ts';
import { RULES_FILE } from '../../base/ignoreRules.ts';
import { joinedSentences, sentence, SentenceError, sentenceOf } from '../../base/sentence.ts';
import type { Step } from '../change.ts';
import { WRITE_AT_ONCE } from './manySteps.ts';
import { fileKey } from './recordCache.ts';

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
  const places = new AtMost(WRITE_AT_ONCE);
  /** By file, what is to be over before the next step of it. */
  const later = new Map<string, Promise<unknown>>();
  const ends = steps.toReversed().map(async (step) => {
    const keys = keysOf(step);
    const before = keys.flatMap((key) => later.get(key) ?? []);
    const end = Promise.allSettled(before).then(() =>
      places.run(async () => {
        if (earlier.has(step.id)) throw alreadyUndone(step);
        await undo(step);
        undone.push(step.id);
      }),
    );
    for (const key of keys) later.set(key, end);
    return end;
  });
  const failures = (await Promise.allSettled(ends)).flatMap((end) =>
    end.status === 'rejected' ? [end.reason as unknown] : [],
  );
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new SentenceError(joinedSentences(failures.map(sentenceOf)));
}

/** Of the files that a step touches. */
function keysOf({ before, after, sharing }: Step): readonly string[] {
  const files = [before?.file, after?.file, sharing && RULES_FILE];
  return files.flatMap((file) => (file === undefined ? [] : [fileKey(file)]));
}

function alreadyUndone({ after, before }: Step): Error {
  const file = after?.file ?? before?.file;
  return new SentenceError(
    file ? sentence`The change to ${file} is already undone.` : sentence`It is already undone.`,
  );
}
