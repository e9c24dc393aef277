// Front matter as nearly every memory has it, lines of `key: text`, read without a YAML parser, which takes many
// times as long. Accepts only what YAML 1.2 cannot read in another way; the rest is for frontMatter.ts.

/** Letters, marks, digits, punctuation and symbols of every script, and the plain space. */
const TEXT = String.raw`[\p{L}\p{M}\p{N}\p{P}\p{S} ]`;
const LINE = new RegExp(
  String.raw`([A-Za-z][\w-]{0,99}): +(?:"(${TEXT}*)"|([\p{L}\p{N}]${TEXT}*))\r?\n`,
  'gyu',
);
/** What ends a plain value for YAML, or does not belong to it. */
const ENDS_PLAIN = /:(?: |$)| #| $/;
/** A plain word that is no text for YAML. */
const WORD_WITH_MEANING = /^(?:true|false|null)$/i;

/** The values by key, or undefined when the text must be read by a parser. */
export function readPlainFrontMatter(head: string): Record<string, unknown> | undefined {
  const values = new Map<string, string | boolean>();
  let end = 0;
  for (const [line, key = '', quoted, plain = ''] of head.matchAll(LINE)) {
    const value = quoted === undefined ? plainValue(plain) : quotedValue(quoted);
    if (value === undefined || values.has(key)) return undefined;
    values.set(key, value);
    end += line.length;
  }
  return end === head.length && end > 0 ? Object.fromEntries(values) : undefined;
}

function quotedValue(text: string): string | undefined {
  return /["\\]/.test(text) ? undefined : text;
}

function plainValue(text: string): string | boolean | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  return WORD_WITH_MEANING.test(text) || ENDS_PLAIN.test(text) ? undefined : text;
}
