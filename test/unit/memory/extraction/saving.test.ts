import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import type { Operation } from '../../../../src/memory/extraction/policy.ts';
import { saveOperations, type SavingContext } from '../../../../src/memory/extraction/saving.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { useMemoryStore } from '../../../support/memoryFolder.ts';
import { proposedTabs } from '../../../support/proposals.ts';
import { TABS_OPERATION, SAID_TABS, TABS } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';

const FOUND = 'The integration tests need the container on port 5433';

const operation = (changes: Partial<Operation> = {}): Operation => ({
  ...TABS_OPERATION,
  ...changes,
});

/** One of any number of different memories, each of which `SAID_TABS` carries. */
const fact = (n: number): Operation =>
  operation({ name: `tabs-${n}`, description: `Tabs ${n}`, body: `Tabs, fact ${n}.` });

const found = (n: number): Operation =>
  operation({
    type: 'project',
    name: `container-${n}`,
    description: `Container ${n}`,
    body: `Container ${n} of the tests.`,
    quote: FOUND,
  });

describe('saving what a model made of a dialogue', () => {
  const at = useMemoryStore();
  const logged: string[] = [];
  beforeEach(() => void logged.splice(0));

  const personal = () =>
    new MemoryStore({ folder: path.join(at.temp.path, 'personal'), log: silentLog });
  const save = (operations: readonly Operation[], more: Partial<SavingContext> = {}) =>
    saveOperations(operations, {
      scopes: scopesOf(at.store),
      mode: 'auto',
      said: [SAID_TABS],
      earlier: [],
      answered: [FOUND],
      now: new Date('2026-11-30T12:00:00Z'),
      log: { ...silentLog, info: (line) => logged.push(line) },
      ...more,
    });
  const proposedNames = async (store = at.store) =>
    (await store.proposals.list()).map(({ fields }) => fields.name);

  it('saves what the person said, and proposes what the assistant found', async () => {
    const saved = await save([operation(), found(1)]);
    assert.deepEqual(
      saved.changes.map(({ record }) => record.file),
      ['user-preference-tabs.md'],
    );
    assert.deepEqual(
      saved.proposed.map(({ fields, from, kind, quote }) => [fields.name, from, kind, quote]),
      [['container-1', 'assistant', 'add', FOUND]],
    );
    assert.deepEqual([saved.refusals, saved.refusedSecrets, saved.stale], [[], [], false]);
    assert.deepEqual(await at.files(), ['user-preference-tabs.md']);
    assert.deepEqual(await proposedNames(), ['container-1']);
    assert.deepEqual(logged, [
      '[extraction] created "user-preference-tabs"',
      '[extraction] proposed "container-1"',
    ]);
  });

  it('only proposes in review, all that the person said, and changes nothing', async () => {
    await at.store.create(TABS);
    const before = await at.store.list();
    const update = operation({ op: 'update', target: 'tabs', body: 'Use tabs of any width.' });
    const { changes, proposed } = await save([...[1, 2, 3, 4, 5].map(fact), update], {
      mode: 'review',
    });
    assert.deepEqual(changes, []);
    assert.equal(proposed.length, 6);
    assert.deepEqual(await at.store.list(), before);
    const { hash } = before.records[0]!;
    assert.deepEqual(proposed.at(-1)?.target, { file: 'tabs.md', hash });
  });

  it('proposes what rests on pasted words', async () => {
    const said = [`Look:\n> ${SAID_TABS}`];
    const { changes, proposed } = await save([operation()], { said });
    assert.deepEqual(changes, []);
    assert.deepEqual(
      proposed.map(({ from }) => from),
      ['pasted'],
    );
  });

  it('saves ten at most and lets the person decide about the rest of what they said', async () => {
    const saved = await save(Array.from({ length: 60 }, (_, n) => fact(n)));
    assert.equal(saved.changes.length, 10);
    assert.equal(saved.proposed.length, 50);
    assert.deepEqual(saved.refusals, []);
  });

  it('proposes three at most that the person did not say, those before included', async () => {
    const four = await save([1, 2, 3, 4].map(found));
    assert.equal(four.proposed.length, 3);
    const reason = '3 that the person did not say are proposed already';
    assert.deepEqual(four.refusals, [{ name: 'container-4', reason }]);
    const reviewed = await save([1, 2, 3, 4].map(fact), { mode: 'review', foundBefore: 3 });
    assert.equal(reviewed.proposed.length, 4);
    const mixed = await save([...[5, 6, 7, 8].map(fact), found(9)], { mode: 'review' });
    assert.equal(mixed.proposed.length, 5);
    const more = await save([found(5), found(6)], { foundBefore: 2 });
    assert.deepEqual(
      more.proposed.map(({ fields }) => fields.name),
      ['container-5'],
    );
  });

  it('proposes what it doubts, and says why', async () => {
    await at.store.create({ ...TABS, body: 'Use spaces.\nBilling belongs to Marta.' });
    const { record } = await at.store.create({ ...TABS, name: 'pinned', pinned: true });
    const before = await at.store.list();
    const update = operation({ op: 'update', target: 'tabs', body: 'Use tabs, not spaces.' });
    const pinned = { ...update, target: 'pinned', name: 'pinned', body: 'Use wide tabs.' };
    const saved = await save([update, pinned]);
    assert.deepEqual([saved.changes, saved.refusals], [[], []]);
    assert.deepEqual(
      saved.proposed.map(({ from, doubt, target }) => [from, doubt, target?.file]),
      [
        ['person', 'drops', 'tabs.md'],
        ['person', 'pinned', record.file],
      ],
    );
    assert.deepEqual(await at.store.list(), before);
    assert.deepEqual(logged, [
      '[extraction] proposed "user-preference-tabs": it leaves out what else the record says',
      '[extraction] proposed "pinned": the record to update is pinned',
    ]);
  });

  it('proposes few of which the quote is about something else', async () => {
    const request = 'Summarise the README file for me';
    const foreign = '请修复搜索框的空指针错误。';
    const said = [request, foreign];
    const quoting = (quote: string) =>
      Array.from({ length: 12 }, (_, n) => ({ ...fact(n), quote, name: `${quote.at(0)}-${n}` }));
    const unrelated = await save(quoting(request), { said });
    assert.deepEqual([unrelated.changes.length, unrelated.proposed.length], [0, 3]);
    assert.equal(
      unrelated.refusals[0]?.reason,
      'the quote is about something else, and 3 such are proposed already',
    );
    const translated = quoting(foreign).map((each) => ({ ...each, body: `Wide ${each.body}` }));
    const saved = await save(translated, { said, mode: 'review' });
    assert.equal(saved.proposed.length, 10);
  });

  it('does not save again what the same answer puts right', async () => {
    await at.store.create(TABS);
    const update = operation({ op: 'update', target: 'tabs' });
    const again = operation({ name: 'old-tabs', description: 'Tabs as before', body: TABS.body });
    const { changes, refusals } = await save([update, again]);
    assert.equal(changes.length, 1);
    assert.deepEqual(refusals, [{ name: 'old-tabs', reason: 'it is already known' }]);
    assert.equal((await at.only()).body, TABS_OPERATION.body);
  });

  it('names each kind of secret once, and the secret never', async () => {
    const key = `sk-ant-${'a1'.repeat(20)}`;
    const saved = await save([
      operation({ body: `Use ${key}` }),
      operation({ name: key }),
      operation(),
    ]);
    assert.deepEqual(saved.refusedSecrets, ['an Anthropic key']);
    assert.deepEqual(
      saved.refusals.map(({ name }) => name),
      ['user-preference-tabs', 'unnamed'],
    );
    assert.equal(saved.changes.length, 1);
    assert.ok(!JSON.stringify([saved, logged]).includes(key));
  });

  it('names the reason of every refusal', async () => {
    const { refusals } = await save([
      operation({ name: 'a', scope: 'current_task' }),
      operation({ name: 'b', quote: 'never said so' }),
      operation({ name: 'c', op: 'update', target: 'none' }),
    ]);
    assert.deepEqual(refusals, [
      { name: 'a', reason: 'it is for the current task only' },
      { name: 'b', reason: 'the quote is not in the words of the person' },
      { name: 'c', reason: 'the record to update does not exist' },
    ]);
  });

  it('changes a record where it lies, and puts a new one at home', async () => {
    const scopes = scopesOf(at.store, personal());
    const own = await scopes.personal.store.create(TABS);
    await at.store.create({ ...TABS, description: 'Tabs at work', body: 'Work with tabs.' });
    const ids = new Map([['m1', own.record.path]]);
    const update = operation({ op: 'update', target: 'm1' });
    const saved = await save([update, fact(1)], { scopes, ids });
    assert.deepEqual(
      saved.changes.map(({ kind, record }) => [kind, record.path]),
      [
        ['updated', own.record.path],
        ['created', path.join(at.store.folder, 'tabs-1.md')],
      ],
    );
    const again = operation({ op: 'update', target: 'm1', body: 'Indent with wide tabs.' });
    await save([again, fact(2)], { scopes, ids, mode: 'review' });
    assert.deepEqual(await proposedNames(scopes.personal.store), ['user-preference-tabs']);
    assert.deepEqual(await proposedNames(), ['tabs-2']);
  });

  it('keeps the old text of a record that is updated', async () => {
    await at.store.create(TABS);
    const update = operation({ op: 'update', target: 'tabs.md' });
    const [change] = (await save([update])).changes;
    assert.ok(change);
    assert.equal((await at.only()).body, TABS_OPERATION.body);
    await at.store.undo(change);
    assert.equal((await at.only()).body, TABS.body);
  });

  it('gives another fact of the same name a name of its own', async () => {
    await at.store.create({ ...TABS, name: TABS_OPERATION.name, body: 'Browser tabs.' });
    const { changes } = await save([operation()]);
    assert.deepEqual(
      changes.map(({ record }) => record.file),
      ['user-preference-tabs-2.md'],
    );
  });

  it('leaves a record that changed since the model saw it, says so, and saves the rest', async () => {
    const { record } = await at.store.create(TABS);
    const seen = new Map([[record.path, record.hash]]);
    await at.store.update(record, { body: 'Use tabs, please.' });
    for (const mode of ['auto', 'review'] as const) {
      const update = operation({ op: 'update', target: 'tabs' });
      const saved = await save([update, fact(mode.length)], { seen, mode });
      assert.equal(saved.stale, true);
      assert.equal(saved.changes.length + saved.proposed.length, 1);
      assert.match(saved.refusals[0]?.reason ?? '', /tabs\.md has changed since/);
    }
  });

  it('may change a record twice that it has changed itself', async () => {
    const { record } = await at.store.create(TABS);
    const update = operation({ op: 'update', target: 'tabs' });
    const seen = new Map([[record.path, record.hash]]);
    const twice = [update, { ...update, body: 'Indent with tabs.' }];
    assert.equal((await save(twice, { seen })).changes.length, 2);
  });

  it('does not propose again what was rejected, nor keep waiting what is saved', async () => {
    const [waiting] = await at.store.proposals.add([proposedTabs({ body: TABS_OPERATION.body })]);
    const [other] = await at.store.proposals.add([proposedTabs({ name: 'o', body: 'Other.' })]);
    assert.ok(waiting && other);
    assert.equal((await save([operation()])).changes.length, 1);
    assert.deepEqual(await proposedNames(), ['o']);
    await at.store.proposals.reject(other);
    const again = operation({ name: 'o', description: 'About tabs', body: 'OTHER' });
    const saved = await save([again], { mode: 'review' });
    assert.deepEqual(saved.proposed, []);
    assert.equal(saved.refusals.length, 1);
  });

  it('counts a memory as saved when a proposal of it cannot be taken away', async () => {
    await at.store.proposals.add([proposedTabs({ body: TABS_OPERATION.body })]);
    at.store.proposals.remove = () => Promise.reject(new Error('the folder is locked'));
    const log = { ...silentLog, warn: (line: string) => logged.push(line) };
    const { changes, refusals, unwritten } = await save([operation()], { log });
    assert.equal(changes.length, 1);
    assert.deepEqual([refusals, unwritten], [[], undefined]);
    assert.deepEqual(logged, ['[extraction] what is saved may still wait: the folder is locked']);
  });

  it('saves the rest when one cannot be proposed or written', async () => {
    await fs.mkdir(at.store.folder, { recursive: true });
    await fs.writeFile(at.store.proposals.folder, 'in the way');
    const saved = await save([found(1), operation()]);
    assert.match(
      saved.refusals[0]?.reason ?? '',
      /could not be written: \.proposed is not a folder/,
    );
    assert.equal(saved.changes.length, 1);
    // What was only found is not worth another attempt.
    assert.equal(saved.unwritten, undefined);
    const other = operation({ name: 'o', description: 'Tabs', body: 'Tabs it is.' });
    const { unwritten } = await save([other], { mode: 'review' });
    assert.match(unwritten?.message ?? '', /\.proposed is not a folder/);
  });
});
