// What an update would take from a record beside what it corrects. Each statement of the new text stands for the one
// of the record that is most like it; of what is left over, nobody spoke. It knows words, not meanings.

import { exactFactsIn } from '../facts/exactFacts.ts';
import { lostStatements } from '../facts/facts.ts';
import { statementsIn } from '../words/sentences.ts';
import { contentTerms } from '../words/sharedWords.ts';
import { tellingWords } from '../words/tellingWords.ts';
import { mayTranslate, shareTopic, type Topic } from './quoteTopic.ts';

interface Text {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** A topic, and what is said of it. */
const LEAST_WORDS = 2;

/** Whether the record says something that stands neither in the new text nor is what that corrects. */
export function dropsStatements(record: Text, update: Text, quote: string): boolean {
  const statements = statementsOf(record.body);
  // The only one cannot stand beside its correction.
  if (statements.length < 2) return false;
  const lost = statements.filter(
    (statement) => lostStatements([statement], textOf(update)).length > 0,
  );
  if (lost.length === 0) return false;
  const spoken = [update.description, update.body, quote].flatMap(statementsOf);
  const corrected = new Set(spoken.flatMap((each) => mostLike(each, statements)));
  return lost.some((statement) => !corrected.has(statement));
}

/** What a record is about, beside an update of it. Of one word alone, that may be what is corrected. */
export function topicOfUpdate(record: Text, update: Text, quote: string): Topic {
  const before = textOf(record);
  const after = `${textOf(update)}\n${quote}`;
  if (shareTopic(before, after) || contentTerms(before).size < LEAST_WORDS) return 'same';
  return mayTranslate(before, after) || mayTranslate(after, before) ? 'unknown' : 'other';
}

function textOf({ name, description, body }: Text): string {
  return `${name}\n${description}\n${body}`;
}

/** Sentences, items of a list and lines, each with its reasons, which fall with it. */
function statementsOf(text: string): readonly string[] {
  const statements: string[] = [];
  const plain = text.normalize('NFKC').replaceAll(HEADING, '').replaceAll(LIST_MARK, '');
  const parts = statementsIn(plain).map((part) => part.trim());
  for (const part of parts) {
    const [first = '', ...rest] = part.split(CLAUSE_END);
    for (const [at, clause] of [first, ...rest].entries()) {
      if (!/[\p{L}\p{N}]/u.test(clause)) continue;
      const goesOn = REASON.test(clause) || (at > 0 && !standsAlone(clause));
      const last = statements.length - 1;
      if (goesOn && last >= 0) statements[last] += `, ${clause}`;
      else statements.push(clause);
    }
  }
  return statements;
}

/** Of the clauses in a sentence, those that hold a name or a number and say of what. */
function standsAlone(clause: string): boolean {
  const { found, names } = exactFactsIn(clause);
  return (
    found.length + names.length > 0 &&
    tellingWords(clause).some(({ text }) => !/^\p{N}/u.test(text))
  );
}

/** Several when they are so alike. */
function mostLike(text: string, statements: readonly string[]): readonly string[] {
  const terms = contentTerms(text);
  const scores = statements.map((statement) => likeness(terms, contentTerms(statement)));
  const best = Math.max(...scores);
  return best > 0 ? statements.filter((_, at) => scores[at] === best) : [];
}

/** The part of all their words that is in both. */
function likeness(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...some].filter((term) => others.has(term)).length;
  return shared === 0 ? 0 : shared / (some.size + others.size - shared);
}

const HEADING = /^#+[^\S\n].*$/gmu;
const LIST_MARK = /^[^\S\n]*(?:\p{N}+[.)]|[-*+>]+)\s+/gmu;
const CLAUSE_END = /(?<=,)\s+|[，、]/u;
const REASON =
  /^[\s*_]*(?:why|because|reason|since|so that|as (?:it|they|the)|due to|warum|weil|grund|denn|pourquoi|parce que|raison|car|por qué|porque|motivo|因为|因為|原因|理由|なぜ|이유|왜)(?![\p{Script=Latin}])/iu;
