// What a model may answer to a consolidation, and whether that is safe. What it does not mention stays. One fault
// anywhere refuses the whole set, because a model that erred once is not to be trusted with the rest.

import * as z from 'zod/mini';
import { checkedFields, REFUSALS, type Fields } from './policy.ts';
import { slugFor, type MemoryRecord } from './record.ts';
import { distinctLength, isCoveredBy } from './sharedWords.ts';

/** A checked change, with the records as they stood when the model saw them. */
export type PlannedChange =
  /** `sources` become one record, in the place of `target`, which is one of them. */
  | {
      readonly kind: 'rewrite';
      readonly sources: readonly MemoryRecord[];
      readonly target: MemoryRecord;
      readonly fields: Fields;
      readonly reason: string;
    }
  | { readonly kind: 'retire'; readonly sources: readonly MemoryRecord[]; readonly reason: string };

const Rewritten = z.object({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  body: z.string(),
  reason: z.optional(z.string()),
});

export const ChangeSet = z.strictObject({
  merge: z.optional(z.array(z.extend(Rewritten, { files: z.array(z.string()) }))),
  update: z.optional(z.array(z.extend(Rewritten, { file: z.string() }))),
  retire: z.optional(z.array(z.object({ file: z.string(), reason: z.optional(z.string()) }))),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

/** Less of what the sources say is a loss and not a rewording, whatever reason the model has. */
const LEAST_KEPT = 0.5;
/** A model that wants more of the memories gone has misunderstood. */
const MOST_LOST = 0.5;

/** A set that is not safe. The message is one sentence. */
class ChangeSetError extends Error {
  override readonly name = 'ChangeSetError';
}

/** The changes in the order to apply them. `records` are all there are. Throws ChangeSetError. */
export function planChanges(
  changeSet: ChangeSet,
  records: readonly MemoryRecord[],
): readonly PlannedChange[] {
  const sourcesOf = (files: readonly string[]) => files.map((file) => findRecord(file, records));
  const { merge = [], update = [], retire = [] } = changeSet;
  for (const { files } of merge) {
    if (new Set(files).size < 2) throw unsafe(`merging takes two files, not: ${files.join(', ')}`);
  }
  const planned: readonly PlannedChange[] = [
    ...merge.map((given) => plannedRewrite(sourcesOf(given.files), given)),
    ...update.map((given) => plannedRewrite(sourcesOf([given.file]), given)),
    ...retire.map((given) => plannedRetirement(sourcesOf([given.file]), given)),
  ];
  checkSources(planned);
  checkWhatRemains(planned, records);
  return planned;
}

function findRecord(file: string, records: readonly MemoryRecord[]): MemoryRecord {
  const found = records.find((record) => record.file === file || record.file === `${file}.md`);
  if (!found) throw unsafe(`there is no ${file}`);
  if (found.pinned) throw unsafe(`${found.file} is pinned`);
  return found;
}

function plannedRewrite(
  sources: readonly MemoryRecord[],
  given: z.infer<typeof Rewritten>,
): PlannedChange {
  const reason = given.reason?.trim() ?? '';
  const files = sources.map(({ file }) => file).join(', ');
  const fields = checkedFields(given);
  if (typeof fields === 'string') throw unsafe(`of the new ${files}, ${REFUSALS[fields]}`);
  const before = distinctLength(sources.map(({ body }) => body));
  const { length } = fields.body;
  if (length < LEAST_KEPT * before) {
    throw unsafe(`${files} would shrink from ${before} characters to ${length}`);
  }
  const [first] = sources;
  const target = sources.find(({ file }) => file === `${fields.name}.md`) ?? first;
  if (!target) throw unsafe('a change names no file');
  return { kind: 'rewrite', sources, target, fields, reason };
}

function plannedRetirement(
  sources: readonly MemoryRecord[],
  given: { readonly reason?: string | undefined },
): PlannedChange {
  const reason = given.reason?.trim() ?? '';
  if (reason === '') {
    throw unsafe(`${sources.map(({ file }) => file).join()} would be retired without a reason`);
  }
  return { kind: 'retire', sources, reason };
}

function checkSources(planned: readonly PlannedChange[]): void {
  const seen = new Set<MemoryRecord>();
  for (const record of planned.flatMap(({ sources }) => sources)) {
    if (seen.has(record)) throw unsafe(`${record.file} stands in two changes`);
    seen.add(record);
  }
}

function checkWhatRemains(
  planned: readonly PlannedChange[],
  records: readonly MemoryRecord[],
): void {
  const touched = new Set(planned.flatMap(({ sources }) => sources));
  const names = new Set(
    records.filter((record) => !touched.has(record)).map(({ name }) => slugFor(name)),
  );
  for (const change of planned) {
    if (change.kind !== 'rewrite') continue;
    const { name } = change.fields;
    if (names.has(name)) throw unsafe(`two memories would be called ${name}`);
    names.add(name);
  }
  const lost = lostRecords(planned, records);
  if (lost.length > MOST_LOST * records.length) {
    throw unsafe(`${lost.length} of ${records.length} memories would be lost`);
  }
}

/** Records that disappear, merged or retired, and whose words stand in nothing that remains. */
function lostRecords(
  planned: readonly PlannedChange[],
  records: readonly MemoryRecord[],
): readonly MemoryRecord[] {
  const changed = new Set(planned.flatMap(({ sources }) => sources));
  const remaining: readonly Pick<MemoryRecord, 'description' | 'body'>[] = [
    ...records.filter((record) => !changed.has(record)),
    ...planned.flatMap((change) => (change.kind === 'rewrite' ? [change.fields] : [])),
  ];
  const texts = remaining.map(textOf);
  return planned
    .flatMap((change) =>
      change.kind === 'retire'
        ? change.sources
        : change.sources.filter((source) => source !== change.target),
    )
    .filter((record) => !texts.some((text) => isCoveredBy(record.body, text)));
}

function textOf({ description, body }: Pick<MemoryRecord, 'description' | 'body'>): string {
  return `${description}\n${body}`;
}

function unsafe(problem: string): ChangeSetError {
  return new ChangeSetError(
    `The proposed changes are not safe, so nothing was changed: ${problem}.`,
  );
}
