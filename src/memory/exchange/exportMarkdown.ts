// All memories in one Markdown file that a person can read and edit and that import reads back. Each body is a
// quotation, so that no heading, fence or comment in it can end its record or hide the next.

import { isoDeadline, oneLine } from '../fieldText.ts';
import { IMPORT_SOURCE, type ImportCandidate } from './importCandidate.ts';
import { typeNamed } from './importType.ts';
import { MEMORY_TYPES, type MemoryRecord, type MemoryType } from '../record.ts';

const TITLE = '# Exported Memories';
/** Tells import what this is. The number rises when an older version could no longer read it. */
const MARK = '<!-- memory-agent export 1 -->';

/** The fields that stand as a list between a record's name and its body, in this order. */
const FIELDS = [
  'description',
  'pinned',
  'created',
  'updated',
  'expires',
  'source',
] as const satisfies readonly (keyof MemoryRecord)[];

export function printExport(records: readonly MemoryRecord[]): string {
  const groups = MEMORY_TYPES.flatMap((type) => {
    const ofType = records.filter((record) => record.type === type);
    return ofType.length > 0 ? [`## ${type}`, ...ofType.map(printed)] : [];
  });
  return [TITLE, MARK, ...groups].join('\n\n') + '\n';
}

/** Whether a text is one that `printExport` wrote, perhaps edited since. */
export function isExport(text: string): boolean {
  return text.slice(0, HEAD_CHARS).split(/\r?\n/).includes(MARK);
}

/** The mark stands near the top; a text that only tells of it further down is none. */
const HEAD_CHARS = 200;

/** The memories of a text that `printExport` wrote. What a person added below one belongs to its body. */
export function readExport(text: string, path: string): readonly ImportCandidate[] {
  const drafts: Draft[] = [];
  let type: MemoryType | undefined;
  for (const line of linesOf(text)) {
    const [, marks, title = ''] = /^(##|###) (.*)$/.exec(line) ?? [];
    if (marks === '##') type = typeNamed(title);
    if (marks === '###') drafts.push({ name: unescaped(title), type, fields: {}, body: [] });
    if (marks === undefined) addLine(drafts.at(-1), line);
  }
  return drafts.map((draft) => candidateOf(draft, path));
}

/** Without their ends. Only where all end as on Windows is that no part of the lines. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const ends = lines.slice(0, -1);
  return ends.every((line) => line.endsWith('\r'))
    ? [...ends.map((line) => line.slice(0, -1)), ...lines.slice(-1)]
    : lines;
}

function addLine(draft: Draft | undefined, line: string): void {
  const [, key, value = ''] = /^- (\w+): (.*)$/.exec(line) ?? [];
  const begun = draft?.body.length !== 0;
  if (key !== undefined && !begun && FIELDS.some((field) => field === key))
    draft.fields[key] = unescaped(value);
  else if (begun || line !== '') draft?.body.push(line.replace(/^> ?/, ''));
}

interface Draft {
  readonly name: string;
  readonly type: MemoryType | undefined;
  readonly fields: Record<string, string>;
  readonly body: string[];
}

function candidateOf({ name, type = 'project', fields, body }: Draft, path: string) {
  const expires = isoDeadline(fields['expires']);
  const text = body.join('\n').trimEnd();
  const description = oneLine(fields['description']) || name;
  return {
    record: {
      name,
      description,
      type,
      body: text,
      source: IMPORT_SOURCE,
      ...(fields['pinned'] === 'true' && { pinned: true }),
      ...(expires && { expires }),
    },
    origin: { path, heading: name },
  };
}

function printed(record: MemoryRecord): string {
  const fields = FIELDS.flatMap((key) => {
    const value = record[key];
    return value === undefined || value === false ? [] : [`- ${key}: ${escaped(String(value))}`];
  });
  const body = record.body.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  const blocks = [`### ${escaped(record.name)}`, fields.join('\n')];
  return [...blocks, ...(record.body === '' ? [] : [body.join('\n')])].join('\n\n');
}

/** What would show as something else than the text, or hide what follows it. */
function escaped(line: string): string {
  return line.replace(/[\\`*<[\]]/g, '\\$&');
}

function unescaped(line: string): string {
  return line.trim().replace(/\\([\\`*<[\]])/g, '$1');
}
