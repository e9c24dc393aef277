// Sentences for people that the core makes. What stands in one is kept apart from its words, so that src/vscode can say
// the same in the language of the editor; the log and the model get the English. What only they read is a plain text:
// the results and failures of tools, why an answer is sent back to a model, what is left alone without a word.

import { errorText } from './log.ts';

/** Text and figures stand as they are; a sentence within a sentence is translated too. */
type SentenceValue = Said | number;

export class Sentence {
  /** The words, with `{0}`, `{1}` … in the places of the values. It is the key of the translation. */
  readonly template: string;
  readonly values: readonly SentenceValue[];

  constructor(template: string, values: readonly SentenceValue[]) {
    this.template = template;
    this.values = values;
  }

  toString(): string {
    return this.template.replace(/\{(\d+)\}/g, (place, index) =>
      String(this.values[Number(index)] ?? place),
    );
  }
}

/** What a person is told: a sentence of ours, or words from outside. */
export type Said = Sentence | string;

/** Tag of a template: `` sentence`${file} is gone by now.` ``. A test reads the words of all of them in the sources. */
export function sentence(
  words: TemplateStringsArray,
  ...values: readonly SentenceValue[]
): Sentence {
  const [first = '', ...rest] = words;
  return new Sentence(
    rest.reduce((text, next, i) => `${text}{${i}}${next}`, first),
    values,
  );
}

/** An error whose message a person reads. */
export class SentenceError extends Error {
  readonly sentence: Said;

  constructor(said: Said, options?: ErrorOptions) {
    super(String(said), options);
    this.sentence = said;
  }
}

/** What a caught value of any kind says, with what its cause says when there is one: `errorText` for people. */
export function sentenceOf(error: unknown): Said {
  const said = ownSentence(error);
  if (!(error instanceof Error && error.cause instanceof Error)) return said;
  const cause = ownSentence(error.cause);
  return String(said).includes(String(cause)) ? said : sentence`${said} (${cause})`;
}

/** Several, one behind the other. Empty for none. */
export function joinedSentences(said: readonly Said[]): Said {
  const [first = '', ...rest] = said;
  return rest.reduce<Said>((all, next) => sentence`${all} ${next}`, first);
}

/** Throws what failed, if anything did: one as it is, several as one that says it all, each once. */
export function throwAny(failures: readonly unknown[]): void {
  const said = failures.map((error) => String(sentenceOf(error)));
  const different = failures.filter((_, index) => said.indexOf(said[index] ?? '') === index);
  if (different.length === 1) throw different[0];
  if (different.length > 1) throw new SentenceError(joinedSentences(different.map(sentenceOf)));
}

function ownSentence(error: unknown): Said {
  if (error instanceof SentenceError) return error.sentence;
  return error instanceof Error ? error.message : errorText(error);
}
