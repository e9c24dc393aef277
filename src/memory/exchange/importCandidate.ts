// What an import may add: a memory as a file of another tool, or of our own export, gives it, and where it stood.

import type { Said } from '../../base/sentence.ts';
import type { NewRecord } from '../record.ts';

export interface ImportCandidate {
  /** As it was found: it may be too long, hold a secret or be known already. `planImport` sees to that. */
  readonly record: NewRecord;
  readonly origin: {
    /** Absolute path of the file. */
    readonly path: string;
    /** Of the section in it. */
    readonly heading?: string;
  };
}

/** A file that cannot be imported, in part or as a whole. */
export interface ImportProblem {
  readonly path: string;
  /** One sentence: what is wrong. */
  readonly problem: Said;
}

/** What `source` in the front matter says of an imported memory. */
export const IMPORT_SOURCE = 'import';
