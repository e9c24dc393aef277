// The stem that the forms of an English word share, by Martin Porter's second English algorithm ("Porter2"):
// https://snowballstem.org/algorithms/english/stemmer.html. What is left need not be a word.

/** Takes a word of the letters a to z. */
export function englishStem(word: string): string {
  if (word.length <= 2) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  const marked = withMarkedConsonants(word);
  const regions = regionsOf(marked);
  const singular = withoutPlural(marked);
  if (WHOLE.has(singular)) return singular;
  const base = finalYAsI(withoutVerbEnding(singular, regions));
  const shorter = DERIVED.reduce((stem, step) => withoutEnding(stem, step, regions), base);
  return withoutFinalLetter(shorter, regions).toLowerCase();
}

/** The places behind the first, and behind the second, consonant that follows a vowel: endings stand after them. */
interface Regions {
  readonly first: number;
  readonly second: number;
}

const VOWEL = /[aeiouy]/;
/** Beginnings that are longer than the rule says, so that `general` and `generous` stay apart. */
const LONG_BEGINNING = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;
const VOWEL_AND_CONSONANT = /[aeiouy][^aeiouy]/g;

function regionsOf(word: string): Regions {
  const first = LONG_BEGINNING.exec(word)?.[0].length ?? endOfSyllable(word, 0);
  return { first, second: endOfSyllable(word, first) };
}

function endOfSyllable(word: string, from: number): number {
  VOWEL_AND_CONSONANT.lastIndex = from;
  return VOWEL_AND_CONSONANT.test(word) ? VOWEL_AND_CONSONANT.lastIndex : word.length;
}

/** A `y` at the start or behind a vowel is a consonant, written `Y` until the end. */
function withMarkedConsonants(word: string): string {
  return word.includes('y') ? word.replace(/^y|(?<=[aeiouy])y/g, 'Y') : word;
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') && !word.endsWith('ied')) return word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string, { first }: Regions): string {
  const ending = /(?:eed|eedly|ed|edly|ing|ingly)$/.exec(word)?.[0];
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (ending.startsWith('eed')) return stem.length >= first ? `${stem}ee` : word;
  if (!VOWEL.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (!/^[aeo]..$/.test(stem) && /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem))
    return stem.slice(0, -1);
  return stem.length <= first && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

function endsInShortSyllable(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$/.test(word);
}

function finalYAsI(word: string): string {
  return word.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
}

interface Step {
  readonly pattern: RegExp;
  readonly region: keyof Regions;
  /** By ending: what takes its place. */
  readonly replacements: ReadonlyMap<string, string>;
}

function step(region: keyof Regions, rules: string): Step {
  const replacements = new Map(
    rules.split(/\s+/).map((rule): [string, string] => {
      const [ending = '', replacement = ''] = rule.split('>');
      return [ending, replacement];
    }),
  );
  // The longest one decides, even where it then stands too early to come off.
  const longestFirst = [...replacements.keys()].toSorted((a, b) => b.length - a.length);
  return { pattern: new RegExp(`(?:${longestFirst.join('|')})$`), region, replacements };
}

/** One ending of each comes off, in this order, when it stands in its region. */
const DERIVED: readonly Step[] = [
  step(
    'first',
    `tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize ational>ate ation>ate ator>ate
    alism>al aliti>al alli>al fulness>ful ousli>ous ousness>ous iveness>ive iviti>ive biliti>ble bli>ble
    ogist>og ogi>og fulli>ful lessli>less li>`,
  ),
  step('first', 'tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness> ative>'),
  step(
    'second',
    'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ism> ate> iti> ous> ive> ize> ion>',
  ),
];

/** Endings that come off behind these letters only. */
const BEHIND: ReadonlyMap<string, RegExp> = new Map([
  ['ogi', /l$/],
  ['li', /[cdeghkmnrt]$/],
  ['ion', /[st]$/],
]);

function withoutEnding(
  word: string,
  { pattern, region, replacements }: Step,
  regions: Regions,
): string {
  const ending = pattern.exec(word)?.[0];
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  const start = ending === 'ative' ? regions.second : regions[region];
  if (stem.length < start || BEHIND.get(ending)?.test(stem) === false) return word;
  return stem + (replacements.get(ending) ?? '');
}

function withoutFinalLetter(word: string, { first, second }: Regions): string {
  const stem = word.slice(0, -1);
  if (word.endsWith('ll') && stem.length >= second) return stem;
  if (!word.endsWith('e')) return word;
  const comesOff = stem.length >= second || (stem.length >= first && !endsInShortSyllable(stem));
  return comesOff ? stem : word;
}

/** Forms that the rules would spoil; the last line is for words that look like a form of another. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [
    word,
    word,
  ]),
]);

/** Words that end like a verb form and are none. */
const WHOLE: ReadonlySet<string> = new Set(
  'evening inning outing canning herring earring proceed exceed succeed'.split(' '),
);
