// What an import would add, for the person to see and choose from before anything is written: each memory as it
// would be saved, within the limits and under a free name, and marked when it is known already or held a secret.

import { foldSentence, shortened, tidyBody } from '../fieldText.ts';
import {
  MAX_BODY,
  MAX_DESCRIPTION,
  slugFor,
  type MemoryRecord,
  type NewRecord,
} from '../record.ts';
import { fileKey } from '../folder/recordCache.ts';
import { redactSecrets, secretIn } from '../secrets/secrets.ts';
import type { ImportCandidate } from './importCandidate.ts';
import { partsOf } from './importParts.ts';

/** One memory of the import, marked. `record` is what to create, and never holds a secret. */
export type PlannedImport = { readonly candidate: ImportCandidate } & (
  | { readonly kind: 'new'; readonly record: NewRecord }
  | { readonly kind: 'duplicate'; readonly record: NewRecord; readonly of: Known }
  /** `rule` is the kind of secret, in words. There is no record where the secret cannot be taken out. */
  | { readonly kind: 'secret'; readonly rule: string; readonly record?: NewRecord }
);

/** A memory that is there, or one that stands further up in the same import. */
type Known =
  | { readonly kind: 'record'; readonly record: MemoryRecord }
  | { readonly kind: 'candidate'; readonly candidate: ImportCandidate };

/** In the order of the candidates; one that is too long for one memory makes several. */
export function planImport(
  candidates: readonly ImportCandidate[],
  existing: readonly MemoryRecord[],
): readonly PlannedImport[] {
  const known = new Map<string, Known>();
  for (const record of existing) remember(known, record, { kind: 'record', record });
  const freeName = namesBeside(existing.map(({ file }) => file));
  return candidates.flatMap((candidate) => {
    const rule = secretIn(textOf(candidate.record));
    const clean = rule === undefined ? candidate.record : redacted(candidate.record);
    if (rule !== undefined && secretIn(textOf(clean)) !== undefined)
      return [{ kind: 'secret', rule, candidate }];
    // Looked up before any is noted: the parts of one text are no duplicates of each other.
    const parts = fitted(clean).map((part) => ({ part, of: knownAs(known, part) }));
    for (const { part } of parts) remember(known, part, { kind: 'candidate', candidate });
    return parts.map(({ part, of }): PlannedImport => {
      const record = { ...part, name: of ? slugFor(part.name) : freeName(part.name) };
      if (of) return { kind: 'duplicate', candidate, record, of };
      return rule === undefined
        ? { kind: 'new', candidate, record }
        : { kind: 'secret', rule, candidate, record };
    });
  });
}

/** Within the limits of a memory, with nothing lost: in parts where the body is too long. */
function fitted(record: NewRecord): readonly NewRecord[] {
  const description = shortened(record.description, MAX_DESCRIPTION);
  const said = tidyBody(record.body);
  const whole =
    description === record.description || said.includes(record.description)
      ? said || description
      : `${record.description}\n\n${said}`;
  const bodies = partsOf(whole, MAX_BODY)
    .map(tidyBody)
    .filter((body) => body !== '');
  return bodies.map((body, index) => ({
    ...record,
    description: index === 0 ? description : numbered(description, index + 1, bodies.length),
    body,
  }));
}

/** Tells the parts of one text apart in a list. */
function numbered(description: string, part: number, count: number): string {
  const suffix = ` (${part}/${count})`;
  return shortened(description, MAX_DESCRIPTION - suffix.length) + suffix;
}

/** Says the same, or is said to be about the same. Equal names are no sign: each file has a `Testing`. */
function knownAs(known: ReadonlyMap<string, Known>, record: NewRecord): Known | undefined {
  return keysOf(record)
    .map((key) => known.get(key))
    .find((found) => found !== undefined);
}

function remember(known: Map<string, Known>, record: NewRecord, as: Known): void {
  for (const key of keysOf(record)) if (!known.has(key)) known.set(key, as);
}

function keysOf({ body, description }: NewRecord): readonly string[] {
  const keys = { body: foldSentence(body), description: foldSentence(description) };
  return Object.entries(keys).flatMap(([field, text]) => (text === '' ? [] : [`${field}:${text}`]));
}

/** Gives names that no file has and none before in the import; the store keeps such a name as it is. */
function namesBeside(files: readonly string[]): (wanted: string) => string {
  const taken = new Set(files.map(fileKey));
  /** By slug, the last number that was given: a file may have thousands of sections of one name. */
  const numbers = new Map<string, number>();
  return (wanted) => {
    const slug = slugFor(wanted);
    let base = slug;
    let name = base;
    let number = numbers.get(slug) ?? 1;
    while (taken.has(fileKey(`${name}.md`))) {
      number++;
      name = `${base}-${number}`;
      // A slug of full length has no room for a number.
      while (base !== '' && slugFor(name) !== name) {
        base = base.slice(0, -1).toWellFormed();
        name = `${base}-${number}`;
      }
    }
    numbers.set(slug, number);
    taken.add(fileKey(`${name}.md`));
    return name;
  };
}

function redacted(record: NewRecord): NewRecord {
  const { name, description, body } = record;
  return {
    ...record,
    name: redactSecrets(name),
    description: redactSecrets(description),
    body: redactSecrets(body),
  };
}

function textOf({ name, description, body }: NewRecord): string {
  return [name, description, body].join('\n');
}
