// The keys of front matter: those that count here, those that other tools write, and which key or type is meant by
// another word.

import { MEMORY_TYPES, type MemoryType } from '../record.ts';

export const RECORD_KEYS = [
  'name',
  'description',
  'type',
  'pinned',
  'expires',
  'supersedes',
  'created',
  'updated',
  'source',
] as const;
export type RecordKey = (typeof RECORD_KEYS)[number];

/** Of note apps, static sites and other agents. They mean something where they come from, so nothing is said of them. */
const KEYS_OF_OTHERS = new Set(
  `agent alias aliases allowed-tools alwaysapply appliesto applies_to applyto argument-hint author category categories
  confidence created_at createdat creator cssclass cssclasses date disable-model-invocation draft expires_at expiresat
  filematchpattern globs id importance inclusion keywords lang last_updated lastmod lastupdated layout license links
  metadata mode model modified node_type origin_session_id originsessionid owner parent paths permalink priority project
  publish related scope session session_id sessionid slug sources status tag tags title tools topic topics updated_at
  updatedat url user-invocable uuid version weight`.split(/\s+/),
);

/** What people write for a key of ours. */
const OTHER_NAMES: Readonly<Record<string, RecordKey>> = {
  desc: 'description',
  summary: 'description',
  expiry: 'expires',
  expiration: 'expires',
  kind: 'type',
  pin: 'pinned',
  sticky: 'pinned',
  replaces: 'supersedes',
};

/** What people write for a type of ours; some of it is one letter away from another type. */
const OTHER_TYPES: Readonly<Record<MemoryType, RegExp>> = {
  user: /^(?:(?:user[ _-]?)?(?:preferences?|prefs?)|用户|偏好)$/,
  feedback: /^(?:rules?|guidance|guidelines?|instructions?|corrections?|反馈)$/,
  project: /^(?:(?:project[ _-]?)?facts?|decisions?|项目)$/,
  reference: /^(?:refs?|links?|pointers?|bookmarks?|参考|引用)$/,
};

/** Slips by which a long word may differ from the one it means, and any other: `related` is not `created`. */
const SLIPS = 2;
const SLIPS_IN_SHORT = 1;
/** Letters from which on a word is long. */
const LONG = 8;

export function isRecordKey(key: string): key is RecordKey {
  return RECORD_KEYS.some((known) => known === key);
}

export function isKeyOfOthers(key: string): boolean {
  return KEYS_OF_OTHERS.has(key.toLowerCase());
}

/** Undefined when it is like none of ours. */
export function meantKey(key: string): RecordKey | undefined {
  return Object.hasOwn(OTHER_NAMES, key.toLowerCase())
    ? OTHER_NAMES[key.toLowerCase()]
    : closest(key, RECORD_KEYS);
}

/** Undefined when it is like none of them. */
export function meantType(written: string): MemoryType | undefined {
  const word = written.toLowerCase();
  return MEMORY_TYPES.find((type) => OTHER_TYPES[type].test(word)) ?? closest(word, MEMORY_TYPES);
}

/** The one of the words that a misspelt one means. */
function closest<Word extends string>(written: string, words: readonly Word[]): Word | undefined {
  const word = written.toLowerCase();
  const near = words
    .map((known) => ({ known, slips: slipsBetween(word, known) }))
    .filter(({ known, slips }) => slips <= (known.length < LONG ? SLIPS_IN_SHORT : SLIPS))
    .toSorted((a, b) => a.slips - b.slips);
  return near[0]?.known;
}

/** Letters to add, drop, change or swap; the length alone tells of words that are far apart. */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SLIPS) return SLIPS + 1;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
