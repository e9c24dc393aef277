// Whose words carry a memory. A model that was talked into something by a file can quote the person too, so the
// quote must say something, be about the memory, and the memory must bring no command of its own.

import { languagesOf } from '../base/language.ts';
import { isDenied } from './denial.ts';
import { fold, foldSentence } from './fieldText.ts';
import { isIdle } from './idleWords.ts';
import { holdsNegation } from './negation.ts';
import { ownWords, ownWordsFor } from './ownWords.ts';
import { onlyAsks } from './question.ts';
import { contentTerms } from './sharedWords.ts';
import { analyse, isDense, isStopWord } from './words.ts';

type EvidenceProblem = 'notSaid' | 'unrelated' | 'asked' | 'turned' | 'unsaidCommand';

type Evidence =
  { readonly from: 'person' | 'pasted' | 'assistant' } | { readonly problem: EvidenceProblem };

export interface Claim {
  /** Said to be somebody's own words. */
  readonly quote: string;
  /** What the memory would say. */
  readonly text: string;
  /** Each message of the person that a quote may come from, whole. */
  readonly said: readonly string[];
  /** Earlier messages of theirs, from which addresses and commands may come. */
  readonly earlier: readonly string[];
  /** What the assistant said. */
  readonly answered: readonly string[];
  /** The text that is updated, from which they may come too. */
  readonly record: string;
  /** Whether the memory may rest on what the assistant found. */
  readonly mayBeFound: boolean;
}

/** The words a claim is measured by. */
interface Words {
  readonly quoted: readonly string[];
  readonly given: readonly string[];
}

/** Three words; less stands in nearly every message: `the`, `in the`, `please`. */
const LEAST_LENGTH = 6;
/** What is done without asking is done. */
const UNASKED =
  /\b(?:without|instead|rather|ohne|statt|sans|sin|senza|sem)\b|不(?:需要?|用|必|经|經)|無需|无需|なしで|なく|없이/giu;
/** Letters of a word that another may be a longer form of. */
const LEAST_FORM = 4;
/** A word in characters of a script without spaces. */
const WORD_LENGTH = 2;
/** So many words with hardly an English one among them are another language, and no accident. */
const FOREIGN_WORDS = 6;
/** English has twice as many stop words, other languages a few that look like them (`in`, `an`, `me`). */
const FOREIGN_STOP_WORDS = 0.2;

/** The best that the claim can rest on, or what is wrong with it. */
export function evidenceOf(claim: Claim): Evidence {
  const { said, earlier, answered, record, text, mayBeFound } = claim;
  const own = said.flatMap(ownWords);
  const problem = problemOf(claim, {
    quoted: ownWordsFor(claim.quote, own),
    given: [...own, ...earlier.flatMap(ownWords), record],
  });
  if (!problem) return { from: 'person' };
  const all = [...said, ...earlier, record];
  const problemOfPasted = problemOf(claim, { quoted: said, given: all });
  if (!problemOfPasted) return { from: 'pasted' };
  const problemOfFound =
    mayBeFound && !FEEDS_SHELL.test(text)
      ? problemOf(claim, { quoted: answered, given: [...all, ...answered] })
      : 'notSaid';
  if (!problemOfFound) return { from: 'assistant' };
  // The quote that was found tells more than those that were not.
  const problems = [problem, problemOfPasted, problemOfFound];
  return { problem: problems.find((each) => each !== 'notSaid') ?? 'notSaid' };
}

function problemOf(claim: Claim, { quoted, given }: Words): EvidenceProblem | undefined {
  const { text } = claim;
  const quote = withoutEdges(withoutEmphasis(claim.quote));
  const spoken = quoted.map(withoutEmphasis);
  if (!isQuoted(quote, spoken)) return 'notSaid';
  if (isIdle(quote) || !isAbout(quote, text)) return 'unrelated';
  if (onlyAsks(quote, spoken)) return 'asked';
  if (isDenied(quote, spoken) && !holdsNegation(text.replaceAll(UNASKED, ' '))) return 'turned';
  const sources = given.map(fold);
  return addressesIn(text).every((address) => sources.some((source) => source.includes(address))) &&
    commandsIn(text).every((command) => isGiven(command, sources))
    ? undefined
    : 'unsaidCommand';
}

