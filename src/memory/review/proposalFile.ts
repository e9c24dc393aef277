// One proposed memory as a file: a record with a few more keys, so that a person can read it and an editor can
// compare it. What is read may have come with a repository, so nothing in it is trusted.

import * as z from 'zod/mini';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { sentence } from '../../base/sentence.ts';
import { oneLine, shortened } from '../fieldText.ts';
import { editMarkdown, readMarkdown } from '../frontMatter.ts';
import { withoutHidden } from '../hiddenText.ts';
import { DOUBT_NAMES, SOURCES, type Doubt, type Fields } from '../extraction/policy.ts';
import { parseRecord, printRecord, RecordError } from '../record.ts';
import { isRecordFile } from '../folder/recordCache.ts';

/** Whose words a proposal rests on; `agent` is another agent of the editor, which proposed it itself. */
const PROPOSERS = [...SOURCES, 'agent'] as const;
type Proposer = (typeof PROPOSERS)[number];

/** What a memory is to become: new, or a new text in the place of an existing one. */
export interface NewProposal {
  readonly kind: 'add' | 'update';
  readonly fields: Fields;
  /** Of an update: the record, as it was when the update was proposed. */
  readonly target?: { readonly file: string; readonly hash: string };
  /** The words it rests on, and whose they are. Empty where another agent proposes it. */
  readonly quote: string;
  readonly from: Proposer;
  /** Why it is proposed and not saved, though the person said it. */
  readonly doubt?: Doubt;
}

export interface Proposal extends NewProposal {
  /** File name in the folder of proposals. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  /** ISO date on which it was proposed. */
  readonly at: string;
}

/** Characters. Enough to see what was said; front matter has its own limit. */
const MAX_QUOTE = 1_000;

const Marks = z.object({
  kind: z.enum(['add', 'update']),
  target: z.optional(z.string().check(z.refine(isRecordFile))),
  target_hash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  quote: z.string(),
  from: z.enum(PROPOSERS),
  // A later version may have doubts of its own.
  doubt: z.catch(z.optional(z.enum(DOUBT_NAMES)), undefined),
});

/** The text of a new file. Throws RecordError when a field is missing or too long. */
export function printProposal(proposal: NewProposal, now: Date): string {
  const { kind, fields, target, quote, from, doubt } = proposal;
  const record = readMarkdown(printRecord(fields, now));
  return editMarkdown(record, {
    kind,
    ...(target && { target: target.file, target_hash: target.hash }),
    quote: shownQuote(quote),
    from,
    ...(doubt && { doubt }),
  });
}

/** What the memory that it becomes says of who wrote it. */
export function sourceOf({ from }: NewProposal): string {
  return from === 'agent' ? 'agent' : 'extraction';
}

/** Reads one file. Throws only RecordError. */
export function parseProposal(file: string, bytes: Uint8Array, modified: number): Proposal {
  const record = parseRecord(file, bytes, modified);
  const { name, description, type, body, created, expires } = record;
  const marks = Marks.safeParse(readMarkdown(decodeUtf8(bytes, file)).data);
  if (!marks.success) throw new RecordError(sentence`The file is not a proposed memory.`);
  const { kind, target, target_hash: hash, quote, from, doubt } = marks.data;
  if (kind === 'update' && (target === undefined || hash === undefined))
    throw new RecordError(sentence`The file does not say which memory is to be updated.`);
  return {
    kind,
    fields: {
      name: withoutHidden(name),
      description: withoutHidden(description),
      type,
      body: withoutHidden(body),
      ...(expires && { expires }),
    },
    ...(kind === 'update' && target !== undefined && hash !== undefined
      ? { target: { file: target, hash } }
      : {}),
    quote: shownQuote(quote),
    from,
    ...(doubt && { doubt }),
    file: record.file,
    path: file,
    at: created ?? new Date(modified).toISOString(),
  };
}

function shownQuote(quote: string): string {
  return shortened(oneLine(withoutHidden(quote)), MAX_QUOTE);
}
