// Looks over memories for what a person should look at. Findings are data: what to say about them is the reader's
// matter. Every check takes one pass over the records, and nothing is changed.

import { endOf } from '../expiry.ts';
import { fold, foldSentence } from '../fieldText.ts';
import {
  MAX_BODY,
  MAX_DESCRIPTION,
  slugFor,
  type DamagedRecord,
  type MemoryRecord,
} from '../record.ts';
import { fileKey, INDEX_FILE } from '../folder/recordCache.ts';
import { findSecrets } from '../secrets/secrets.ts';
import { analyse } from '../words/words.ts';
import type { ProjectFiles } from './projectFiles.ts';
import { referencesIn, type Reference } from './references.ts';

export interface HealthCheck {
  /** Of one store, or of all that a person has: duplicates are looked for across them. */
  readonly records: readonly MemoryRecord[];
  readonly damaged: readonly DamagedRecord[];
  /** The project that a record speaks of; undefined for one that holds anywhere, which is then not compared. */
  readonly projectOf: (record: MemoryRecord) => ProjectFiles | undefined;
  readonly now: Date;
}

/** In the order of urgency. */
export const FINDING_KINDS = [
  'secret',
  'damaged',
  'duplicate',
  'stale',
  'brokenLink',
  'unreachable',
  'overLong',
  'kept',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export type Finding =
  | SecretFinding
  | { readonly kind: 'damaged'; readonly place: DamagedRecord }
  /** Two or more records that are equal in these fields. */
  | {
      readonly kind: 'duplicate';
      readonly records: readonly MemoryRecord[];
      readonly by: readonly ('name' | 'description' | 'body')[];
    }
  /** Names something that the project no longer has. */
  | { readonly kind: 'stale'; readonly record: MemoryRecord; readonly reference: Reference }
  /** Links to a memory that is not there. */
  | { readonly kind: 'brokenLink'; readonly record: MemoryRecord; readonly target: string }
  /** Has no word to be found by, or a description that only repeats the name or is made of empty words. */
  | {
      readonly kind: 'unreachable';
      readonly record: MemoryRecord;
      readonly because: 'noWords' | 'emptyDescription' | 'nameAsDescription';
    }
  | {
      readonly kind: 'overLong';
      readonly record: MemoryRecord;
      readonly field: 'description' | 'body';
      /** In characters, as is the limit. */
      readonly length: number;
      readonly limit: number;
    }
  /** Past its own date, but of a type that never expires, or pinned. */
  | {
      readonly kind: 'kept';
      readonly record: MemoryRecord;
      readonly because: 'type' | 'pinned';
      /** Milliseconds since 1970. */
      readonly at: number;
    };

interface Place {
  readonly file: string;
  /** Absolute. */
  readonly path: string;
}

/** Says where a secret stands and of which kind it is, never the secret. */
export interface SecretFinding {
  readonly kind: 'secret';
  readonly place: Place;
  readonly field: 'name' | 'description' | 'body' | 'text';
  readonly rule: string;
}

/** All findings, by kind and then in the order of the records. */
export async function checkHealth(check: HealthCheck): Promise<readonly Finding[]> {
  const { records, damaged, now } = check;
  const findings: Finding[] = [
    ...records.flatMap(secretsOf),
    ...damaged.map((place): Finding => ({ kind: 'damaged', place })),
    ...duplicatesAmong(records),
    ...records.flatMap(unreachable),
    ...records.flatMap(overLong),
    ...records.flatMap((record) => keptAfter(record, now)),
    ...(await Promise.all(records.map((record) => staleIn(record, check)))).flat(),
    ...(await brokenLinks(check)),
  ];
  const rank = ({ kind }: Finding) => FINDING_KINDS.indexOf(kind);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

/** For texts that are no records, such as what lies in the trash. */
export function scanSecrets(
  texts: readonly (Place & { readonly text: string })[],
): readonly SecretFinding[] {
  return texts.flatMap(({ file, path, text }) => secretFindings({ file, path }, 'text', text));
}

function secretsOf({ file, path, ...fields }: MemoryRecord): readonly SecretFinding[] {
  const names = ['name', 'description', 'body'] as const;
  return names.flatMap((field) => secretFindings({ file, path }, field, fields[field]));
}

/** One for each kind of secret in the text. */
function secretFindings(
  place: Place,
  field: SecretFinding['field'],
  text: string,
): readonly SecretFinding[] {
  const rules = new Set(findSecrets(text).map(({ rule }) => rule));
  return [...rules].map((rule) => ({ kind: 'secret', place, field, rule }));
}

const COMPARED = [
  { by: 'name', keyOf: ({ name }: MemoryRecord) => fold(name) },
  { by: 'description', keyOf: ({ description }: MemoryRecord) => foldSentence(description) },
  { by: 'body', keyOf: ({ body }: MemoryRecord) => foldSentence(body) },
] as const;

/** Records that are equal in several fields come once. */
function duplicatesAmong(records: readonly MemoryRecord[]): readonly Finding[] {
  const found = new Map<string, Extract<Finding, { kind: 'duplicate' }>>();
  for (const { by, keyOf } of COMPARED) {
    for (const [key, equal] of Map.groupBy(records, keyOf)) {
      if (key === '' || equal.length < 2) continue;
      const id = equal.map(({ path }) => path).join('\n');
      found.set(id, {
        kind: 'duplicate',
        records: equal,
        by: [...(found.get(id)?.by ?? []), by],
      });
    }
  }
  return [...found.values()];
}

async function staleIn(
  record: MemoryRecord,
  { projectOf }: HealthCheck,
): Promise<readonly Finding[]> {
  const project = projectOf(record);
  if (!project) return [];
  const stale: Finding[] = [];
  for (const reference of referencesIn(`${record.description}\n${record.body}`)) {
    if (await isMissing(reference, project)) stale.push({ kind: 'stale', record, reference });
  }
  return stale;
}

async function isMissing({ kind, name }: Reference, project: ProjectFiles): Promise<boolean> {
  switch (kind) {
    case 'file':
      return !(await project.has(name));
    case 'folder':
      // Much else has a slash: branches, packages, alternatives. What begins at the top is meant as a path.
      return (await project.hasAtTop(name.split('/')[0] ?? '')) && !(await project.has(name));
    case 'script':
      return (await project.scripts())?.has(name) === false;
    case 'target':
      return (await project.targets())?.has(name) === false;
  }
}

/** A link to a Markdown file without a folder is one to a memory beside it. */
const LINK = /\]\(<?([^()\s<>:/#]{1,200}\.md)(?:#[^)\s]*)?>?\)/gi;

async function brokenLinks({
  records,
  damaged,
  projectOf,
}: HealthCheck): Promise<readonly Finding[]> {
  const present = new Set([...records, ...damaged].map(placeKey));
  const broken: Finding[] = [];
  for (const record of records) {
    const targets = [...record.body.matchAll(LINK)].map(([, target]) => decoded(target ?? ''));
    for (const target of new Set(targets)) {
      const path = record.path.slice(0, -record.file.length) + target;
      if (fileKey(target) === fileKey(INDEX_FILE) || present.has(placeKey({ path }))) continue;
      if (!(await projectOf(record)?.has(target)))
        broken.push({ kind: 'brokenLink', record, target });
    }
  }
  return broken;
}

function placeKey({ path }: Pick<Place, 'path'>): string {
  return fileKey(path);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    // A lone percent sign is part of the name.
    return target;
  }
}

function unreachable(record: MemoryRecord): readonly Finding[] {
  const { name, description, body } = record;
  if (!hasTerms(description)) {
    const because = hasTerms(`${name}\n${body}`) ? 'emptyDescription' : 'noWords';
    return [{ kind: 'unreachable', record, because }];
  }
  return slugFor(description) === slugFor(name) && foldSentence(body) !== foldSentence(description)
    ? [{ kind: 'unreachable', record, because: 'nameAsDescription' }]
    : [];
}

/** Whether a text has words that the ranking compares. One that has none is neither found nor finds anything. */
function hasTerms(text: string): boolean {
  return analyse(text.normalize('NFKC')).length > 0;
}

function overLong(record: MemoryRecord): readonly Finding[] {
  const limits = { description: MAX_DESCRIPTION, body: MAX_BODY } as const;
  return (['description', 'body'] as const).flatMap((field) => {
    const limit = limits[field];
    // Counted as the store counts, by whole characters.
    const length = record[field].length <= limit ? 0 : Array.from(record[field]).length;
    return length > limit ? [{ kind: 'overLong' as const, record, field, length, limit }] : [];
  });
}

function keptAfter(record: MemoryRecord, now: Date): readonly Finding[] {
  const { type, pinned, expires } = record;
  const at = endOf(expires);
  if (at === undefined || at >= now.getTime()) return [];
  if (type === 'user' || type === 'feedback')
    return [{ kind: 'kept', record, because: 'type', at }];
  return pinned ? [{ kind: 'kept', record, because: 'pinned', at }] : [];
}
