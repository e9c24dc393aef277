// Ranks records against a text by the words they share, or have words of the same meaning for (BM25F over name,
// description and body). Pure: the order depends on the records and the text alone. It knows words, not meanings
// beyond a short list; a model is asked for those.

import type { MemoryRecord } from '../record.ts';
import { cluesOf, type Clue, type Reading } from './clues.ts';
import { RecordIndex, type Selection } from './recordIndex.ts';
import { eachTerm } from './words.ts';

interface RankedRecord {
  readonly record: MemoryRecord;
  readonly score: number;
  /** The words of the query that were found, as the query spells them, in its order. */
  readonly words: readonly string[];
}

/** How soon more of the same word stops counting. */
const SATURATION = 1.5;

/** Below one, so that a rare word which is there by accident does not outweigh several that fit. */
const RARITY_EXPONENT = 0.85;

/** Enough to see why a record came up. */
const MAX_WORDS = 8;

/** Of all records that a store or a caller holds, whichever lists they come in. */
const index = new RecordIndex();

/**
 * The records that share a word or an idea with the query, best first, at most `limit`; equal scores in order of
 * file name. A query word that no record has stands for the commonest of theirs that is one slip of a letter away.
 */
export function rankRecords(
  records: readonly MemoryRecord[],
  query: string,
  limit = Infinity,
): readonly RankedRecord[] {
  const text = query.normalize('NFKC');
  const selection = index.select(records);
  const clues = cluesOf(text, selection);
  const scores = new Float64Array(records.length);
  for (const { readings } of clues) addScores(scores, readings, selection);

  const candidates = records
    .map((record, place) => ({ record, score: scores[place] ?? 0 }))
    .filter(({ score }) => score > 0);
  return firstOf(candidates, limit).map(({ record, score }) => ({
    record,
    score,
    // Read when it is asked for: who wants the order of all records wants no words.
    get words() {
      return wordsFound(text, clues, record);
    },
  }));
}

/** For each record the reading counts that fits it best. */
function addScores(scores: Float64Array, readings: readonly Reading[], selection: Selection): void {
  const [first, ...others] = readings;
  if (!first) return;
  if (others.length === 0 && first.terms.length === 1) {
    eachWorth(first, selection, (place, worth) => add(scores, place, worth));
    return;
  }
  const best = new Map<number, number>();
  for (const reading of readings) {
    for (const [place, worth] of worthOf(reading, selection)) {
      best.set(place, Math.max(worth, best.get(place) ?? 0));
    }
  }
  for (const [place, worth] of best) add(scores, place, worth);
}

function add(scores: Float64Array, place: number, score: number): void {
  scores[place] = (scores[place] ?? 0) + score;
}

/** By place, for the records that hold all of a reading's terms: the mean of what each is worth. */
function worthOf({ terms, weight }: Reading, selection: Selection): ReadonlyMap<number, number> {
  const held = terms.map((term) => {
    const worths = new Map<number, number>();
    eachWorth({ terms: [term], weight: weight / terms.length }, selection, (place, worth) =>
      worths.set(place, worth),
    );
    return worths;
  });
  return held.reduce((all, one) => {
    const both = [...all].filter(([place]) => one.has(place));
    return new Map(both.map(([place, worth]) => [place, worth + (one.get(place) ?? 0)]));
  });
}

function eachWorth(
  { terms: [term = ''], weight }: Reading,
  selection: Selection,
  visit: (place: number, worth: number) => void,
): void {
  const full = weight * rarityOf(selection.countOf(term), selection.count);
  selection.eachHolder(term, (place, frequency) => {
    visit(place, (full * frequency) / (SATURATION + frequency));
  });
}

function rarityOf(holders: number, count: number): number {
  return Math.log(1 + (count - holders + 0.5) / (holders + 0.5)) ** RARITY_EXPONENT;
}

type Candidate = Pick<RankedRecord, 'record' | 'score'>;

/** The first of them in order. Sorting all to show a few takes longer than the rest of the ranking. */
function firstOf(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  if (candidates.length <= limit) return candidates.toSorted(inOrder);
  const first: Candidate[] = [];
  for (const candidate of candidates) {
    const last = first.at(-1);
    if (first.length === limit && last && inOrder(last, candidate) <= 0) continue;
    const place = first.findIndex((other) => inOrder(candidate, other) < 0);
    first.splice(place < 0 ? first.length : place, 0, candidate);
    if (first.length > limit) first.pop();
  }
  return first;
}

function inOrder(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    compare(a.record.file, b.record.file) ||
    compare(a.record.path, b.record.path)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Joins what overlaps, so that grams read as the run they came from and parts as their identifier. */
function wordsFound(text: string, clues: readonly Clue[], record: MemoryRecord): readonly string[] {
  const held = new Set<string>();
  for (const field of [record.name, record.description, record.body]) {
    eachTerm(field.normalize('NFKC'), (term) => held.add(term));
  }
  const found = clues
    .filter(({ readings }) => readings.some(({ terms }) => terms.every((term) => held.has(term))))
    .flatMap(({ spans }) => spans)
    .toSorted((a, b) => a.start - b.start);
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  const words = [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
  const telling = words.filter((word) => word.length > 1);
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}
