// Takes the steps of changes back, of each file the last first, as many as are still as they were left.

import { AtMost, type OnProgress } from '../../base/atMost.ts';
import { RULES_FILE } from '../../base/ignoreRules.ts';
import { sentence } from '../../base/sentence.ts';
import { AlreadyUndoneError, type Step } from '../change.ts';
import { WRITE_AT_ONCE } from './manySteps.ts';
import { fileKey } from './recordCache.ts';

/** A step that was not taken back. */
export interface KeptStep {
  readonly step: Step;
  readonly error: unknown;
}

/** Gives those that stay, the last first. */
export async function takeBack(options: {
  readonly steps: readonly Step[];
  /** Ids of the steps that were taken back before. */
  readonly earlier: ReadonlySet<string>;
  readonly undo: (step: Step) => Promise<void>;
  /** Is given the ids of the steps that are taken back now, also when others stay. */
  readonly undone: string[];
  readonly onProgress?: OnProgress | undefined;
}): Promise<readonly KeptStep[]> {
  const { steps, earlier, undo, undone, onProgress } = options;
  const places = new AtMost(WRITE_AT_ONCE);
  /** By file, what is to be over before the next step of it. */
  const later = new Map<string, Promise<unknown>>();
  const takeStepBack = async (step: Step): Promise<readonly KeptStep[]> => {
    try {
      if (earlier.has(step.id)) throw alreadyUndone(step);
      await undo(step);
      undone.push(step.id);
      onProgress?.(undone.length, steps.length);
      return [];
    } catch (error) {
      return [{ step, error }];
    }
  };
  const ends = steps.toReversed().map((step) => {
    const keys = keysOf(step);
    const before = keys.flatMap((key) => later.get(key) ?? []);
    const end = Promise.all(before).then(() => places.run(() => takeStepBack(step)));
    for (const key of keys) later.set(key, end);
    return end;
  });
  return (await Promise.all(ends)).flat();
}

/** Of the files that a step touches. */
function keysOf({ before, after, sharing }: Step): readonly string[] {
  const files = [before?.file, after?.file, sharing && RULES_FILE];
  return files.flatMap((file) => (file === undefined ? [] : [fileKey(file)]));
}

function alreadyUndone({ after, before }: Step): Error {
  const file = after?.file ?? before?.file;
  return new AlreadyUndoneError(
    file ? sentence`The change to ${file} is already undone.` : sentence`It is already undone.`,
  );
}
