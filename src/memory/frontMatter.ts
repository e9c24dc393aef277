// Markdown with YAML front matter, read strictly and edited without loss: what is not changed stays as it was
// written, comments, order and line ends included. Reading never runs code from a file.

import { isDeepStrictEqual } from 'node:util';
import matter from 'gray-matter';
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  Parser,
  stringify,
  type Document,
  type Tags,
} from 'yaml';
import { errorText } from '../base/log.ts';
import { sentence, SentenceError } from '../base/sentence.ts';
import { replaceBody } from './bodyEdit.ts';
import { isoDate } from './fieldText.ts';
import { readPlainFrontMatter } from './plainFrontMatter.ts';

interface MarkdownFile {
  readonly data: Readonly<Record<string, unknown>>;
  /** What stands behind the front matter. */
  readonly rest: string;
  /** The text up to `rest`: the opening line, the YAML and the closing line. */
  readonly open: string;
  readonly head: string;
  readonly close: string;
  readonly lineEnd: string;
}

/** A file that is not a readable memory, or values no memory may have. The message is one sentence. */
export class RecordError extends SentenceError {
  override readonly name = 'RecordError';
}

/** Characters. Far above any real front matter; keeps hostile text away from the parsers' slow paths. */
const MAX_FRONT_MATTER = 10_000;
/** Levels. Nobody writes so many by hand, and the parser, which calls itself for each, is still quick. */
const MAX_DEPTH = 100;
/** Enough for honest anchors, far from an expansion that fills the computer's memory. */
const MAX_ALIASES = 50;

/** Always passed: without options gray-matter shares results between calls, and it evaluates `---js`. */
const MATTER_OPTIONS = {
  language: 'yaml',
  engines: {
    yaml: readMapping,
    ...Object.fromEntries(
      ['javascript', 'js', 'json', 'coffee', 'coffeescript', 'cson', 'toml'].map((language) => [
        language,
        () => refuseLanguage(language),
      ]),
    ),
  },
};

/** Throws only RecordError. */
export function readMarkdown(text: string): MarkdownFile {
  const parts = split(text);
  return { ...parts, data: readPlainFrontMatter(parts.head) ?? readData(parts.head) };
}

/** The text with these keys set, and with another body where one is given. Throws RecordError. */
export function editMarkdown(
  file: MarkdownFile,
  edits: Readonly<Record<string, string | boolean>>,
  body?: string,
): string {
  const { open, close, lineEnd, rest } = file;
  const head = editHead(file, edits);
  checkLength(head);
  if (body === undefined) return open + head + close + rest;
  const fence = close.endsWith('\n') ? close : close + lineEnd;
  return open + head + fence + replaceBody(rest, body, lineEnd);
}

/**
 * The front matter with other texts under `key`, where `change` gives one for a text that stands there or in a list
 * there, and how many they are. Throws RecordError.
 */
export function editTexts(
  { head, data }: MarkdownFile,
  key: string,
  change: (text: string) => string | undefined,
): { readonly text: string; readonly count: number } {
  const value = data[key];
  const changed = (each: unknown) => (typeof each === 'string' ? change(each) : undefined) ?? each;
  const meant = Array.isArray(value) ? value.map(changed) : changed(value);
  if (isDeepStrictEqual(meant, value)) return { text: head, count: 0 };
  const { contents } = readDocument(head);
  const node = isMap(contents) ? contents.get(key, true) : undefined;
  const nodes: readonly unknown[] = isSeq(node) ? node.items : [node];
  let text = head;
  let count = 0;
  for (const each of nodes.toReversed()) {
    const now = isScalar(each) && typeof each.value === 'string' ? change(each.value) : undefined;
    if (now === undefined || !isScalar(each) || !each.range) continue;
    const [start, end] = each.range;
    text = text.slice(0, start) + printScalar(now) + text.slice(end);
    count += 1;
  }
  if (isDeepStrictEqual(readData(text), { ...data, [key]: meant })) return { text, count };
  throw new RecordError(sentence`The front matter has a style that only a person can edit.`);
}

/** A value as YAML, quoted where a reader of any YAML version would take the text for something else. */
export function printScalar(value: string | boolean): string {
  if (typeof value === 'string' && isoDate(value) === value) return value;
  return stringify(value, { schema: 'core', compat: 'yaml-1.1', lineWidth: 0 }).trimEnd();
}

/** The parts of a file, which joined give the text again. Only a whole line of `---` is a fence. */
function split(text: string) {
  const opening = /^\uFEFF?---([^\r\n]*)(\r?\n)/.exec(text);
  const label = opening?.[1]?.trim() ?? '';
  if (!opening || label.startsWith('-'))
    throw new RecordError(sentence`The file has no front matter.`);
  if (label !== '' && !/^ya?ml$/i.test(label)) refuseLanguage(label);
  const [open] = opening;
  const inner = text.slice(open.length);
  const closing = /(^|\n)---([^\n]*)(?:\n|$)/.exec(inner);
  if (!closing) throw new RecordError(sentence`The front matter is not closed by a line of ---.`);
  if (closing[2]?.trim() !== '')
    throw new RecordError(
      sentence`A line of the front matter starts with ---, which only closes it.`,
    );
  const headEnd = closing.index + (closing[1] ?? '').length;
  const closeEnd = closing.index + closing[0].length;
  checkLength(inner.slice(0, headEnd));
  return {
    open,
    head: inner.slice(0, headEnd),
    close: inner.slice(headEnd, closeEnd),
    rest: inner.slice(closeEnd),
    lineEnd: opening[2] ?? '\n',
  };
}

