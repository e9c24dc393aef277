// Whether a quote was cut out of a sentence that says the opposite: "delete the database" out of "never delete the
// database". It knows words, not grammar, so it only looks at what stands beside the quote in the same clause.

import { foldSentence } from '../fieldText.ts';
import { holdsNegation } from '../words/negation.ts';

/** Whether wherever the quote stands in the messages, a negation beside it was left out. */
export function isDenied(quote: string, messages: readonly string[]): boolean {
  const [head = '', ...more] = clausesOf(quote);
  if (head === '') return false;
  const clauses = messages
    .flatMap(clausesOf)
    .filter((clause) => (more.length > 0 ? clause.endsWith(head) : clause.includes(head)));
  return clauses.length > 0 && clauses.every((clause) => isDeniedIn(clause, head));
}

function isDeniedIn(clause: string, quote: string): boolean {
  const at = clause.indexOf(quote);
  const after = clause.slice(at + quote.length);
  return (
    holdsNegation(clause.slice(0, at)) ||
    NICHT.test(after) ||
    (VERB_LAST.test(clause) && holdsNegation(after))
  );
}

function clausesOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .split(BORDER)
    .map(foldSentence)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** German and the languages that end with the verb deny behind it. */
const NICHT = /^ (?:(?:bitte|mehr|mal) )*nicht(?![\p{L}])/u;
const VERB_LAST = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** What a negation does not reach beyond: marks, and words that begin something else. */
const WORDS = `but|because|since|so|if|when|while|instead|and (?=(?:we|i|you|it|they|always|use|our|the)\\b)|sondern|aber|weil|denn|sino|pero|porque|mais|car|parce que`;
const DENSE_WORDS = `而是|而|但是?|因为|因為|所以|以后|以後|了|ではなく|じゃなくて|けど|ので|から|말고|아니라|대신|지만|니까|때문에`;
const BORDER = new RegExp(
  String.raw`[\n,;:!?()\[\]{}"“”«»「」、。…—–]+|\.(?=\s|$)|\s-\s|(?<![\p{L}\p{N}])(?:${WORDS})(?![\p{L}\p{N}])|${DENSE_WORDS}`,
  'iu',
);
