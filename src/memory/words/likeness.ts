// Whether two memories say the same, by their words alone. In doubt they do not: saying a thing twice is mended
// later, a thing that was dropped is gone.

import { fold, foldSentence } from '../fieldText.ts';
import { slugFor, type MemoryType } from '../record.ts';
import { sentencesOf } from './sentences.ts';
import { contentTerms, isCoveredBy } from './sharedWords.ts';

interface Said {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

interface Typed extends Said {
  readonly type: MemoryType;
}

/** Whether a memory says nothing that the other does not: the same text, or sentences of it under the same head. */
export function repeats(memory: Said, other: Said): boolean {
  if (foldedOf(memory).body === foldedOf(other).body) return true;
  if (!isHeadedAs(memory, other)) return false;
  const known = new Set(foldedSentences(`${other.description}\n${other.body}`));
  return foldedSentences(memory.body).every((sentence) => known.has(sentence));
}

/** Whether an update of the record to these fields would change nothing. */
export function says(record: Typed, fields: Typed): boolean {
  return (
    record.type === fields.type &&
    foldSentence(record.description) === foldSentence(fields.description) &&
    foldSentence(record.body) === foldSentence(fields.body)
  );
}

/** Whether two memories differ in nothing but case, punctuation and spaces. */
export function hasSameWords(memory: Said, other: Said): boolean {
  return bare(memory.body) === bare(other.body);
}

/** Whether a memory tells next to nothing new under the same head: too little doubt for what nobody asked for. */
export function nearlyRepeats(memory: Said, other: Said): boolean {
  return (
    bare(memory.description) === bare(other.description) && isCoveredBy(memory.body, other.body)
  );
}

/**
 * Whether a memory can take the place of another under the same head: every word of that stands in it but for
 * figures, which change, and small words, by which a rule is turned round.
 */
export function rewords(memory: Said, other: Said): boolean {
  if (!isHeadedAs(memory, other)) return false;
  const terms = contentTerms(`${memory.description}\n${memory.body}`);
  const wanted = [...contentTerms(other.body)].filter((term) => !/^\p{N}+$/u.test(term));
  return wanted.every((term) => terms.has(term));
}

/** Signs that make another thing of a word, as in `C#`, `!=` and `-v`, are no punctuation here. */
function bare(text: string): string {
  return fold(text).replaceAll(
    /[\s.,;:'"`()[\]{}…·—–‘’“”、。「」『』]|[!?](?![=\w])|(?<=\w)-(?=\w)|(?<=\s)-(?=\s)/gu,
    '',
  );
}

function isHeadedAs(memory: Said, other: Said): boolean {
  const head = foldedOf(memory);
  const otherHead = foldedOf(other);
  return head.name === otherHead.name || head.description === otherHead.description;
}

/** A record is compared with everything that is said later, and never changes. */
function foldedOf(memory: Said): Said {
  const known = FOLDED.get(memory);
  if (known) return known;
  const folded = {
    name: slugFor(memory.name),
    description: foldSentence(memory.description),
    body: foldSentence(memory.body),
  };
  FOLDED.set(memory, folded);
  return folded;
}

const FOLDED = new WeakMap<Said, Said>();

function foldedSentences(text: string): readonly string[] {
  return sentencesOf(text)
    .map((sentence) => foldSentence(sentence.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')))
    .filter((sentence) => sentence !== '');
}
