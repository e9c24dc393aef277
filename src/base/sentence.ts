// Sentences for people that the core makes. What stands in one is kept apart from its words, so that src/vscode can say
// the same in the language of the editor; the log and the model get the English.

/** Text and figures stand as they are; a sentence within a sentence is translated too. */
export type SentenceValue = string | number | Sentence;

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
  readonly sentence: Sentence;

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(String(sentence), options);
    this.sentence = sentence;
  }
}
