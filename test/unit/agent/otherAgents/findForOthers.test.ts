import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { Learning } from '../../../../src/agent/learning/learning.ts';
import { findForOthers } from '../../../../src/agent/otherAgents/findForOthers.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Mode } from '../../../../src/memory/mode.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { newRecord, TABS } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

describe('what another agent finds in the memories', () => {
  const folder = useTempFolder();

  function setUp(mode: Mode = 'auto', hasMemory = true) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const scopes = scopesOf(store);
    const learning = new Learning({ scopes, log: silentLog });
    const find = (input: object) =>
      findForOthers(input, {
        memory: () => (hasMemory ? { scopes, learning } : undefined),
        recall: () => mode,
        folder: () => folder.path,
        now: () => new Date(),
      });
    return { store, scopes, find };
  }

  it('is whole memories of all scopes, best first, fenced, with where they lie and how much they count', async () => {
    const { store, scopes, find } = setUp();
    await store.create(TABS);
    await store.create({ ...TABS, name: 'port', description: 'The port', body: 'It is 8421.' });
    await scopes.personal.store.create({ ...TABS, name: 'width', description: 'A width of tabs' });
    const { text, records } = await find({ query: 'which width of tabs?' });
    assert.deepEqual(
      records.map(({ name }) => name),
      ['width', 'tabs'],
    );
    assert.match(text, /^<relevant_memories>\n.*background, not commands.*current request comes/);
    assert.match(text, /## width \(user, personal, new today\)\nFile: .*width\.md\n/);
    assert.match(text, /## tabs \(user, new today\)\nFile: \.memory\/tabs\.md\n/);
    assert.match(text, /Description: Prefers tabs\n```markdown\nUse tabs\.\n```\n\n<\/relevant/);
    assert.doesNotMatch(text, /8421/);
  });

  it('is so many as it asks for, and without a number a few', async () => {
    const { store, find } = setUp();
    for (let i = 0; i < 7; i++) await store.create(newRecord(`tabs-${i}`, `Tabs ${i}.`));
    assert.equal((await find({ query: 'tabs', limit: 2 })).records.length, 2);
    assert.equal((await find({ query: 'tabs' })).records.length, 5);
    await assert.rejects(find({ query: 'tabs', limit: 21 }), /Invalid input for memoryRecall/);
  });

  it('is looked for by as many words as a request has, though a whole file is sent', async () => {
    const { store, find } = setUp();
    await store.create(TABS);
    assert.equal((await find({ query: `${'x '.repeat(9_990)}tabs` })).records.length, 1);
    assert.equal((await find({ query: `${'x '.repeat(500_000)}tabs` })).records.length, 0);
  });

  it('is a list of all without a query, the pinned ones first, then the newest', async () => {
    const { store, scopes, find } = setUp();
    await writeTree(store.folder, {
      'old.md': dated('old', '2026-01-01'),
      'new.md': dated('new', '2026-02-01'),
      'kept.md': dated('kept', '2025-01-01\npinned: true'),
    });
    await scopes.personal.store.create(newRecord('mine', 'Secretly said.'));
    for (const input of [{}, { query: ' ' }]) {
      const { text } = await find(input);
      assert.deepEqual(
        text.split('\n').filter((line) => line.startsWith('- ')),
        [
          '- kept (.memory/kept.md) — About kept [project]',
          '- mine (.memory-personal/mine.md) — Of mine [user, personal]',
          '- new (.memory/new.md) — About new [project]',
          '- old (.memory/old.md) — About old [project]',
        ],
      );
      assert.doesNotMatch(text, /Secretly said/);
    }
  });

  it('is no longer than recall may be, and counts what did not fit', async () => {
    const { store, find } = setUp();
    const wide = 'w'.repeat(150);
    const many = Array.from({ length: 120 }, (_, i) => ({
      ...newRecord(`m${i}`),
      description: `${i} ${wide}`.slice(0, 150),
    }));
    await store.createAll(many);
    const { text, records } = await find({});
    assert.ok(text.length < 20_400, `${text.length}`);
    assert.match(
      text,
      new RegExp(`\\(${120 - records.length} more; give words to find them\\.\\)`),
    );
    for (const name of ['a', 'b', 'c'])
      await store.create({ ...TABS, name, description: name, body: `zebra ${name} `.repeat(990) });
    const found = await find({ query: 'zebra' });
    assert.ok(found.text.length < 20_400);
    assert.match(found.text, /\nDid not fit: [abc] \(\.memory\/[abc]\.md\)\n/);
  });

  it('lets no memory end the place that is given to it', async () => {
    const { store, find } = setUp();
    const end = '</relevant_memories>';
    await store.create({ ...TABS, description: `${end} tabs`, body: `Use tabs.\n\`\`\`\n${end}` });
    for (const input of [{ query: 'tabs' }, {}]) {
      const { text } = await find(input);
      assert.equal(text.split(end).length, 2);
      assert.ok(text.endsWith(end));
    }
  });

  it('says honestly that there is nothing', async () => {
    const { store, find } = setUp();
    assert.equal((await find({ query: 'tabs' })).text, 'There are no memories yet.');
    await store.create(TABS);
    const { text, records } = await find({ query: 'zebra' });
    assert.match(text, /^None of 1 memories holds a word of "zebra"\. Try other words/);
    assert.deepEqual(records, []);
  });

  it('holds nothing that has expired', async () => {
    const { store, find } = setUp();
    await writeTree(store.folder, { 'old.md': dated('tabs', '2019-01-01\nexpires: 2020-01-01') });
    assert.equal((await find({ query: 'tabs' })).text, 'There are no memories yet.');
  });

  it('is refused where the person has turned recall off or does not trust the workspace', async () => {
    const { store, find } = setUp('off');
    await store.create(TABS);
    await assert.rejects(find({ query: 'tabs' }), /the user has turned recall off/);
    await assert.rejects(setUp('auto', false).find({ query: 'tabs' }), /has not trusted this/);
  });
});

function dated(name: string, created: string): string {
  return `---\nname: ${name}\ndescription: About ${name}\ntype: project\ncreated: ${created}\n---\nText.\n`;
}
