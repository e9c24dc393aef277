// Decides which changes of a model's change set are safe.

import type { ChangeSet, PlannedChange, Rewritten } from './changeSet.ts';
import { checkedFields, REFUSALS } from './policy.ts';
import { slugFor, type MemoryRecord } from './record.ts';
import { distinctLength, isCoveredBy } from './sharedWords.ts';

/** Named by files; the problem is one sentence. */
export interface RefusedChange {
  readonly files: readonly string[];
  readonly problem: string;
}

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

function plannedRewrite(sources: readonly MemoryRecord[], given: Rewritten): PlannedChange {
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
  const kind = sources.length > 1 ? 'merge' : 'update';
  return { kind, sources, target, fields, reason, dropped: given.dropped ?? [], handEdited: [] };
}

function plannedRetirement(
  sources: readonly MemoryRecord[],
  given: { readonly reason?: string | undefined },
): PlannedChange {
  const reason = given.reason?.trim() ?? '';
  if (reason === '') {
    throw unsafe(`${sources.map(({ file }) => file).join()} would be retired without a reason`);
  }
  return { kind: 'retire', sources, reason, handEdited: [] };
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
    if (change.kind === 'retire') continue;
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
    ...planned.flatMap((change) => (change.kind === 'retire' ? [] : [change.fields])),
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
