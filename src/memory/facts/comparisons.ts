// What a sentence puts before something else: `tabs over spaces`, `X, not Y`, `用X不用Y`. A text that has the same words
// on the other sides says the opposite.

import { CLAUSE_END, holdsNegation } from '../words/negation.ts';
import { isWordIn, tellingWords, termsOf, type Terms, type Word } from '../words/tellingWords.ts';

export interface Comparison {
  readonly preferred: Side;
  readonly other: Side;
}

interface Side extends Terms {
  readonly words: readonly Word[];
}

/** Of a sentence; nobody means as many, and each is looked at with all of its words. */
const MOST_PAIRS = 8;

/** None in a sentence that denies the whole of it. */
export function comparisonsIn(sentence: string): readonly Comparison[] {
  const text = sentence.normalize('NFKC').replaceAll('’', "'").replaceAll(/\s+/gu, ' ');
  const pairs = [
    ...pairsBeside(text, PREFERRED_FIRST),
    ...pairsBeside(text, PREFERRED_LAST).map(swapped),
    ...PHRASES.flatMap((phrase) => pairOf(phrase.exec(text)?.groups)),
  ];
  return pairs
    .slice(0, MOST_PAIRS)
    .filter((pair) => !holdsNegation(`${pair.preferred} ${pair.other}`))
    .map((pair) => ({ preferred: sideOf(pair.preferred), other: sideOf(pair.other) }))
    .filter(({ preferred, other }) => preferred.words.length > 0 && other.words.length > 0);
}

/** Whether each puts last what the other puts first. */
export function isTurned(one: Comparison, other: Comparison): boolean {
  return (
    ownWords(one.preferred, one.other).some((word) => isWordIn(word, other.other)) &&
    ownWords(one.other, one.preferred).some((word) => isWordIn(word, other.preferred))
  );
}

function ownWords(side: Side, beside: Side): readonly Word[] {
  return side.words.filter((word) => !isWordIn(word, beside));
}

interface Pair {
  readonly preferred: string;
  readonly other: string;
}

/** What stands in a clause before and behind each of the words that compare. */
function pairsBeside(text: string, marks: RegExp): readonly Pair[] {
  return Array.from(text.matchAll(marks), (match) => ({
    preferred: text.slice(0, match.index).replace(MARKS_BEHIND, '').split(CLAUSE_END).at(-1) ?? '',
    other: text.slice(match.index + match[0].length).split(CLAUSE_END)[0] ?? '',
  }));
}

function pairOf(groups: Partial<Record<string, string>> | undefined): readonly Pair[] {
  const { preferred, other } = groups ?? {};
  return preferred !== undefined && other !== undefined ? [{ preferred, other }] : [];
}

function swapped({ preferred, other }: Pair): Pair {
  return { preferred: other, other: preferred };
}

function sideOf(text: string): Side {
  const short = (text.match(SHORT_NAME) ?? []).map((name) => name.toLowerCase());
  const parts = [
    ...(text.match(SYLLABLE) ?? []),
    ...Array.from(text.matchAll(PAIR), ([, pair = '']) => pair),
  ];
  return {
    words: [
      ...tellingWords(text),
      ...short.map((name) => ({ text: name, terms: [name] })),
      ...parts.map((stem) => ({ text: stem, terms: [], stem })),
    ],
    folded: text.toLowerCase(),
    terms: new Set([...termsOf(text), ...short]),
  };
}

const MARKS_BEHIND = /[\s,，、;]+$/u;
/** `Go`, `TS`, `C#`: too short to tell anything elsewhere. */
const SHORT_NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{Ll}\p{N}#](?![\p{L}\p{N}])/gu;
/** A Korean word of one, perhaps with a particle. */
const SYLLABLE =
  /(?<![\p{L}\p{N}])\p{Script=Hangul}(?=(?:은|는|이|가|을|를|에|로|와|과|도|의|만|으로)?(?![\p{L}\p{N}]))/gu;

/** Two characters of a script without spaces: many a word for a tool is in no dictionary, and would be cut up. */
const PAIR = /(?=([\p{Script=Han}\p{Script=Katakana}ー]{2}))/gu;

const SPACED_FIRST = [
  String.raw`over(?!\s+\p{N})|rather than|instead of|in place of|in preference to`,
  String.raw`,?\s*(?:and|but)?\s*(?<!(?:do|does|did|is|are|was|were|be|should|must|may|might|can|could|will|would|has|have|had)\s+)(?:not|never)`,
  String.raw`(?:an)?statt|anstelle\s+von|,?\s*(?:und\s+)?nicht`,
  String.raw`plutôt\s+qu(?:e|'(?=\p{L}))|au\s+lieu\s+d(?:e|'(?=\p{L}))|,?\s*et\s+non(?:\s+pas)?|,\s*pas`,
  String.raw`en\s+vez\s+de|en\s+lugar\s+de|antes\s+que|,?\s*y\s+no|em\s+vez\s+de|ao\s+invés\s+de|,?\s*e\s+não`,
  String.raw`invece\s+(?:di|che)|al\s+posto\s+di|anziché|piuttosto\s+che|in\s+plaats\s+van|вместо|,?\s*а\s+не`,
].join('|');
/** What they stand behind goes first, in the languages of the memories that we know of. */
const PREFERRED_FIRST = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${SPACED_FIRST})(?:(?<=')|(?![\\p{L}\\p{N}_]))|[，、,]?\\s*(?:而不是|而非|而不用|不用|不要用|不使用)|优先于|優先於|优于|優於|胜过|勝過|代替|取代`,
  'giu',
);
const PREFERRED_LAST =
  /ではなく|でなく|じゃなく|よりも?|の代わりに|\s*대신에?(?![\p{L}])|보다는?(?![\p{L}])|(?:이|가)?\s*아니라|\s*말고(?![\p{L}])|(?<![\p{L}])in favou?r of(?![\p{L}])/giu;
const PHRASES: readonly RegExp[] = [
  /(?<!\p{L})prefer\p{L}*\s+(?<preferred>[^,;]+?)\s+to\s+(?<other>[^,;]+)/iu,
  /(?<!\p{L})(?:lieber|eher|besser)\s+(?<preferred>[^,;]+?),?\s+als\s+(?<other>[^,;]+)/iu,
  /(?<!\p{L})plutôt\s+(?<preferred>[^,;]+?)\s+qu(?:e\s+|')(?<other>[^,;]+)/iu,
  /(?<!\p{L})préf\p{L}+\s+(?<preferred>[^,;]+?)\s+(?:à|aux?)\s+(?<other>[^,;]+)/iu,
  /(?<!\p{L})prefi\p{L}+\s+(?<preferred>[^,;]+?)\s+al?\s+(?<other>[^,;]+)/iu,
  /^\s*(?:instead of|rather than|(?:an)?statt|au lieu de|plutôt que|en vez de|en lugar de|em vez de|invece di|вместо)\s+(?<other>[^,;]+),\s*(?<preferred>[^,;]+)/iu,
  /比起(?<other>[^，,；]+)[，,]?更?(?<preferred>[^，,；]+)/u,
];
