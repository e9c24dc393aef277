// Cuts a text into what is said in it, one by one.

/** Lines and sentences, each with its mark, which may be a question mark. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(SENTENCE_END);
}

/** What can be true by itself: the half of a sentence before a semicolon too. `e.g.` ends none. */
export function statementsIn(text: string): readonly string[] {
  return text.split(STATEMENT_END);
}

const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n/u;
const STATEMENT_END = /(?<=[.!?;])(?<!\b(?:e\.g|i\.e|etc)\.)\s+|[。！？；\n]+/u;
