// Why a summary is not to be trusted with the place of the history. Each check asks whether the model did the
// work at all; none can tell whether what it says is true.

import { languagesOf, shareLanguage, type Language } from '../base/language.ts';
import { sentence, type Sentence } from '../base/sentence.ts';
import { languageNames } from './languageNames.ts';
import type { Summary } from './summaryBlock.ts';

interface SummaryGrounds {
  readonly summary: Summary;
  /** What the person wrote, newest first. */
  readonly said: readonly string[];
  /** What the model was told to do. */
  readonly instructions: string;
}

/** A refusal is a sentence or two. */
const REFUSAL_CHARS = 400;
/** The goal and one more, in which some models repeat it. */
const REFUSAL_ITEMS = 2;
/** Shorter ones are in any text by chance. */
const REPEATED_CHARS = 30;
const REPEATED_SHARE = 0.5;
/** So much tells in which language the person writes now. */
const SAID_CHARS = 2_000;
const SAID_MESSAGES = 20;
/** Of the person's messages: a language of fewer may be that of something pasted. */
const LANGUAGE_SHARE = 0.2;

/** What is wrong with the summary in one sentence, or undefined. */
export function summaryProblem(grounds: SummaryGrounds): Sentence | undefined {
  for (const check of CHECKS) {
    const problem = check(grounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A summary must free room, or it replaces the history for nothing. Both in estimated tokens. */
export function sizeProblem(size: number, replaced: number): Sentence | undefined {
  if (size < replaced) return undefined;
  return sentence`The summary is not shorter than what it replaces: ${size} tokens against ${replaced}.`;
}

const CHECKS: readonly ((grounds: SummaryGrounds) => Sentence | undefined)[] = [
  emptiness,
  placeholders,
  refusal,
  repetition,
  otherLanguage,
];

function emptiness({ summary }: SummaryGrounds): Sentence | undefined {
  return items(summary).length === 0 ? sentence`The summary is empty.` : undefined;
}

function placeholders({ summary }: SummaryGrounds): Sentence | undefined {
  const isBlank = items(summary).every((item) => PLACEHOLDER.test(item));
  return isBlank ? sentence`The summary holds only placeholders.` : undefined;
}

/** Nothing but marks, a word in brackets, or a word that says that nothing is there. */
const PLACEHOLDER =
  /^(?:[\p{P}\p{S}\s]+|[<[{(][^<>[\]{}()]*[>\]})]|(?:n\/?a|none|nothing|null|undefined|unknown|todo|tbd|string|text|goal|path|note|empty|not (?:specified|provided|available|applicable)|keine?|nichts|unbekannt|aucune?|rien|ningun[oa]|nada|nenhuma?|nessun[oa]|无|無|没有|なし|없음|нет)\.?)$/iu;

function refusal({ summary }: SummaryGrounds): Sentence | undefined {
  const said = items(summary);
  const isShort = said.length <= REFUSAL_ITEMS && said.join('').length <= REFUSAL_CHARS;
  const refused = isShort && said.some((item) => REFUSAL.test(item.replaceAll('’', "'")));
  return refused ? sentence`The summary is a refusal.` : undefined;
}

/** How models refuse: an apology in front, or that they cannot help, in the languages that they are asked in most. */
const REFUSAL = new RegExp(
  [
    "^\\W*(?:i'm |i am |we're )?(?:so |very )?sorry\\b",
    "\\b(?:i|we)(?: am|'m)? (?:can't|cannot|can not|won't|will not|unable to|not able to) (?:help|assist|do (?:that|this)|comply|continue|fulfil|provide|summari[sz]e|process|answer)",
    '\\bas an ai\\b',
    '^\\P{L}*(?:es )?tut mir leid',
    '\\bkann (?:ich )?(?:dir |ihnen |euch )?(?:dabei|damit|hierbei|das|dies) (?:leider )?nicht',
    '\\bkann ich (?:dir |ihnen |euch )?(?:leider )?nicht (?:helfen|antworten|zusammenfassen)',
    '^\\P{L}*(?:je suis )?désolée?',
    '\\bje ne peux pas (?:vous |t)?(?:aider|faire|répondre|résumer|continuer)',
    '^\\P{L}*(?:lo siento|disculp)',
    '\\bno puedo (?:ayudar|hacer (?:eso|esto)|responder|resumir|continuar)',
    '^\\P{L}*(?:sinto muito|desculp|lamento)',
    '\\bnão posso (?:ajudar|fazer isso|responder|resumir|continuar)',
    '^\\P{L}*mi dispiace',
    '\\bnon posso (?:aiutar|farlo|rispondere|riassumere|continuare)',
    '^\\P{L}*(?:很|非常)?(?:抱歉|对不起|對不起)',
    '(?:我)?(?:无法|無法|不能)(?:为您|帮助|幫助|协助|協助|提供|回答|满足|完成(?:这|此|該)|处理(?:这|此))',
    '^\\P{L}*(?:大変)?(?:申し訳|すみません|ごめんなさい)',
    '(?:お手伝い|お応え|お答え|対応|要約)(?:は|が)?(?:いた)?(?:でき(?:ません|ない)|しかねます)',
    '^\\P{L}*(?:죄송|미안)',
    '(?:도와드릴|도울|답변할|응할|요약할) 수 없',
    '^\\P{L}*(?:извините|простите|к сожалению|прошу прощения)',
    '(?:не могу|не смогу) (?:вам |тебе |с этим )?(?:помочь|ответить|выполнить|сделать это|продолжить)',
  ].join('|'),
  'iu',
);

function repetition({ summary, instructions }: SummaryGrounds): Sentence | undefined {
  const told = folded(instructions);
  const said = items(summary).map(folded);
  const repeated = said.filter((item) => item.length >= REPEATED_CHARS && told.includes(item));
  const isRepeated = lengthOf(repeated) >= lengthOf(said) * REPEATED_SHARE;
  return isRepeated ? sentence`The summary repeats its instructions.` : undefined;
}

/** Quotations of the person, names and facts stay in their language, so they do not count. */
function otherLanguage({ summary, said }: SummaryGrounds): Sentence | undefined {
  const { goal, decisions, done, remaining } = summary;
  const written = languagesOf([goal, ...decisions, ...done, ...remaining].join('\n'));
  const wanted = languagesOfPerson(said);
  if (shareLanguage(written, wanted)) return undefined;
  return sentence`The summary is in another language: ${languageNames(written)} in place of ${languageNames(wanted)}.`;
}

/** By message, so that one long pasted log does not outweigh the person's own words. */
function languagesOfPerson(said: readonly string[]): readonly Language[] {
  const newest = said.slice(0, SAID_MESSAGES).map((text) => text.slice(0, SAID_CHARS));
  const told = newest.map(languagesOf).filter((languages) => languages.length > 0);
  if (told.length === 0) return languagesOf(newest.join('\n'));
  const often = [...new Set(told.flat())].filter((language) => {
    const messages = told.filter((languages) => languages.includes(language)).length;
    return messages >= told.length * LANGUAGE_SHARE;
  });
  // A message of names and commands is nobody's language where another one tells it.
  const known = often.filter((language) => language !== 'Latin script');
  return known.length > 0 ? known : often;
}

function items(summary: Summary): readonly string[] {
  const { goal, decisions, files, done, remaining, constraints, facts } = summary;
  const named = files.flatMap(({ path, note }) => [path, note]);
  return [goal, ...decisions, ...named, ...done, ...remaining, ...constraints, ...facts]
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim();
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((total, { length }) => total + length, 0);
}
