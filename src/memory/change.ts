// What a change to the memories was, with all that is needed to take it back later, also in another window.

import { sentence, SentenceError } from '../base/sentence.ts';
import type { MemoryRecord } from './record.ts';
import { secretKind } from './secrets/secrets.ts';

/** One file of the folder before and after. What was there before is kept in the trash. */
export interface Step {
  readonly id: string;
  /** Undefined when the file was removed. */
  readonly after?: FileState | undefined;
  /** Undefined when there was none: a new record, or one that came back from the trash. */
  readonly before?: FormerState | undefined;
  /**
   * Of a move between stores: the same id here, where the record left or arrived, and in the journal of the other store,
   * in a group of the same id too.
   */
  readonly moved?: string | undefined;
  readonly sharing?: Sharing | undefined;
}

/** Files that git takes since, and files that it takes no more. */
export interface Sharing {
  readonly shared: readonly string[];
  readonly hidden: readonly string[];
}

export interface FileState {
  /** File name in the folder. */
  readonly file: string;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string;
}

export interface FormerState extends FileState {
  /** File name in the trash. */
  readonly trash: string;
}

/** What a call did. `record` is as it is now; of a removed one, as it was. */
export type Change = NewChange | RevisedChange | RemovedChange;

/** A new record, or one that came back from the trash. */
export interface NewChange {
  readonly kind: 'created' | 'restored';
  readonly record: MemoryRecord;
  readonly step: Step;
}

/** Of a renamed one the file may be another than before. */
export interface RevisedChange {
  readonly kind: 'updated' | 'renamed';
  readonly record: MemoryRecord;
  readonly before: MemoryRecord;
  readonly step: Step;
}

/** Links to it followed, as a part of the same change. */
export interface Renaming extends RevisedChange {
  readonly links: number;
  /** The records that hold them. */
  readonly linking: readonly MemoryRecord[];
  /** Records whose links were left as they are, since they are being edited or were just changed. */
  readonly left: readonly MemoryRecord[];
  /** Damaged files with links to it, which were left as they are: nothing is written into such a file. */
  readonly damaged: readonly DamagedLinks[];
}

export interface DamagedLinks {
  readonly file: string;
  readonly links: number;
}

export interface RemovedChange {
  readonly kind: 'removed';
  readonly record: MemoryRecord;
  readonly step: Step;
}

/** The file is no longer the one that was seen; nothing was changed. */
export class StaleRecordError extends SentenceError {
  override readonly name = 'StaleRecordError';
}

/** It was taken back before; nothing was changed. */
export class AlreadyUndoneError extends SentenceError {
  override readonly name = 'AlreadyUndoneError';
}

/** The text holds a secret, so it was not written. */
export class SecretError extends SentenceError {
  override readonly name = 'SecretError';
  /** The kind of secret, in English words; never the secret. `secretKind` gives it for a person. */
  readonly rule: string;

  constructor(rule: string) {
    super(sentence`The memory holds ${secretKind(rule)}, and secrets are not saved in memories.`);
    this.rule = rule;
  }
}
