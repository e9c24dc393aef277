// MEMORY.md: one line for each memory, written by code alone, short enough to stand in every system prompt.
// Nothing that a name or a description says can leave its place in the line.

import { MAX_DESCRIPTION, type MemoryRecord } from './record.ts';

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
  for (const record of records.toSorted(byImportance)) {
    const line = indexLine(record);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES || lines.length + OTHER_LINES >= MAX_LINES) break;
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
  const target = record.file.replace(/[\s\p{Cc}()<>[\]\\%#?"`]/gu, percentEncode);
  const description = escapeMarkdown(shortDescription(record));
  return `- [${escapeMarkdown(record.name)}](${target}) — ${description} [${record.type}]`;
}

/** The description for a list: cut where a person wrote more than a description should hold. */
function shortDescription({ description }: Pick<MemoryRecord, 'description'>): string {
  const characters = Array.from(description);
  if (characters.length <= MAX_DESCRIPTION) return description;
  return characters.slice(0, MAX_DESCRIPTION - 1).join('') + '…';
}

/** By what stands in the records: a clone or a checkout gives every file a time of its own. */
function byImportance(a: MemoryRecord, b: MemoryRecord): number {
  return (
    Number(b.pinned) - Number(a.pinned) || datedAt(b) - datedAt(a) || (a.file < b.file ? -1 : 1)
  );
}

function datedAt({ updated, created }: MemoryRecord): number {
  return Date.parse(updated ?? created ?? '') || 0;
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
