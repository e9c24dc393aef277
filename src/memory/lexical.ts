// Ranks records against a text by the words they share (BM25F over name, description and body). Pure: the
// order depends on the records and the text alone. It knows words, not meanings; a model is asked for those.

import type { MemoryRecord } from './record.ts';
import { analyse, type Token } from './words.ts';

interface RankedRecord {
  readonly record: MemoryRecord;
  readonly score: number;
  /** The words of the query that were found, as the query spells them, in its order. */
  readonly words: readonly string[];
}

/** How much a field counts, and how strongly its length is evened out. The optimum is flat; these were measured. */
const FIELDS = [
  { read: (record: MemoryRecord) => record.name, weight: 2, evening: 0.5 },
  { read: (record: MemoryRecord) => record.description, weight: 2, evening: 0.6 },
  { read: (record: MemoryRecord) => record.body, weight: 1, evening: 0.75 },
] as const;

/** How soon more of the same word stops counting. */
const SATURATION = 1.2;

/** Words in which a slip of a letter is looked for; shorter ones are too near to others. */
const SLIPS = /^[a-z]{5,}$/;

/** Enough to see why a record came up. */
const MAX_WORDS = 8;

/**
 * The records that share a word with the query, best first, at most `limit`; equal scores in order of file
 * name. A query word that no record has stands for the commonest of theirs that is one slip of a letter away.
 */
export function rankRecords(
  records: readonly MemoryRecord[],
  query: string,
  limit = Infinity,
): readonly RankedRecord[] {
  const text = query.normalize('NFKC');
  const documents = records.map(analysed);
  const tokens = spelledAsIn(documents, analyse(text));
  const terms = [...new Set(tokens.map((token) => token.term))];
  if (terms.length === 0) return [];

  const meanLengths = FIELDS.map(
    (_, field) => sum(documents.map((document) => document.lengths[field] ?? 0)) / documents.length,
  );
  const rarity = new Map(terms.map((term) => [term, inverseFrequency(documents, term)]));

  return documents
    .map((document) => {
      const found = terms.filter((term) => document.counts.has(term));
      const score = sum(
        found.map((term) => {
          const frequency = weightedFrequency(document, term, meanLengths);
          return ((rarity.get(term) ?? 0) * frequency) / (SATURATION + frequency);
        }),
      );
      return { record: document.record, score, found };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.record.file < b.record.file ? -1 : 1))
    .slice(0, limit)
    .map(({ record, score, found }) => ({
      record,
      score,
      words: matchedWords(text, tokens, new Set(found)),
    }));
}

interface Document {
  readonly record: MemoryRecord;
  /** Term to its count in each field. */
  readonly counts: ReadonlyMap<string, readonly number[]>;
  readonly lengths: readonly number[];
}

/** A record is analysed once: the store hands out the same object until its file changes. */
const analysedRecords = new WeakMap<MemoryRecord, Document>();

function analysed(record: MemoryRecord): Document {
  const known = analysedRecords.get(record);
  if (known) return known;
  const counts = new Map<string, number[]>();
  const lengths = FIELDS.map(({ read }, field) => {
    const tokens = analyse(read(record).normalize('NFKC'));
    for (const { term } of tokens) {
      const row = counts.get(term) ?? FIELDS.map(() => 0);
      row[field] = (row[field] ?? 0) + 1;
      counts.set(term, row);
    }
    return tokens.length;
  });
  const document = { record, counts, lengths };
  analysedRecords.set(record, document);
  return document;
}

function inverseFrequency(documents: readonly Document[], term: string): number {
  const holders = documents.filter((document) => document.counts.has(term)).length;
  return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
}

function weightedFrequency(
  document: Document,
  term: string,
  meanLengths: readonly number[],
): number {
  const counts = document.counts.get(term) ?? [];
  return sum(
    FIELDS.map(({ weight, evening }, field) => {
      const count = counts[field] ?? 0;
      if (count === 0) return 0;
      const relative = (document.lengths[field] ?? 0) / (meanLengths[field] || 1);
      return (weight * count) / (1 - evening + evening * relative);
    }),
  );
}

/** Replaces terms that no document has by the most common one that is one slip of a letter away. */
function spelledAsIn(documents: readonly Document[], tokens: readonly Token[]): readonly Token[] {
  const unknown = tokens.filter(
    ({ term }) => SLIPS.test(term) && !documents.some((document) => document.counts.has(term)),
  );
  if (unknown.length === 0) return tokens;
  const holders = new Map<string, number>();
  for (const { counts } of documents) {
    for (const term of counts.keys()) {
      if (SLIPS.test(term)) holders.set(term, (holders.get(term) ?? 0) + 1);
    }
  }
  const common = [...holders].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const nearest = new Map(
    unknown.map(({ term }) => [term, common.find(([known]) => isOneSlipAway(term, known))?.[0]]),
  );
  return tokens.map((token) => ({ ...token, term: nearest.get(token.term) ?? token.term }));
}

/** One letter added, dropped, changed, or swapped with its neighbour. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endOfA, endOfB] = [a.length, b.length];
  while (endOfA > start && endOfB > start && a[endOfA - 1] === b[endOfB - 1]) {
    endOfA--;
    endOfB--;
  }
  const [left, right] = [a.slice(start, endOfA), b.slice(start, endOfB)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left === `${right[1]}${right[0]}`;
}

/** Joins what overlaps, so that grams read as the run they came from and parts as their identifier. */
function matchedWords(
  text: string,
  tokens: readonly Token[],
  found: ReadonlySet<string>,
): string[] {
  const spans: { start: number; end: number }[] = [];
  for (const { term, start, end } of tokens) {
    if (!found.has(term)) continue;
    const last = spans.at(-1);
    if (last && start < last.end) {
      last.start = Math.min(last.start, start);
      last.end = Math.max(last.end, end);
    } else spans.push({ start, end });
  }
  const words = [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
  const telling = words.filter((word) => word.length > 1);
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