function checkLength(head: string): void {
  if (head.length > MAX_FRONT_MATTER)
    throw new RecordError(sentence`The front matter has more than ${MAX_FRONT_MATTER} characters.`);
}

function refuseLanguage(language: string): never {
  throw new RecordError(
    sentence`The front matter is written in "${language.slice(0, 20)}", and only YAML is read.`,
  );
}

function readData(head: string): Record<string, unknown> {
  try {
    return matter(`---\n${head}\n---\n`, MATTER_OPTIONS).data;
  } catch (error) {
    if (error instanceof RecordError) throw error;
    // Aliases can be nested so that the stack ends.
    const reason =
      error instanceof RangeError
        ? sentence`it is nested too deeply.`
        : withoutExcerpt(errorText(error));
    throw new RecordError(sentence`The front matter cannot be read: ${reason}`);
  }
}

/** The YAML engine of gray-matter. */
function readMapping(source: string): object {
  const data: unknown = readDocument(source).toJS({ maxAliasCount: MAX_ALIASES });
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  throw new RecordError(sentence`The front matter is not made of \`key: value\` lines.`);
}

/** YAML 1.2 core: dates stay the text they are, and no tag can make anything but plain values. */
function readDocument(source: string): Document {
  checkDepth(source);
  const document = parseDocument(source, {
    schema: 'core',
    customTags: keepNumbersAsText,
    resolveKnownTags: false,
    uniqueKeys: true,
    stringKeys: true,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (!problem) return document;
  throw new RecordError(
    sentence`The front matter is not valid YAML: ${withoutExcerpt(problem.message)}.`,
  );
}

/** What the parser says, less what it cites: a log is no place for the lines of a file. Its cause would cite too. */
function withoutExcerpt(message: string): string {
  const [line = ''] = message.split('\n', 1);
  return line
    .replace(/:$/, '')
    .replace(/: .*?(?=$| at line \d+, column \d+$)/, '')
    .replaceAll(/[!%]\S+/g, '…');
}

function checkDepth(source: string): void {
  const openers = source.match(/[[{]|[-?:]\s/g);
  if (!openers || openers.length <= MAX_DEPTH) return;
  const parser = new Parser();
  for (const token of new Lexer().lex(source)) {
    // The parser is a generator, and moves on as it is read.
    Array.from(parser.next(token));
    if (parser.stack.length > MAX_DEPTH)
      throw new RecordError(
        sentence`The front matter is nested more than ${MAX_DEPTH} levels deep.`,
      );
  }
}

/** A name such as 1.10 or 007 must not become another one. */
function keepNumbersAsText(tags: Tags): Tags {
  return tags.map((tag) =>
    typeof tag === 'object' && /:(?:int|float)$/.test(tag.tag) ? { ...tag, default: false } : tag,
  );
}

/**
 * The edit works on lines. Reading it back proves that YAML understands it as meant, whatever the style, and that
 * no comment went with a value.
 */
function editHead(
  { head, data, lineEnd }: MarkdownFile,
  edits: Readonly<Record<string, string | boolean>>,
): string {
  let cause: unknown;
  try {
    const edited = Object.entries(edits).reduce(
      (text, [key, value]) => setKey(text, key, printScalar(value), lineEnd),
      head,
    );
    const isMeant = isDeepStrictEqual(readData(edited), { ...data, ...edits });
    if (isMeant && isDeepStrictEqual(commentsIn(edited), commentsIn(head))) return edited;
  } catch (error) {
    cause = error;
  }
  throw new RecordError(sentence`The front matter has a style that only a person can edit.`, {
    cause,
  });
}

/** Replaces the value of a key where it stands, or adds a line at the end. */
function setKey(head: string, key: string, printed: string, lineEnd: string): string {
  const { contents } = readDocument(head);
  const items = isMap(contents) ? contents.items : [];
  const pair = items.find(({ key: node }) => isScalar(node) && node.value === key);
  if (!pair) return `${head}${indentOf(head)}${key}: ${printed}${lineEnd}`;
  if (!isNode(pair.value) || !pair.value.range)
    throw new RecordError(sentence`There is no place for the value of ${key}.`);
  const [start, end] = pair.value.range;
  const old = head.slice(start, end).replace(/[ \t\r\n]+$/, '');
  const after = head.slice(start + old.length);
  const gap = /\s/.test(head.charAt(start - 1)) ? '' : ' ';
  const comment = /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(old)?.[1] ?? '';
  return (
    head.slice(0, start) + gap + printed + comment + (after.startsWith('#') ? ' ' : '') + after
  );
}

/** Of the lines that hold the keys. */
function indentOf(head: string): string {
  return /^( *)[^\s#]/m.exec(head)?.[1] ?? '';
}

/** In the order of the text. */
export function commentsIn(head: string): readonly string[] {
  return [...new Lexer().lex(head)].filter((token) => token.startsWith('#'));
}
