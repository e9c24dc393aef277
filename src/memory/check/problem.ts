// What can be wrong with the text of a memory, as data: src/vscode says it in words and offers what mends it.

import type { Said } from '../../base/sentence.ts';
import type { MemoryRecord, MemoryType } from '../record.ts';
import type { Likeness } from './neighbours.ts';
import type { RecordKey } from './recordKeys.ts';
import type { Span } from './recordParts.ts';

export type RecordProblem = Span &
  (
    | {
        /** Of the file as a whole: as long as it stands, the file is no memory. */
        readonly kind: 'noFrontMatter' | 'notClosed' | 'otherLanguage' | 'unreadable';
        /** As the one who reads files says it. */
        readonly said: Said;
      }
    | { readonly kind: 'missing'; readonly key: 'name' | 'description' | 'type' }
    | {
        readonly kind: 'unknownType';
        readonly written: string;
        readonly meant: MemoryType | undefined;
      }
    | { readonly kind: 'unknownKey'; readonly key: string; readonly meant: RecordKey | undefined }
    | { readonly kind: 'duplicateKey'; readonly key: string }
    | {
        readonly kind: 'tooLong';
        readonly field: 'name' | 'description' | 'body';
        /** In characters, as is the limit. */
        readonly length: number;
        readonly limit: number;
      }
    | { readonly kind: 'emptyBody' }
    /** `wanted` is the file that a memory of this name would get. */
    | { readonly kind: 'otherFile'; readonly file: string; readonly wanted: string }
    | { readonly kind: 'duplicate'; readonly other: MemoryRecord; readonly by: Likeness['by'] }
    /** Says of which kind it is, never the secret. */
    | { readonly kind: 'secret'; readonly rule: string }
    | { readonly kind: 'hidden' }
    | {
        readonly kind: 'noDate';
        readonly key: 'expires' | 'created' | 'updated';
        /** As a date is written here. */
        readonly meant: string | undefined;
      }
    /** `kept` says why it stays all the same. */
    | {
        readonly kind: 'expired';
        /** Milliseconds since 1970. */
        readonly at: number;
        readonly kept: 'type' | 'pinned' | undefined;
      }
    /** Has a date that counts for nothing, as memories of this type never expire. */
    | { readonly kind: 'neverExpires'; readonly type: MemoryType }
    | { readonly kind: 'noBoolean'; readonly meant: boolean | undefined }
  );

export type ProblemKind = RecordProblem['kind'];
