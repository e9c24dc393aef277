// Files of a folder of memories that cannot be read as such: they go to the trash and come back like memories, as one
// change to undo.

import { sentence } from '../../base/sentence.ts';
import { StaleRecordError } from '../change.ts';
import type { DamagedRecord } from '../record.ts';
import type { ChangeQueue } from './changeQueue.ts';
import type { RecordCache } from './recordCache.ts';
import { namesToRestore, type RecordFiles } from './recordFiles.ts';
import type { TrashedFile } from './trash.ts';

interface Parts {
  readonly folder: string;
  readonly files: RecordFiles;
  readonly cache: RecordCache;
  readonly queue: ChangeQueue;
}

export class DamagedFiles {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Moves the file to the trash, unless it has become a memory since. Throws StaleRecordError. */
  remove({ file }: DamagedRecord, reason: string, group?: string): Promise<void> {
    const { cache, files, queue } = this.#parts;
    return queue.change(async ({ steps }) => {
      const state = await files.stateOf(file);
      const now = cache.reread(file);
      if (!now || !('problem' in now))
        throw new StaleRecordError(
          sentence`${file} has changed in the meantime; it was left as it is.`,
        );
      steps.push(await files.remove(state, reason));
      cache.reread(file);
    }, group);
  }

  /** Brings a file back under its old name, or with a suffix where that is taken. Gives its name. */
  restore(trashed: TrashedFile, group?: string): Promise<string> {
    const { folder, cache, files, queue } = this.#parts;
    return queue.change(async ({ steps }) => {
      const isTaken = (file: string) => cache.isTaken(file);
      const names = await namesToRestore(trashed.file, { folder, isTaken });
      const step = await files.restore(trashed, names);
      steps.push(step);
      cache.reread(step.after.file);
      return step.after.file;
    }, group);
  }
}
