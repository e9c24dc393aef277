// The keys of front matter: those that count here, those that other tools write, and which one a misspelt key means.

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
  `alias aliases alwaysapply applyto author category categories cssclass cssclasses date globs id keywords lang
  lastmod layout license metadata mode model modified node_type originsessionid origin_session_id paths permalink
  priority publish scope slug status tag tags title tools url version`.split(/\s+/),
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

/** Letters by which a longer word may differ from the one it means, and a shorter one. */
const SLIPS = 2;
const SLIPS_IN_SHORT = 1;
const SHORT = 5;

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

/** The one of the words that a misspelt one means. */
export function closest<Word extends string>(
  written: string,
  words: readonly Word[],
): Word | undefined {
  const word = written.toLowerCase();
  const near = words
    .map((known) => ({ known, slips: slipsBetween(word, known) }))
    .filter(({ known, slips }) => slips <= (known.length < SHORT ? SLIPS_IN_SHORT : SLIPS))
    .toSorted((a, b) => a.slips - b.slips);
  return near[0]?.known;
}

/** Letters to add, drop or change; the length alone tells of words that are far apart. */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SLIPS) return SLIPS + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