function isQuoted(quote: string, said: readonly string[]): boolean {
  const words = foldSentence(quote);
  if (!/[\p{L}\p{N}]/u.test(words)) return false;
  const telling = lengthOf(words) >= LEAST_LENGTH;
  return said
    .map((message) => foldSentence(withoutEdges(message)))
    .some((message) => message === words || (telling && holdsWhole(message, words)));
}

/** Models leave out these marks and what cannot be seen, or add them. */
function withoutEmphasis(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\*\*|\p{Default_Ignorable_Code_Point}|(?<![\p{L}\p{N}])`|`(?![\p{L}\p{N}])/gu, '');
}

/** Emoji, commas and the like, which may be left out too. What makes another thing of a word stays: `C#`, `.env`. */
function withoutEdges(text: string): string {
  return text.replaceAll(
    /^(?:[-+]\s|[^\p{L}\p{N}#$@./~_-])+|(?<![^\p{L}\p{N}#+%_])[^\p{L}\p{N}#+%_]+$/gu,
    '',
  );
}

/** Whether `words` stand in the text without being cut out of longer words. */
function holdsWhole(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const cutAtStart = isJoined(text.charAt(at - 1), words.charAt(0));
    const cutAtEnd = isJoined(words.charAt(words.length - 1), text.charAt(end));
    if (!cutAtStart && !cutAtEnd) return true;
  }
  return false;
}

function isJoined(before: string, after: string): boolean {
  return isWordLetter(before) && isWordLetter(after);
}

/** Scripts without spaces have no such bounds. */
function isWordLetter(character: string): boolean {
  return /[\p{L}\p{M}\p{N}_]/u.test(character) && !isDense(character);
}

function lengthOf(text: string): number {
  const dense = Array.from(text).filter(isDense).length;
  const spaced = wordsOf(text).filter((word) => !Array.from(word).some(isDense)).length;
  return dense + WORD_LENGTH * spaced;
}

function wordsOf(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

/**
 * Whether quote and memory share a word that tells a topic. That cannot be asked of a memory in another language:
 * another script shows at once; within one, a quote that is surely not English, or long and hardly so, is given the
 * benefit, unless the memory is surely not English either. Nor can it be asked where words are not told apart.
 */
function isAbout(quote: string, text: string): boolean {
  const topics = topicsOf(text);
  const quoted = [...topicsOf(quote)];
  if (quoted.some((term) => topics.has(term) || [...topics].some((topic) => isForm(term, topic))))
    return true;
  if (isLatin(quote) !== isLatin(text) || UNPARTED.test(quote)) return true;
  if (isForeign(quote)) return !isForeign(text);
  const words = wordsOf(fold(quote));
  const stopWords = words.filter(isStopWord).length;
  return (
    isLatin(quote) && words.length >= FOREIGN_WORDS && stopWords < FOREIGN_STOP_WORDS * words.length
  );
}

/**
 * In Japanese what stands in Hiragana alone is mostly endings and small words, as in any sentence. Small words of other
 * languages tell nothing either.
 */
function topicsOf(text: string): ReadonlySet<string> {
  const terms = [...contentTerms(text)].filter((term) => !SMALL_WORDS.has(term));
  const telling = terms.filter((term) => !/^\p{Script=Hiragana}+$/u.test(term));
  return new Set(telling.length > 0 ? telling : terms);
}

/** Endings of other languages, and what people shorten: `prod`, `auth`. */
function isForm(term: string, other: string): boolean {
  const [short, long] = term.length < other.length ? [term, other] : [other, term];
  if (short.length < LEAST_FORM || !/^\p{Script=Latin}+$/u.test(short)) return false;
  return long.startsWith(short) || long.startsWith(short.slice(0, LEAST_FORM + 1));
}

function isForeign(quote: string): boolean {
  const languages = languagesOf(quote);
  const unsure = languages.includes('English') || languages.includes('Latin script');
  const isTold = languages.length > 0 && !unsure;
  return isLatin(quote) && (isTold || /(?!\p{ASCII})\p{L}/u.test(quote));
}

const UNPARTED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** As they are compared. None is also a word of the trade. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  termsOf(
    `der die das den dem des ein eine einen einem einer und oder ist sind mit für auf bei aus nach von zu im ich du wir
    mich mir dich dir uns sie er es nicht kein keine bitte immer auch noch nur wie wenn dass
    le la les un une du et ou est sont avec pour sur dans en au aux ce cette je tu nous vous il elle ne pas que qui
    s'il te plaît toujours aussi el los las una unos unas y o es son con para por del al lo yo tú nosotros usted no que
    favor siempre también`,
  ),
);

/** By the larger part of its letters. */
function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 > letters.length;
}

