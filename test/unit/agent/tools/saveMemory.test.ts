import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { Learning } from '../../../../src/agent/learning/learning.ts';
import { createSaveMemory } from '../../../../src/agent/tools/saveMemory.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Mode } from '../../../../src/memory/mode.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { userText } from '../../../../src/models/model.ts';
import { SessionStore } from '../../../../src/sessions/sessionStore.ts';
import { says } from '../../../support/conversation.ts';
import { TABS_OPERATION, SAID_TABS } from '../../../support/records.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
const { name, description, type, body, quote } = TABS_OPERATION;
const TABS = { name, description, type, body, quote };

describe('save_memory', () => {
  const folder = useTempFolder();

  async function setUp(more: { mode?: Mode; said?: readonly string[]; hasMemory?: boolean } = {}) {
    const { mode = 'auto', said = ['Hello.', SAID_TABS], hasMemory = true } = more;
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const scopes = scopesOf(store);
    const sessions = new SessionStore();
    const learning = new Learning({ scopes, log: silentLog, sessions });
    const turn = await sessions.begin({ request: said.at(-1) ?? '' });
    for (const words of said) {
      turn.append(userText(words));
      turn.append(says('The port of the billing service is 8421.'));
    }
    const tool = createSaveMemory({
      memory: () => (hasMemory ? { scopes, learning } : undefined),
      recall: () => 'auto',
      extraction: () => mode,
      sessions,
      folder: () => folder.path,
      now: () => new Date('2026-03-04T05:06:07Z'),
      log: silentLog,
    });
    const files = async () => (await store.list()).records.map(({ file }) => file);
    const save = (input: object) => tool.run(input, NEVER);
    return { store, scopes, learning, turn, files, save };
  }

  it('saves what the person said, and it is told with the turn', async () => {
    const { learning, turn, files, save } = await setUp();
    assert.match(await save(TABS), /^Saved as user-preference-tabs\.md\. The person is told/);
    assert.deepEqual(await files(), ['user-preference-tabs.md']);
    turn.end();
    const model = scriptedModel(['{"operations":[]}']);
    const { saved } = await learning.learn({ turn, model, mode: 'auto' });
    assert.deepEqual(
      saved.map(({ record }) => record.file),
      ['user-preference-tabs.md'],
    );
    const again = await learning.learn({ turn, model, mode: 'auto' });
    assert.deepEqual(again.saved, []);
  });

  it('corrects a memory in its place', async () => {
    const { store, files, save } = await setUp();
    await store.create({
      name: 'indent',
      description: 'Indents by 2',
      type: 'user',
      body: 'By 2.',
    });
    const text = await save({ ...TABS, target: 'indent.md' });
    assert.match(text, /^Updated indent\.md/);
    assert.deepEqual(await files(), ['indent.md']);
  });

  it('proposes what the person did not say themselves, and all of it where they want that', async () => {
    const found = {
      name: 'billing-port',
      description: 'Port of the billing service',
      type: 'project',
      body: 'The port of the billing service is 8421.',
      quote: 'The port of the billing service is 8421.',
    };
    for (const [mode, input] of [
      ['auto', found],
      ['review', TABS],
    ] as const) {
      const { store, files, save } = await setUp({ mode });
      assert.match(await save(input), /waits for the review of the person/);
      assert.deepEqual(await files(), []);
      const [proposal] = await store.proposals.list();
      assert.equal(proposal?.fields.name, input.name);
      await store.proposals.reject(proposal);
    }
  });

  it('says why something is not saved, and what to do', async () => {
    const { store, files, save } = await setUp();
    await assert.rejects(save({ ...TABS, quote: 'I prefer spaces, always.' }), /Copy the quote/);
    const secret = `The key is sk-ant-api03-${'a1B2'.repeat(24)}`;
    await assert.rejects(save({ ...TABS, body: secret }), /secrets are never saved/);
    await assert.rejects(save({ ...TABS, target: 'nowhere.md' }), /Take the file from/);
    await assert.rejects(save({ ...TABS, body: 'Tabs for two [x](https://x.example).' }), /tell/);
    await assert.rejects(save({ ...TABS, type: 'secret' }), /Invalid input/);
    assert.deepEqual(await files(), []);
    await save(TABS);
    assert.match(await save(TABS), /known already/);
    assert.equal((await store.list()).records.length, 1);
  });

  it('saves what holds up to a day with that day, and asks for it when it is not given', async () => {
    const said = 'Remember that the build is frozen until Friday.';
    const { store, save } = await setUp({ said: [said] });
    const body = 'The build is frozen until Friday.';
    const frozen = {
      ...TABS,
      type: 'project',
      name: 'frozen',
      description: body,
      body,
      quote: said,
    };
    await assert.rejects(save(frozen), /wording is temporary\. .*expires.* \/remember is saved/);
    await assert.rejects(save({ ...frozen, expires: '2026-03-03' }), /temporary/);
    assert.match(await save({ ...frozen, expires: '2026-03-06' }), /^Saved as frozen\.md/);
    const [record] = (await store.list()).records;
    assert.equal(record?.expires, '2026-03-06T23:59:59.999Z');
  });

  it('tells the person of a secret that was refused', async () => {
    const { learning, turn, save } = await setUp();
    const secret = `The key is sk-ant-api03-${'a1B2'.repeat(24)}`;
    await assert.rejects(save({ ...TABS, body: secret }));
    turn.end();
    const model = scriptedModel(['{"operations":[]}']);
    const { refusedSecrets } = await learning.learn({ turn, model, mode: 'auto' });
    assert.equal(refusedSecrets.length, 1);
    assert.doesNotMatch(refusedSecrets.join(), /a1B2/);
  });

  it('saves nothing when it is switched off, without trust, without a folder and outside of a conversation', async () => {
    const off = await setUp({ mode: 'off' });
    await assert.rejects(off.save(TABS), /write it behind \/remember/);
    const untrusted = await setUp({ hasMemory: false });
    await assert.rejects(untrusted.save(TABS), /nothing may be saved here/);
    const folderless = await setUp();
    folderless.scopes.setWorkspace([]);
    await assert.rejects(folderless.save(TABS), /nothing may be saved here/);
    const over = await setUp();
    over.turn.end();
    await assert.rejects(over.save(TABS), /in a conversation with @memory/);
    for (const { files } of [off, untrusted, folderless, over]) assert.deepEqual(await files(), []);
  });
});
