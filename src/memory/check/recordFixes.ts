// What mends a problem in the text of a memory, as edits that leave all the rest as it was written. Nothing is mended
// unasked: src/vscode offers each as a quick fix.

import path from 'node:path';
import { foldSentence, headline, oneLine, shortened, tidyBody } from '../fieldText.ts';
import { printScalar } from '../frontMatter.ts';
import { MAX_DESCRIPTION, MEMORY_TYPES, slugFor, type MemoryType } from '../record.ts';
import { changesOneValue, changesOnly, readIfPossible, staysReadable } from './harmless.ts';
import { insertedKey, removedKey, replacedValue, type TextEdit } from './keyEdits.ts';
import type { RecordProblem } from './problem.ts';
import type { RecordKey } from './recordKeys.ts';
import { keyPart, partsOf, type RecordParts } from './recordParts.ts';
import { redactions } from './redactions.ts';

export type { TextEdit } from './keyEdits.ts';

export type RecordFix = {
  readonly edits: readonly TextEdit[];
  /** The one that is most likely wanted. */
  readonly preferred?: true;
} & (
  | { readonly kind: 'setType'; readonly type: MemoryType }
  | { readonly kind: 'setKey'; readonly key: RecordKey; readonly value: string }
  | { readonly kind: 'renameKey'; readonly key: RecordKey }
  | { readonly kind: 'removeKey'; readonly key: string }
  | {
      readonly kind:
        | 'moveRest'
        | 'moveUp'
        | 'redact'
        | 'redactAll'
        | 'removeHidden'
        | 'removeAllHidden'
        | 'close';
    }
);

/** Of one problem that was found in this very text. */
export function fixesFor(file: string, text: string, problem: RecordProblem): readonly RecordFix[] {
  return fixesOf(file, text, problem).filter((fix) => isHarmless(text, fix));
}

function fixesOf(file: string, text: string, problem: RecordProblem): readonly RecordFix[] {
  const parts = partsOf(text);
  switch (problem.kind) {
    case 'missing':
      return problem.key === 'type'
        ? typeFixes(text, parts, typeInName(file))
        : missingText(problem.key, { file, text, parts });
    case 'unknownType':
      return typeFixes(text, parts, problem.meant);
    case 'unknownKey':
      return unknownKeyFixes(parts, problem);
    case 'duplicateKey':
      return removal(parts, problem);
    case 'neverExpires':
    case 'expired':
      return removal(parts, { ...problem, key: 'expires' });
    case 'noDate':
      return [
        ...(problem.meant === undefined ? [] : [setKey(text, parts, problem.key, problem.meant)]),
        ...removal(parts, problem),
      ];
    case 'noBoolean':
      return (problem.meant === undefined ? [true, false] : [problem.meant]).map((value) =>
        setKey(text, parts, 'pinned', value),
      );
    case 'tooLong':
      return problem.field === 'description' ? movedRest(text, parts) : [];
    case 'secret':
      return [{ kind: 'redact', edits: redactions(text, parts, [problem]), preferred: true }];
    case 'hidden':
      return [{ kind: 'removeHidden', edits: [removed(problem)], preferred: true }];
    case 'notClosed':
      return [closed(text, parts)];
    case 'otherFile':
      return [setKey(text, parts, 'name', slugFor(path.parse(file).name))];
    case 'noFrontMatter':
      return movedUp(text);
    case 'otherLanguage':
    case 'unreadable':
    case 'emptyBody':
    case 'duplicate':
      return [];
  }
}

/** Of several problems of one kind that are mended alike. */
export function fixesForAll(
  text: string,
  problems: readonly RecordProblem[],
): readonly RecordFix[] {
  const secrets = problems.filter((problem) => problem.kind === 'secret');
  const hidden = problems.filter((problem) => problem.kind === 'hidden');
  const fixes: readonly RecordFix[] = [
    ...(secrets.length > 0
      ? [{ kind: 'redactAll' as const, edits: redactions(text, partsOf(text), secrets) }]
      : []),
    ...(hidden.length > 0
      ? [{ kind: 'removeAllHidden' as const, edits: hidden.map(removed) }]
      : []),
  ];
  return fixes.filter((fix) => isHarmless(text, fix));
}

function isHarmless(text: string, { kind, edits }: RecordFix): boolean {
  switch (kind) {
    case 'setType':
    case 'setKey':
    case 'moveRest':
      return changesOneValue(text, edits);
    case 'removeKey':
      return changesOnly(1, text, edits);
    case 'renameKey':
      return changesOnly(2, text, edits);
    // Those change texts wherever they stand.
    case 'moveUp':
    case 'redact':
    case 'redactAll':
    case 'removeHidden':
    case 'removeAllHidden':
    case 'close':
      return staysReadable(text, edits);
  }
}

/** What a text without front matter is to begin with, up to the type, which only the person knows. */
export function openingFor(file: string, text: string): string {
  const name = slugFor(path.parse(file).name);
  const description = shortened(headline(tidyBody(text)), MAX_DESCRIPTION) || name;
  return `---\nname: ${printScalar(name)}\ndescription: ${printScalar(description)}\ntype: `;
}

/** A type that other agents write at the beginning of the name of the file. */
function typeInName(file: string): MemoryType | undefined {
  const word = /^[a-z]+(?=[_-])/i.exec(file)?.[0]?.toLowerCase();
  return MEMORY_TYPES.find((type) => type === word);
}

