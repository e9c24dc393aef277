// The folder of memories: lists, creates, updates, removes and undoes, and keeps MEMORY.md in step.
// Changes run one after another, and each checks that the file is still the one that was seen.

import path from 'node:path';
import type { Log } from '../base/log.ts';
import type { DamagedRecord, MemoryRecord, NewRecord, RecordChanges } from './record.ts';

/** What a call did, with all that undo needs. */
export type Change =
  | { readonly kind: 'created'; readonly record: MemoryRecord }
  | {
      readonly kind: 'updated';
      readonly record: MemoryRecord;
      readonly before: MemoryRecord;
      readonly beforeText: string;
    }
  | { readonly kind: 'removed'; readonly record: MemoryRecord; readonly trashPath: string };

export interface MemoryList {
  readonly records: readonly MemoryRecord[];
  readonly damaged: readonly DamagedRecord[];
}

/** The file is no longer the one that was seen; nothing was changed. */
export class StaleRecordError extends Error {
  override readonly name = 'StaleRecordError';
}

export class MemoryStore {
  readonly folder: string;

  constructor(options: {
    /** Absolute path of `.memory`. */
    readonly folder: string;
    readonly log: Log;
    readonly now?: () => Date;
  }) {
    this.folder = options.folder;
  }

  get indexPath(): string {
    return path.join(this.folder, 'MEMORY.md');
  }

  /** All memories as they stand on disk now, sorted by file name. */
  async list(): Promise<MemoryList> {
    throw new Error('Not written yet.');
  }

  async create(record: NewRecord): Promise<Change> {
    throw new Error(`Not written yet: ${record.name}`);
  }

  async update(record: MemoryRecord, changes: RecordChanges): Promise<Change> {
    throw new Error(`Not written yet: ${record.name} ${changes.name}`);
  }

  async remove(record: MemoryRecord, reason: string): Promise<Change> {
    throw new Error(`Not written yet: ${record.name} ${reason}`);
  }

  async undo(change: Change): Promise<void> {
    throw new Error(`Not written yet: ${change.kind}`);
  }

  async rebuildIndex(): Promise<void> {
    throw new Error('Not written yet.');
  }

  async refresh(): Promise<void> {
    throw new Error('Not written yet.');
  }

  /** Returns the function that unsubscribes. */
  onDidChange(listener: () => void): () => void {
    return listener;
  }

  async snapshot(reason: string): Promise<string> {
    throw new Error(`Not written yet: ${reason}`);
  }
}
