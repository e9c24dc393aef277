// Decides which changes of a model's change set may be done. An answer that names what does not exist, or would have
// most of the memories gone, was not given about these memories: nothing in it is trusted. A change that is only
// careless says nothing of the others, which were each read against their own records: it alone is refused.

import { Sentence, sentence, SentenceError, type Said } from '../../base/sentence.ts';
import { lostStatements } from '../facts/facts.ts';
import { checkedFields } from '../extraction/policy.ts';
import type { MemoryRecord } from '../record.ts';
import { secretIn, secretKind } from '../secrets/secrets.ts';
import { distinctLength, isCoveredBy } from '../words/sharedWords.ts';
import type { ChangeSet, PlannedChange, Retired, Rewritten } from './changeSet.ts';
import { isOnlyWord, keptApart, lastingType } from './mergeLimits.ts';

/** Named by files. */
export interface RefusedChange {
  readonly files: readonly string[];
  /** One sentence. */
  readonly problem: Said;
  /** What would be lost without a word, as the records say it: for the person and the model, not for the log. */
  readonly lost?: readonly string[];
  /** What the new text brings that no record says: for the model alone. */
  readonly invented?: readonly string[];
}

export interface CheckedChanges {
  readonly changes: readonly PlannedChange[];
  readonly refused: readonly RefusedChange[];
}

interface CheckOptions {
  /** The records that the model was shown. */
  readonly shown: readonly MemoryRecord[];
  readonly isHandEdited: (record: MemoryRecord) => boolean;
  /** Whether git takes it. */
  readonly isShared: (record: MemoryRecord) => boolean;
  /** Nobody looks at the changes before they are made. */
  readonly unattended: boolean;
}

/** Less of what the sources say is a loss and not a rewording, whatever reason the model has. */
const LEAST_KEPT = 0.5;
/** A model that wants more of the memories gone has misunderstood. */
const MOST_LOST = 0.5;

/** Nothing of the answer may be done. */
export class ChangeSetError extends SentenceError {
  override readonly name = 'ChangeSetError';
}

/** Each change by itself, in the order to apply them. Throws ChangeSetError. */
export function checkChangeSet(changeSet: ChangeSet, options: CheckOptions): CheckedChanges {
  const { merge = [], update = [], retire = [] } = changeSet;
  const sourcesOf = (...files: readonly string[]) =>
    files.map((file) => findRecord(file, options.shown));
  const given: readonly Given[] = [
    ...merge.map((rewritten) => ({ rewritten, sources: sourcesOf(...rewritten.files) })),
    ...update.map((rewritten) => ({ rewritten, sources: sourcesOf(rewritten.file) })),
    ...retire.map((retired) => ({
      retired,
      sources: sourcesOf(retired.file),
      supersededBy: sourcesOf(...(retired.supersededBy ? [retired.supersededBy] : [])),
    })),
  ];
  for (const { files } of merge)
    if (new Set(files).size < 2)
      throw unsafe(
        files.length === 0
          ? sentence`merging takes two files, not: none`
          : sentence`merging takes two files, not: ${files.join(', ')}`,
      );
  checkSources(given);
  checkWhatRemains(given, options.shown);

  const changes: PlannedChange[] = [];
  const refused: RefusedChange[] = [];
  for (const each of given) {
    const checked = protectionOf(each, options) ?? checkedChange(each, options);
    if (checked instanceof Sentence)
      refused.push({ files: each.sources.map(({ file }) => file), problem: checked });
    else changes.push(...checked);
  }
  return { changes, refused };
}

type Given = { readonly sources: readonly MemoryRecord[] } & (
  | { readonly rewritten: Rewritten }
  | { readonly retired: Retired; readonly supersededBy: readonly MemoryRecord[] }
);

function findRecord(file: string, shown: readonly MemoryRecord[]): MemoryRecord {
  const found = shown.find((record) => record.file === file || record.file === `${file}.md`);
  if (!found) throw unsafe(sentence`there is no ${file.slice(0, 100)}`);
  return found;
}

function checkSources(given: readonly Given[]): void {
  const seen = new Set<MemoryRecord>();
  for (const record of given.flatMap(({ sources }) => sources)) {
    if (seen.has(record)) throw unsafe(sentence`${record.file} stands in two changes`);
    seen.add(record);
  }
}