/** Addresses of other computers, without what people leave out when they type them. */
function addressesIn(text: string): readonly string[] {
  return Array.from(fold(withoutWideMarks(text)).matchAll(ADDRESS), ([, run = '']) =>
    (CLEAN.exec(run)?.[0] ?? run).replace(/^www\./, '').replace(/[.,;:!?/_~]+$/, ''),
  ).filter((address) => !/^(?:localhost|127\.0\.0\.1|\[::1\])(?![\w.-])/.test(address));
}

const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s<>"`|]+)/g;
/**
 * A plain host and what follows, up to a bracket, an emphasis or the particle behind it. A host with more letters
 * after such a sign (`known.example*.evil.example`, `known.example'@evil.example`) is not plain: all of it counts.
 */
const CLEAN =
  /^(?:\[[\da-f:.]+\]|[\w.\-]+)(?::\d+)?(?![^\/?#]*[\w@])[^\(\)\[\]\{\}'*\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]*/v;

/** Folding makes ASCII of these marks, which could then be part of an address. A full stop in a host is a dot. */
function withoutWideMarks(text: string): string {
  return text.replaceAll(WIDE_DOT, '.').replaceAll(WIDE_MARK, ' ');
}

const WIDE_DOT = /(?<=:\/\/[^\s/]{0,80}[a-z0-9])[。｡](?=[a-z0-9])/gi;
const WIDE_MARK =
  /：(?![\/／])|[[[\p{P}\p{S}]&&[\u2014-\u2027\u3000-\u303F\uFF00-\uFFEF]]--[．／＠：]]/gv;

/** Lines in code marks that a shell would run, and lines that feed one wherever they stand. */
function commandsIn(text: string): readonly string[] {
  const marked = Array.from(text.matchAll(CODE), ([, , code = '']) => code);
  return [
    ...marked.flatMap((code) => code.split('\n')).filter((line) => isCommand(fold(line))),
    ...text.split('\n').filter((line) => FEEDS_SHELL.test(line)),
  ];
}

/** As Markdown pairs the marks; what is never closed is code to the end. */
const CODE = /(?<!`)(`+|~{3,})(?!`)([^]*?)(?:(?<!`)\1(?!`)|$)/g;
const FEEDS_SHELL = /\|\s*(?:sudo\s+)?(?:ba|z|da|k|fi)?sh\b/i;

function isCommand(code: string): boolean {
  const line = code.replace(/^[`\s]+/, '');
  if (FLAG.test(line) || SCRIPT.test(line)) return true;
  return line.split(/\|\|?|&&|;|\$\(/).some((part) => PROGRAM.test(part));
}

const FLAG = /^\S+(?:\s.*)?\s--?[a-z]/;
const SCRIPT = /^(?:\.{1,2}\/\S|\S+\.(?:sh|bash|zsh|ps1|bat|cmd)(?:\s|$))/;
/** The programs that memories are likely to name, with an argument; a flag gives away any other. */
const PROGRAM =
  /^\s*(?:[$#>%]\s+)?(?:\w+=\S*\s+)*(?:sudo\s+)?(?:curl|wget|(?:ba|z|da|fi)?sh|eval|exec|source|rm|mv|cp|dd|chmod|chown|kill|pkill|scp|ssh|nc|git|gh|docker|podman|kubectl|helm|terraform|make|just|npm|npx|pnpm|yarn|bunx?|deno|node|tsx|pip3?|pipx|uvx?|poetry|python3?|ruby|gem|perl|php|go|cargo|dotnet|mvn|gradlew?|brew|apt(?:-get)?|yum|dnf|powershell|pwsh|iex|iwr)\s+\S/;

/**
 * Whether one message has all its words: people say "test with pnpm" and mean `pnpm test`. What a program is
 * usually told to do need not be said.
 */
function isGiven(command: string, sources: readonly string[]): boolean {
  const wanted = termsOf(command).filter((term) => !USUAL.has(term));
  return sources.some((source) => {
    const terms = new Set(termsOf(source));
    return wanted.every((term) => terms.has(term));
  });
}

function termsOf(text: string): readonly string[] {
  return analyse(fold(text)).map(({ term }) => term);
}

const USUAL: ReadonlySet<string> = new Set(
  termsOf(
    `install ci run test build start dev lint format check add remove update upgrade sync
    git init commit push pull checkout switch rebase merge`,
  ),
);
