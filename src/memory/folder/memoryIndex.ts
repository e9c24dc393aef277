// MEMORY.md: one line for each memory, written by code alone, short enough to stand in every system prompt.
// Nothing that a name or a description says can leave its place in the line.

import { MAX_DESCRIPTION, type MemoryRecord } from '../record.ts';

const INDEX_TITLE = '# Memory Index';
/** Together about 6,000 tokens at most: the index goes into every session's prompt. */
const MAX_LINES = 200;
const MAX_BYTES = 25_000;
/** The title, a blank line, and after the list a blank line and the count of what did not fit. */
const OTHER_LINES = 4;
const OTHER_BYTES = 120;

/** Pinned records first, then the newest by the dates in them; the last line counts those that did not fit. */
export function indexText(records: readonly MemoryRecord[]): string {
  const lines: string[] = [];
  let bytes = OTHER_BYTES;
  for (const record of mostImportant(records, MAX_LINES - OTHER_LINES)) {
    const line = indexLine(record);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) break;
    lines.push(line);
  }
  const left = records.length - lines.length;
  const note = left > 0 ? ['', `(${left} more did not fit in this index.)`] : [];
  return [INDEX_TITLE, '', ...lines, ...note, ''].join('\n');
}

/** Whether every line is of a form that `indexText` writes, so that writing over it loses nothing of a person's. */
export function isGeneratedIndex(text: string): boolean {
  return text.split(/\r?\n/).every((line) => line === INDEX_TITLE || GENERATED.test(line));
}

const GENERATED =
  /^(?:|- \[.*\]\([^()\s]*\) — .* \[[a-z]+\]|\(\d+ more did not fit in this index\.\))$/u;

/** The record's line in the index. */
export function indexLine(record: MemoryRecord): string {
  const target = record.file.replace(
    /[\s\p{Cc}\p{Default_Ignorable_Code_Point}()<>[\]\\%#?"`]/gu,
    percentEncode,
  );
  const description = escapeMarkdown(shortDescription(record));
  return `- [${escapeMarkdown(record.name)}](${target}) — ${description} [${record.type}]`;
}

/** The description for a list: cut where a person wrote more than a description should hold. */
function shortDescription({ description }: Pick<MemoryRecord, 'description'>): string {
  const characters = Array.from(description);
  if (characters.length <= MAX_DESCRIPTION) return description;
  return characters.slice(0, MAX_DESCRIPTION - 1).join('') + '…';
}

/** The first so many of the records in order, without ordering the others: this runs at every write. */
function mostImportant(records: readonly MemoryRecord[], count: number): readonly MemoryRecord[] {
  let best: MemoryRecord[] = [];
  let last: MemoryRecord | undefined;
  for (const record of records) {
    if (last && byImportance(record, last) > 0) continue;
    best.push(record);
    if (best.length < 2 * count) continue;
    best = best.toSorted(byImportance).slice(0, count);
    last = best.at(-1);
  }
  return best.toSorted(byImportance).slice(0, count);
}

/** By what stands in the records: a clone or a checkout gives every file a time of its own. */
function byImportance(a: MemoryRecord, b: MemoryRecord): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  const [dateOfA, dateOfB] = [datedAt(a), datedAt(b)];
  if (dateOfA !== dateOfB) return dateOfA > dateOfB ? -1 : 1;
  return a.file < b.file ? -1 : 1;
}

/** As text: ISO dates of one form, as the records have them, sort by time. */
function datedAt({ updated, created }: MemoryRecord): string {
  return updated ?? created ?? '';
}

function escapeMarkdown(text: string): string {
  // Code spans and HTML bind tighter than links, so their openers are escaped too.
  return text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\\[\]()<`]/g, '\\$&');
}

function percentEncode(character: string): string {
  // encodeURIComponent leaves the two that would end a link.
  if (character === '(') return '%28';
  if (character === ')') return '%29';
  return encodeURIComponent(character);
}
