// Makes a memory of a proposal that a person accepted. What they saw is what is written: over a record that has
// changed since only when they say so. When the write fails, the proposal waits on.

import { sentence, SentenceError } from '../../base/sentence.ts';
import { StaleRecordError, type NewChange, type RevisedChange } from '../change.ts';
import type { MemoryStore } from '../store.ts';
import { repeats, says } from '../words/likeness.ts';
import { sourceOf } from './proposalFile.ts';
import type { Proposal } from './proposals.ts';

interface Acceptance {
  /** Changes with the same group are undone as one. */
  readonly group?: string;
  /** The hash of a target that has changed since the proposal was made: the person saw it and goes on. */
  readonly replaceNewer?: string;
}

/** Throws StaleRecordError, SecretError, or an error that says what to do. */
export async function acceptProposal(
  proposal: Proposal,
  store: Pick<MemoryStore, 'list' | 'create' | 'update' | 'proposals'>,
  how: Acceptance = {},
): Promise<NewChange | RevisedChange> {
  return store.proposals.settle<NewChange | RevisedChange>(proposal, (current) =>
    current.target
      ? updateTarget(current, current.target, store, how)
      : createRecord(current, store, how),
  );
}

async function createRecord(
  proposal: Proposal,
  store: Pick<MemoryStore, 'list' | 'create'>,
  { group }: Acceptance,
): Promise<NewChange> {
  const { fields } = proposal;
  const { records } = await store.list();
  const same = records.find((record) => repeats(fields, record));
  if (same)
    throw new SentenceError(sentence`"${same.name}" says this already. Reject the proposal.`);
  return store.create({ ...fields, source: sourceOf(proposal) }, group);
}

async function updateTarget(
  proposal: Proposal,
  { file, hash }: NonNullable<Proposal['target']>,
  store: Pick<MemoryStore, 'list' | 'update'>,
  { group, replaceNewer }: Acceptance,
): Promise<RevisedChange> {
  const { fields } = proposal;
  const { records } = await store.list();
  const record = records.find((each) => each.file === file);
  if (!record)
    throw new SentenceError(
      sentence`${file}, which this would update, is gone. Restore it first, or reject the proposal.`,
    );
  if (record.hash !== (replaceNewer ?? hash))
    throw new StaleRecordError(
      sentence`${file} has changed since this was proposed. Compare the two texts, then accept again.`,
    );
  if (says(record, fields))
    throw new SentenceError(sentence`"${record.name}" says this already. Reject the proposal.`);
  return store.update(record, { ...fields, source: sourceOf(proposal) }, group);
}