/** Blank lines above front matter that is fine but for them. */
function movedUp(text: string): readonly RecordFix[] {
  const end = /^\s+(?=---)/.exec(text)?.[0].length ?? 0;
  if (end === 0 || !readIfPossible(text.slice(end))) return [];
  return [{ kind: 'moveUp', edits: [{ start: 0, end, text: '' }], preferred: true }];
}

function typeFixes(
  text: string,
  parts: RecordParts,
  meant: MemoryType | undefined,
): readonly RecordFix[] {
  const types = MEMORY_TYPES.toSorted((a, b) => Number(b === meant) - Number(a === meant));
  return types.map((type) => ({
    kind: 'setType',
    type,
    edits: valueEdits(text, parts, 'type', type),
    ...(type === meant && { preferred: true }),
  }));
}

function missingText(
  key: 'name' | 'description',
  { file, text, parts }: { file: string; text: string; parts: RecordParts },
): readonly RecordFix[] {
  const body = tidyBody(text.slice(parts.body.start));
  const other = key === 'name' ? slugFor(path.parse(file).name) : headline(body);
  const value = shortened(listed(dataOf(text)[key]) ?? other, MAX_DESCRIPTION);
  return value === '' ? [] : [{ ...setKey(text, parts, key, value), preferred: true }];
}

/** A list that stands where one line is read, as that line; empty for what cannot be one. */
function listed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const lines = Array.isArray(value) ? value.map(oneLine) : [''];
  return lines.includes('') ? '' : lines.join(', ');
}

function setKey(
  text: string,
  parts: RecordParts,
  key: RecordKey,
  value: string | boolean,
): RecordFix {
  // Without quotation marks a day is as much a date, and what a person writes.
  const printed = DATES.has(key) ? String(value) : printScalar(value);
  return {
    kind: 'setKey',
    key,
    value: String(value),
    edits: valueEdits(text, parts, key, printed),
  };
}

const DATES: ReadonlySet<RecordKey> = new Set(['created', 'updated', 'expires']);

function valueEdits(
  text: string,
  parts: RecordParts,
  key: RecordKey,
  printed: string,
): readonly TextEdit[] {
  const part = keyPart(parts, key);
  return [part ? replacedValue(text, part, printed) : insertedKey(text, parts, key, printed)];
}

function unknownKeyFixes(
  parts: RecordParts,
  problem: Extract<RecordProblem, { kind: 'unknownKey' }>,
): readonly RecordFix[] {
  const { meant, start, end } = problem;
  const renamed: readonly RecordFix[] =
    meant === undefined
      ? []
      : [
          {
            kind: 'renameKey',
            key: meant,
            edits: [{ start, end, text: meant }],
            preferred: true,
          },
        ];
  return [...renamed, ...removal(parts, problem)];
}

/** Of the key at the place of the problem, or of the only one with its name. */
function removal(
  parts: RecordParts,
  { key, start }: { readonly key: string; readonly start: number },
): readonly RecordFix[] {
  const part = parts.keys.find(
    ({ key: other, lines }) => other === key && lines.start <= start && start < lines.end,
  );
  return part ? [{ kind: 'removeKey', key, edits: [removedKey(part)] }] : [];
}

/** Where the front matter ends by the look of it: behind the last of its lines. */
function closed(text: string, { head, lineEnd }: RecordParts): RecordFix {
  const gap = text[head.end - 1] === '\n' ? '' : lineEnd;
  const edit = { start: head.end, end: head.end, text: `${gap}---${lineEnd}` };
  return { kind: 'close', edits: [edit], preferred: true };
}

/** The description ends at a sentence where one ends within the limit; what is behind it begins the body. */
function movedRest(text: string, parts: RecordParts): readonly RecordFix[] {
  const part = keyPart(parts, 'description');
  if (!part) return [];
  const line = oneLine(dataOf(text)['description']);
  const kept = sentencesWithin(line, MAX_DESCRIPTION) ?? shortened(line, MAX_DESCRIPTION);
  const isCut = kept.endsWith('…') && !line.startsWith(kept);
  const rest = isCut ? `…${line.slice(kept.length - 1).trim()}` : line.slice(kept.length).trim();
  const isSaid = foldSentence(text.slice(parts.body.start)).includes(foldSentence(line));
  return [
    {
      kind: 'moveRest',
      edits: [
        replacedValue(text, part, printScalar(kept)),
        ...(isSaid ? [] : [atTheTopOfTheBody(text, parts, rest)]),
      ],
      preferred: true,
    },
  ];
}

function atTheTopOfTheBody(
  text: string,
  { body, lineEnd }: RecordParts,
  paragraph: string,
): TextEdit {
  const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(body.start))?.[0].length ?? 0;
  const start = body.start + blank;
  const before = text[start - 1] === '\n' ? (blank > 0 ? '' : lineEnd) : lineEnd + lineEnd;
  const after = text.slice(start).trim() === '' ? lineEnd : lineEnd + lineEnd;
  return { start, end: start, text: before + paragraph + after };
}

/** Characters. A shorter beginning would say too little to find the memory by. */
const SHORTEST_KEPT = 40;

function sentencesWithin(line: string, limit: number): string | undefined {
  const start = Array.from(line).slice(0, limit).join('');
  const end = [...start.matchAll(/[.!?](?=\s)|[。！？；]|;(?=\s)/gu)].at(-1);
  return end && end.index >= SHORTEST_KEPT ? start.slice(0, end.index + 1) : undefined;
}

function dataOf(text: string): Readonly<Record<string, unknown>> {
  return readIfPossible(text)?.data ?? {};
}

function removed({ start, end }: RecordProblem): TextEdit {
  return { start, end, text: '' };
}
