// The front matter of files that other tools wrote. It is read as strictly as our own first; where it is no YAML,
// as `globs: *.ts` is not, the plain `key: value` lines are taken. Nothing in it is ever evaluated.

import { readMarkdown, RecordError } from '../frontMatter.ts';

interface Imported {
  readonly data: Readonly<Record<string, unknown>>;
  /** What stands behind the front matter; the whole text where there is none. */
  readonly rest: string;
}

/** Throws RecordError where the front matter names a language that is not YAML. */
export function readImported(text: string): Imported {
  if (!/^\uFEFF?---(?!-)/.test(text)) return { data: {}, rest: withoutMark(text) };
  if (CODE.test(text)) return readMarkdown(text);
  try {
    const { data, rest } = readMarkdown(text);
    return { data, rest };
  } catch (error) {
    if (error instanceof RecordError) return plainLines(text);
    throw error;
  }
}

/** A language behind the dashes, for which reading fails with the sentence that says so. */
const CODE = /^\uFEFF?---[ \t]*(?!ya?ml[ \t]*\r?\n)[^\s-]/i;

/** The lines of the keys that import knows. Where there is none, or no end, it was no front matter but text. */
function plainLines(text: string): Imported {
  const found = /^\uFEFF?---[^\n]*\n(?<head>(?:[^]*?\n)?)---[ \t]*\r?(?:\n(?<rest>[^]*))?$/.exec(
    text,
  );
  const { head = '', rest = '' } = found?.groups ?? {};
  const data: Record<string, unknown> = {};
  for (const [, key = '', value = ''] of head.matchAll(KNOWN_LINE))
    data[key] ??= value.trim().replace(/^(?<quote>["'])(?<text>.*)\k<quote>$/, '$<text>');
  return Object.keys(data).length > 0 ? { data, rest } : { data, rest: withoutMark(text) };
}

const KNOWN_LINE = /^[ \t]*(name|description|type|applyTo|globs|paths)[ \t]*:[ \t]*([^\r\n]*)/gm;

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
