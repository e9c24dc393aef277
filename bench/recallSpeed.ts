// How long the ranking takes among many memories in several languages: with nothing known of them, again, and
// after one of them has changed.

import { rankRecords } from '../src/memory/words/lexical.ts';
import type { MemoryRecord } from '../src/memory/record.ts';
import { aRecord } from '../test/support/records.ts';
import type { Results } from './bench.ts';
import { quantile, timesOf, timesOfEach } from './median.ts';

const SIZES = [1_000, 10_000];
const COLD_RUNS = 3;
const RUNS = 20;
/** As many as recall asks for. */
const ASKED_FOR = 10;
/** Paragraphs of a body: a few hundred characters, as memories mostly have. */
const PARAGRAPHS = 2;

export async function measureRecallSpeed(): Promise<Results> {
  const results: Results = {};
  for (const size of SIZES) Object.assign(results, await measureSize(size));
  return results;
}

async function measureSize(size: number): Promise<Results> {
  const records = Array.from({ length: size }, (_, number) => memory(number));
  const warm: number[] = [];
  for (const query of QUERIES) {
    warm.push(
      ...(await timesOf(RUNS, async () => wordsOf(rankRecords([...records], query, ASKED_FOR)))),
    );
  }
  warm.sort((a, b) => a - b);
  let changes = 0;
  const changed = await timesOfEach(RUNS, async () => {
    changes += 1;
    const list = records.with(size / 2, memory(size + changes));
    return async () => rankRecords(list, 'tabs', ASKED_FOR);
  });
  // Last, since copies of the records stay known until the collector has come by.
  const cold = await timesOfEach(COLD_RUNS, async () => {
    const unknown = records.map((record) => ({ ...record }));
    return async () => rankRecords(unknown, 'tabs', ASKED_FOR);
  });
  return {
    [`ranking, nothing known, ${size} memories`]: { value: quantile(cold, 0.5), unit: 'ms' },
    [`ranking again, ${size} memories`]: { value: quantile(warm, 0.5), unit: 'ms' },
    [`ranking again, ${size} memories, 95 of 100 within`]: {
      value: quantile(warm, 0.95),
      unit: 'ms',
    },
    [`ranking after one of ${size} memories has changed`]: {
      value: quantile(changed, 0.5),
      unit: 'ms',
    },
  };
}

function wordsOf(ranked: ReturnType<typeof rankRecords>): readonly (readonly string[])[] {
  return ranked.map(({ words }) => words);
}

/** Each in one of the languages, with words that most have and words that hardly another has. */
function memory(number: number): MemoryRecord {
  const draw = drawing(number);
  const language = LANGUAGES[number % LANGUAGES.length] ?? ENGLISH;
  return aRecord({
    name: `memory-${number}`,
    description: sentence(language, draw, 10),
    body: Array.from({ length: PARAGRAPHS }, () => sentence(language, draw, 20)).join('\n'),
  });
}

interface Language {
  readonly words: number;
  readonly word: (number: number) => string;
  readonly between: string;
}

type Draw = (below: number) => number;

/** Small numbers come far more often than large ones, as the words of a language do. */
function drawing(seed: number): Draw {
  let state = (seed * 7_919 + 1) % 2_147_483_647;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) ** 3 * below);
  };
}

function sentence({ words, word, between }: Language, draw: Draw, length: number): string {
  return Array.from({ length }, () => word(draw(words))).join(between);
}

const ENGLISH: Language = { words: 20_000, word: spacedWord, between: ' ' };
const LANGUAGES: readonly Language[] = [
  ENGLISH,
  { words: 8_000, word: (number) => denseWord(number, 0x4e00, 3_000), between: '' },
  { words: 5_000, word: identifier, between: ' ' },
  { words: 8_000, word: (number) => denseWord(number, 0x3042, 2_100), between: '' },
  { words: 20_000, word: (number) => denseWord(number, 0xac00, 2_000), between: ' ' },
];

/** One to three syllables, of which there are 400. */
function spacedWord(number: number): string {
  const syllable =
    letter('bcdfghjklmnprstvwxyz', number) +
    letter('aeiou', Math.floor(number / 20)) +
    letter('nrst', Math.floor(number / 100));
  return number < 400 ? syllable : spacedWord(Math.floor(number / 7)) + syllable;
}

function identifier(number: number): string {
  return number % 3 === 0
    ? `${spacedWord(number)}_${spacedWord((number * 31) % 5_000)}`
    : spacedWord(number);
}

function denseWord(number: number, first: number, kinds: number): string {
  return String.fromCodePoint(first + ((number * 37) % kinds), first + ((number * 101) % kinds));
}

function letter(letters: string, number: number): string {
  return letters.charAt(number % letters.length);
}

/** A question of some words, one with a slip of a letter, and as much of a dialogue as recall looks at. */
const QUERIES: readonly string[] = LANGUAGES.flatMap((language, number) => [
  sentence(language, drawing(number + 100_000), 8),
  `${sentence(language, drawing(number + 200_000), 6)} indnetation deploys`,
  sentence(language, drawing(number + 300_000), 400).slice(0, 2_000),
]);
