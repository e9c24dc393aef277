import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { Learning } from '../../../../src/agent/learning/learning.ts';
import { carryOut, planSave } from '../../../../src/agent/otherAgents/saveForOthers.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { SecretError } from '../../../../src/memory/change.ts';
import type { Mode } from '../../../../src/memory/mode.ts';
import { MemoryScopes } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { TABS } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

const GIVEN = { description: 'Prefers tabs over spaces', type: 'user' };

describe('what another agent wants to be remembered', () => {
  const folder = useTempFolder();

  function setUp(mode: Mode = 'auto', hasMemory = true) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const scopes = scopesOf(store);
    return { store, ...using(scopes, mode, hasMemory) };
  }

  function using(scopes: MemoryScopes, mode: Mode, hasMemory = true) {
    const learning = new Learning({ scopes, log: silentLog });
    const access = {
      memory: () => (hasMemory ? { scopes, learning } : undefined),
      recall: (): Mode => 'auto',
      extraction: () => mode,
      folder: () => folder.path,
      now: () => new Date(),
      log: silentLog,
    };
    const plan = (input: object) => planSave(input, access);
    const save = async (input: object) => carryOut(await plan(input), access);
    const count = async () => (await scopes.list()).records.length;
    return { scopes, access, plan, save, count };
  }

  it('is planned without a change, and then saved just as planned, with whose words it is', async () => {
    const { store, access, plan, count } = setUp();
    const planned = await plan({ ...GIVEN, body: 'Indent with tabs.', name: 'User Tabs' });
    assert.equal(planned.kind, 'save');
    assert.equal(await count(), 0);
    const { text, learned } = await carryOut(planned, access);
    assert.equal(text, 'Saved: user-tabs (.memory/user-tabs.md). The user can undo it.');
    const [record] = (await store.list()).records;
    assert.ok(record);
    const { name, description, type, body, source } = record;
    assert.deepEqual(
      { name, description, type, body, source },
      { ...GIVEN, name: 'user-tabs', body: 'Indent with tabs.', source: 'agent' },
    );
    assert.deepEqual(
      learned.saved?.map((change) => change.record.file),
      ['user-tabs.md'],
    );
  });

  it('takes name and text from the description where none is given', async () => {
    const { store, save } = setUp();
    await save(GIVEN);
    const [record] = (await store.list()).records;
    assert.equal(record?.name, 'prefers-tabs-over-spaces');
    assert.equal(record?.body, GIVEN.description);
  });

  it('goes where the agent says, else to the folder, and without one to the personal memories', async () => {
    const { scopes, plan } = setUp();
    const scopeOf = async (planned: ReturnType<typeof plan>) => {
      const made = await planned;
      return made.kind === 'known' ? undefined : made.scope.kind;
    };
    assert.equal(await scopeOf(plan(GIVEN)), 'workspace');
    assert.equal(await scopeOf(plan({ ...GIVEN, scope: 'workspace' })), 'workspace');
    assert.equal(await scopeOf(plan({ ...GIVEN, scope: 'personal' })), 'personal');
    const alone = using(new MemoryScopes({ personal: scopes.personal.store }), 'auto');
    assert.equal(await scopeOf(alone.plan(GIVEN)), 'personal');
    await assert.rejects(alone.plan({ ...GIVEN, scope: 'workspace' }), /no folder is open/);
  });

  it('is refused when it holds a secret, and the secret is not repeated', async () => {
    const { plan } = setUp();
    const secret = ['sk', 'ant', 'api03', 'a1B2'.repeat(12)].join('-');
    for (const input of [
      { ...GIVEN, description: `The key is ${secret}` },
      { ...GIVEN, body: `The key is ${secret}` },
      { ...GIVEN, name: secret },
    ]) {
      await assert.rejects(
        plan(input),
        (error) => error instanceof SecretError && !error.message.includes(secret),
      );
    }
  });

  it('is refused beyond the limits of a memory', async () => {
    const { plan } = setUp();
    await assert.rejects(plan({ ...GIVEN, body: 'x'.repeat(8001) }), /a field is too long/);
    await assert.rejects(plan({ ...GIVEN, description: '…' }), /a field is missing/);
    await assert.rejects(plan({ ...GIVEN, type: 'note' }), /Invalid input for memorySave/);
    await assert.rejects(plan({ type: 'user' }), /Invalid input for memorySave/);
  });

  it('is not saved again when a memory of any scope says it or has its name, and that one is told', async () => {
    const { store, scopes, save, count } = setUp();
    await store.create(TABS);
    await scopes.personal.store.create({ ...TABS, name: 'port', body: 'It is 8421.' });
    const same = await save({ ...GIVEN, body: TABS.body });
    assert.match(same.text, /a memory says it already\.[^]*## tabs[^]*Use tabs\./);
    const namesake = await save({ ...GIVEN, name: 'Port', body: 'It is 9000.' });
    assert.match(namesake.text, /there is a memory of this name[^]*## port[^]*It is 8421\./);
    assert.deepEqual([same.learned, namesake.learned], [{}, {}]);
    assert.equal(await count(), 2);
  });

  it('is not saved twice when it became known while the person was asked', async () => {
    const { store, access, plan, count } = setUp();
    const planned = await plan(GIVEN);
    await store.create({ ...TABS, body: GIVEN.description });
    assert.match((await carryOut(planned, access)).text, /says it already/);
    assert.equal(await count(), 1);
  });

  it('is not told what the memory that is known says, where recall would not send it unasked', async () => {
    const { store, access, count } = setUp();
    await store.create({ ...TABS, name: 'port', body: 'It is 8421.' });
    for (const mode of ['off', 'review'] as const) {
      const careful = { ...access, recall: (): Mode => mode };
      const namesake = { ...GIVEN, name: 'port' };
      const same = { ...GIVEN, name: 'x', body: 'It is 8421.' };
      for (const input of [namesake, same]) {
        const { text } = await carryOut(await planSave(input, careful), careful);
        assert.match(text, /^Nothing was saved: /);
        assert.doesNotMatch(text, /8421|Prefers|relevant_memories/);
      }
    }
    assert.equal(await count(), 1);
  });

  it('is saved once when two say it at the same time, wherever it is to go', async () => {
    const { access, plan, count } = setUp();
    const plans = [await plan(GIVEN), await plan({ ...GIVEN, scope: 'personal' })];
    const saved = await Promise.all(plans.map((each) => carryOut(each, access)));
    assert.deepEqual(
      saved.map(({ learned }) => learned.saved?.length),
      [1, undefined],
    );
    assert.equal(await count(), 1);
  });

  it('is refused when its folder was closed while the person was asked', async () => {
    const { scopes, store, access, plan } = setUp();
    const planned = await plan(GIVEN);
    scopes.setWorkspace([]);
    await assert.rejects(
      carryOut(planned, access),
      /the folder that it was to belong to is no longer open/,
    );
    assert.deepEqual((await store.list()).records, []);
  });

  it('waits for the review of a person who reviews all, once', async () => {
    const { store, plan, save, count } = setUp('review');
    assert.equal((await plan(GIVEN)).kind, 'propose');
    const { text, learned } = await save(GIVEN);
    assert.match(text, /^Not saved yet: it waits for the review/);
    assert.equal(learned.proposed?.length, 1);
    const [proposal] = await store.proposals.list();
    assert.equal(proposal?.fields.description, GIVEN.description);
    assert.equal(proposal.from, 'agent');
    assert.equal(await count(), 0);
    assert.match((await save(GIVEN)).text, /^Not saved: it waits .* already/);
  });

  it('may be saved where extraction is off, since the person is asked', async () => {
    const { plan } = setUp('off');
    assert.equal((await plan(GIVEN)).kind, 'save');
  });

  it('is refused in a workspace that is not trusted, also when trust is gone since', async () => {
    await assert.rejects(setUp('auto', false).plan(GIVEN), /has not trusted this workspace/);
    const { access, plan, count } = setUp();
    const planned = await plan(GIVEN);
    await assert.rejects(carryOut(planned, { ...access, memory: () => undefined }), /not trusted/);
    assert.equal(await count(), 0);
  });
});