/** Counts what disappears, merged or retired, and whose words stand in nothing that remains. */
function checkWhatRemains(given: readonly Given[], shown: readonly MemoryRecord[]): void {
  const touched = new Set(given.flatMap(({ sources }) => sources));
  const texts = [
    ...shown.filter((record) => !touched.has(record)),
    ...given.flatMap((each) => ('rewritten' in each ? [each.rewritten] : [])),
  ].map(({ description, body }) => `${description}\n${body}`);
  const gone = given.reduce((sum, each) => {
    const lost = each.sources.filter(({ body }) => !texts.some((text) => isCoveredBy(body, text)));
    // One of those that are merged stays, with another text.
    return sum + Math.min(lost.length, each.sources.length - ('rewritten' in each ? 1 : 0));
  }, 0);
  if (gone > MOST_LOST * shown.length)
    throw unsafe(sentence`${gone} of ${shown.length} memories would be lost`);
}

/** Why the records are not to be changed in this way. */
function protectionOf(given: Given, options: CheckOptions): Sentence | undefined {
  const { sources } = given;
  const pinned = sources.find((record) => record.pinned);
  if (pinned) return sentence`${pinned.file} is pinned.`;
  const own = options.unattended ? sources.find(options.isHandEdited) : undefined;
  if (own) return sentence`${own.file} was written by hand, so only a person may have it changed.`;
  if ('rewritten' in given) return keptApart(sources, options.isShared);
  if (!options.unattended) return undefined;
  const others = given.supersededBy.length > 0 ? given.supersededBy : options.shown;
  const only = sources.find((record) => isOnlyWord(record, others));
  return (
    only &&
    sentence`No other memory is about what ${only.file} says, so only a person may retire it.`
  );
}

/** None when nothing would change; a sentence when it may not be done. */
function checkedChange(given: Given, options: CheckOptions): readonly PlannedChange[] | Sentence {
  const { sources } = given;
  const handEdited = sources.filter(options.isHandEdited);
  if ('retired' in given) {
    const reason = given.retired.reason?.trim() ?? '';
    const [supersededBy] = given.supersededBy;
    if (reason === '') return sentence`No reason was given to retire it.`;
    return [{ kind: 'retire', sources, reason, handEdited, ...(supersededBy && { supersededBy }) }];
  }
  const { rewritten } = given;
  const checked = checkedFields(rewritten);
  if (typeof checked === 'string') return FAULTS[checked];
  const fields = { ...checked, type: lastingType(checked.type, sources) };
  // As given: a slug has lost the capitals by which some secrets are known.
  const texts = [rewritten.name, rewritten.description, rewritten.body];
  const secret = secretIn(texts.join('\n'));
  if (secret !== undefined) return sentence`The new text holds ${secretKind(secret)}.`;
  const before = distinctLength(sources.map(({ body }) => body));
  const { length } = fields.body;
  // Fewer words for all that was said are none too few.
  if (length < LEAST_KEPT * before && lostStatements(sources.map(said), said(fields)).length > 0)
    return sentence`It would shrink from ${before} characters to ${length}.`;

  const [first] = sources;
  const target = sources.find(({ file }) => file === `${fields.name}.md`) ?? first;
  if (!target) return sentence`It names no file.`;
  const kind = sources.length > 1 ? 'merge' : 'update';
  const { name, description, type, body } = target;
  const isSame =
    name === fields.name &&
    description === fields.description &&
    type === fields.type &&
    body === fields.body;
  if (kind === 'update' && isSame) return [];
  const reason = rewritten.reason?.trim() ?? '';
  // What is dropped without a reason counts as not named.
  const dropped = (rewritten.dropped ?? []).filter(
    ({ fact, reason }) => fact.trim() && reason.trim(),
  );
  return [{ kind, sources, target, fields, reason, dropped, handEdited }];
}

const FAULTS = {
  unknownType: sentence`Of the new text, the type is unknown.`,
  missingField: sentence`Of the new text, a field is missing.`,
  tooLong: sentence`Of the new text, a field is too long.`,
} as const;

function said({ description, body }: Pick<MemoryRecord, 'description' | 'body'>): string {
  return `${description}\n${body}`;
}

function unsafe(problem: Sentence): ChangeSetError {
  return new ChangeSetError(
    sentence`The proposed changes are not safe, so none of them was made: ${problem}.`,
  );
}
