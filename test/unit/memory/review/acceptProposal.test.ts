import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { acceptProposal } from '../../../../src/memory/review/acceptProposal.ts';
import { SecretError } from '../../../../src/memory/change.ts';
import type { NewProposal, Proposal } from '../../../../src/memory/review/proposals.ts';
import { isStale, useMemoryStore } from '../../../support/memoryFolder.ts';
import { proposedTabs, proposedUpdate } from '../../../support/proposals.ts';
import { TABS } from '../../../support/records.ts';
import { scopesOf, undoLast } from '../../../support/scopes.ts';

describe('accepting a proposal', () => {
  const at = useMemoryStore();

  async function propose(proposal: NewProposal): Promise<Proposal> {
    const [kept] = await at.store.proposals.add([proposal]);
    assert.ok(kept);
    return kept;
  }
  const waiting = async () => (await at.store.proposals.list()).length;

  it('makes a memory of it, and it no longer waits', async () => {
    const change = await acceptProposal(await propose(proposedTabs()), at.store);
    assert.equal(change.kind, 'created');
    const { name, description, type, body, source } = await at.only();
    assert.deepEqual({ name, description, type, body }, proposedTabs().fields);
    assert.equal(source, 'extraction');
    assert.equal(await waiting(), 0);
  });

  it('says in the memory that another agent wrote what another agent proposed', async () => {
    const proposal = await propose({ ...proposedTabs(), quote: '', from: 'agent' });
    await acceptProposal(proposal, at.store);
    assert.equal((await at.only()).source, 'agent');
  });

  it('changes the memory that it was proposed for, and keeps the old text', async () => {
    const { record } = await at.store.create(TABS);
    const change = await acceptProposal(await propose(proposedUpdate(record)), at.store);
    assert.deepEqual([change.kind, change.record.body], ['updated', 'Use tabs of four columns.']);
    assert.equal(change.record.source, 'extraction');
    assert.equal(await waiting(), 0);
    await at.store.undo(change);
    assert.equal((await at.only()).body, TABS.body);
  });

  it('keeps the day up to which it holds', async () => {
    const proposed = await propose(proposedTabs({ type: 'project', expires: '2027-03-05' }));
    await acceptProposal(proposed, at.store);
    assert.equal((await at.only()).expires, '2027-03-05T23:59:59.999Z');
    const until = { type: 'project', expires: '2027-03-12' } as const;
    const update = proposedUpdate(await at.only(), until);
    await acceptProposal(await propose(update), at.store);
    assert.equal((await at.only()).expires, '2027-03-12T23:59:59.999Z');
  });

  it('changes a pinned memory, which stays pinned', async () => {
    const { record } = await at.store.create({ ...TABS, pinned: true });
    const change = await acceptProposal(await propose(proposedUpdate(record)), at.store);
    assert.deepEqual(
      [change.record.body, change.record.pinned],
      ['Use tabs of four columns.', true],
    );
    await at.store.undo(change);
    assert.deepEqual([(await at.only()).body, (await at.only()).pinned], [TABS.body, true]);
  });

  it('takes what stands in the file by now', async () => {
    const proposal = await propose(proposedTabs());
    const text = await fs.readFile(proposal.path, 'utf8');
    await fs.writeFile(proposal.path, text.replace('Use tabs', 'Use four tabs'));
    await acceptProposal(proposal, at.store);
    assert.equal((await at.only()).body, 'Use four tabs, says tabs.');
  });

  it('is undone as one with others', async () => {
    const group = 'all';
    const { record } = await at.store.create(TABS);
    const first = await propose(proposedUpdate(record));
    const second = await propose(proposedTabs({ name: 'other', description: 'Other' }));
    for (const proposal of [first, second]) await acceptProposal(proposal, at.store, { group });
    assert.equal((await at.store.list()).records.length, 2);
    await undoLast(scopesOf(at.store));
    assert.equal((await at.only()).body, TABS.body);
  });

  it('replaces a memory that has changed since only when the person saw its new text', async () => {
    const { record } = await at.store.create(TABS);
    const proposal = await propose(proposedUpdate(record));
    const seen = await at.store.update(record, { body: 'Use wide tabs.' });
    await assert.rejects(
      acceptProposal(proposal, at.store),
      isStale(/tabs\.md has changed since this was proposed/),
    );
    const replaceNewer = seen.record.hash;
    const unseen = await at.store.update(seen.record, { body: 'Use tabs as you like.' });
    await assert.rejects(
      acceptProposal(proposal, at.store, { replaceNewer }),
      isStale(/has changed since/),
    );
    assert.equal((await at.only()).body, 'Use tabs as you like.');
    assert.equal(await waiting(), 1);
    await acceptProposal(proposal, at.store, { replaceNewer: unseen.record.hash });
    assert.equal((await at.only()).body, 'Use tabs of four columns.');
  });

  it('says what to do when the memory is gone, or known already, and lets it wait', async () => {
    const { record } = await at.store.create(TABS);
    const update = await propose(proposedUpdate(record));
    const refuses = (proposal: Proposal, reason: RegExp) =>
      assert.rejects(acceptProposal(proposal, at.store), reason);

    const change = await at.store.remove(record, 'deleted');
    await refuses(update, /tabs\.md, which this would update, is gone\. Restore it first/);
    await at.store.undo(change);
    const same = await at.store.update(record, update.fields);
    await assert.rejects(
      acceptProposal(update, at.store, { replaceNewer: same.record.hash }),
      /"tabs" says this already\. Reject the proposal/,
    );
    const add = await propose(proposedTabs({ name: 'more', body: 'More tabs.' }));
    await at.store.create({ ...TABS, name: 'many', body: 'more tabs' });
    await refuses(add, /"many" says this already\. Reject the proposal/);
    assert.equal(await waiting(), 2);
    assert.equal((await at.store.list()).records.length, 2);
  });

  it('lets no secret pass that came with the file', async () => {
    const proposal = await propose(proposedTabs());
    const text = await fs.readFile(proposal.path, 'utf8');
    await fs.writeFile(proposal.path, `${text}Key: sk-ant-${'a1'.repeat(20)}\n`);
    await assert.rejects(acceptProposal(proposal, at.store), SecretError);
    assert.deepEqual(await at.files(), []);
    assert.equal(await waiting(), 1);
  });

  it('lets it wait when the memory cannot be written', async () => {
    const proposal = await propose(proposedTabs());
    const { folder } = at.store;
    await fs.rm(path.join(folder, '.gitignore'));
    await fs.mkdir(path.join(folder, '.gitignore'));
    await assert.rejects(acceptProposal(proposal, at.store), /is not a plain file/);
    assert.equal(await waiting(), 1);
  });
});
