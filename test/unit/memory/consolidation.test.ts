import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { consolidateMemories, needsConsolidation } from '../../../src/memory/consolidation.ts';
import type { NewRecord } from '../../../src/memory/record.ts';
import type { Change } from '../../../src/memory/change.ts';
import { MemoryStore } from '../../../src/memory/store.ts';
import { ModelError, type ModelRequest } from '../../../src/models/model.ts';
import { scriptedModel, type Step } from '../../support/scriptedModel.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

const never = new AbortController().signal;

const tabs = aNew('tabs', 'Indent with tabs in every file.');
const indentation = aNew('indentation', 'Use tabs, never spaces.');
const quotes = aNew('quotes', 'Use single quotes for strings.');
const deadline = aNew('deadline', 'The release is on 3 May 2025.');

const merged = {
  files: ['indentation.md', 'tabs.md'],
  name: 'tabs',
  description: 'Prefers tabs',
  type: 'user',
  body: 'Indent with tabs in every file, never with spaces.',
  reason: 'They say the same.',
};

describe('consolidation', () => {
  const folder = useTempFolder();

  async function setUp(steps: readonly Step[], records: readonly NewRecord[]) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    for (const record of records) await store.create(record);
    const model = scriptedModel(steps);
    const errors: string[] = [];
    const told: string[] = [];
    const log = {
      ...silentLog,
      info: (line: string) => told.push(line),
      error: (line: string) => errors.push(line),
    };
    const consolidate = (signal = never) => consolidateMemories({ store, model, log }, signal);
    /** File to text of all records, and MEMORY.md. */
    const files = async () => {
      const tree = Object.entries(await readTree(store.folder));
      return Object.fromEntries(tree.filter(([file]) => /^[^./]+\.md$/.test(file)));
    };
    const bodies = async () =>
      Object.fromEntries((await store.list()).records.map(({ file, body }) => [file, body]));
    return { store, model, errors, told, consolidate, files, bodies };
  }

  it('is wanted from ten records on', () => {
    assert.equal(needsConsolidation(9), false);
    assert.equal(needsConsolidation(10), true);
  });

  it('merges, updates and retires what the model names, and keeps the rest as it is', async () => {
    const { store, model, told, consolidate, files, bodies } = await setUp(
      [
        answer({
          merge: [merged],
          update: [
            { ...quotes, file: 'quotes.md', body: 'Use single quotes.', reason: 'Shorter.' },
          ],
          retire: [{ file: 'deadline.md', reason: 'It has passed.' }],
        }),
      ],
      [tabs, indentation, quotes, deadline, aNew('kept', 'Stays.')],
    );
    const before = await files();
    const { changes } = await consolidate();
    assert.deepEqual(await bodies(), {
      'kept.md': 'Stays.',
      'quotes.md': 'Use single quotes.',
      'tabs.md': merged.body,
    });
    assert.equal((await files())['kept.md'], before['kept.md']);
    assert.doesNotMatch((await files())['MEMORY.md'] ?? '', /indentation|deadline/);
    for (const file of ['tabs.md', 'quotes.md'])
      assert.match((await files())[file] ?? '', /^source: consolidation$/m);
    assert.deepEqual(
      changes.map(({ kind, record }) => [kind, record.file]),
      [
        ['updated', 'tabs.md'],
        ['removed', 'indentation.md'],
        ['updated', 'quotes.md'],
        ['removed', 'deadline.md'],
      ],
    );
    assert.deepEqual(told.slice(1), [
      '[consolidation] merged indentation.md, tabs.md into tabs.md: They say the same.',
      '[consolidation] updated quotes.md: Shorter.',
      '[consolidation] retired deadline.md: It has passed.',
    ]);
    model.assertDone();
    // All of it can be taken back as one change.
    await store.undoGroup((await store.lastGroup())!);
    assert.deepEqual(withoutIndex(await files()), withoutIndex(before));
  });

  it('copies all records first, so that each old text can be found again', async () => {
    const { store, consolidate, files } = await setUp(
      [answer({ merge: [merged] })],
      [tabs, indentation],
    );
    const before = withoutIndex(await files());
    await consolidate();
    const trash = await readTree(path.join(store.folder, '.trash'));
    for (const [file, text] of Object.entries(before)) {
      const copies = Object.entries(trash).filter(
        ([name]) => name.includes('consolidation') && name.endsWith(`/${file}`),
      );
      assert.deepEqual(
        copies.map(([, copy]) => copy),
        [text],
      );
    }
  });

  for (const nothing of [{}, { merge: [], update: [], retire: [] }]) {
    it(`changes nothing on the answer ${JSON.stringify(nothing)}`, async () => {
      const { store, consolidate } = await setUp([answer(nothing)], [tabs, quotes]);
      const before = await readTree(store.folder);
      assert.deepEqual(await consolidate(), { changes: [] });
      assert.deepEqual(await readTree(store.folder), before);
    });
  }

  it('asks nothing about fewer than two records', async () => {
    const { model, consolidate } = await setUp([], [tabs]);
    assert.deepEqual(await consolidate(), { changes: [] });
    model.assertDone();
  });

  const update = { ...quotes, file: 'quotes.md', reason: 'r' };
  const retire = { file: 'quotes.md', reason: 'r' };
  for (const [what, changeSet] of Object.entries({
    'a file that does not exist': { retire: [{ file: 'none.md', reason: 'r' }] },
    'a path out of the folder': { retire: [{ file: '../notes.md', reason: 'r' }] },
    'the index': { retire: [{ file: 'MEMORY.md', reason: 'r' }] },
    'one file in two changes': { merge: [merged], update: [{ ...update, file: 'tabs.md' }] },
    'one file retired twice': { retire: [retire, retire] },
    'one file merged with itself': { merge: [{ ...merged, files: ['tabs.md', 'tabs.md'] }] },
    'a merge of one': { merge: [{ ...merged, files: ['tabs.md'] }] },
    'a merge of none': { merge: [{ ...merged, files: [] }] },
    'a merge that loses most of the text': { merge: [{ ...merged, body: 'Tabs, no spaces.' }] },
    'a merge that loses one of two texts': {
      merge: [
        { ...merged, files: ['quotes.md', 'deadline.md'], name: 'new', body: quotes.body.slice(5) },
      ],
    },
    'an update that loses most of the text': { update: [{ ...update, body: 'Single quotes.' }] },
    'a retirement without a reason': { retire: [{ file: 'quotes.md' }] },
    'a retirement of all': {
      retire: ['tabs', 'indentation', 'quotes', 'deadline'].map((file) => ({ file, reason: 'r' })),
    },
    'merges and retirements that leave less than half of what was said': {
      merge: [
        {
          ...merged,
          files: ['tabs.md', 'quotes.md', 'deadline.md'],
          body: 'Indent with tabs. This is about many other things that belong together as well.',
        },
      ],
      retire: [{ file: 'indentation.md', reason: 'r' }],
    },
    'an unknown type': { update: [{ ...update, type: 'note' }] },
    'an empty body': { update: [{ ...update, body: ' ' }] },
    'a body beyond all measure': { update: [{ ...update, body: 'x'.repeat(9000) }] },
    'a name that another record has': { update: [{ ...update, name: 'Tabs' }] },
    'two new records of one name': {
      update: [
        { ...update, name: 'new' },
        { ...deadline, file: 'deadline.md', name: 'new', reason: 'r' },
      ],
    },
  })) {
    it(`touches nothing when the answer has ${what}, good changes beside it or not`, async () => {
      const good = {
        update: [
          { ...deadline, file: 'deadline.md', body: 'The release is on 3 May.', reason: 'r' },
        ],
      };
      for (const set of [changeSet, { ...good, ...changeSet }]) {
        const { store, consolidate } = await setUp([answer(set)], []);
        await store.rebuildIndex();
        for (const record of [tabs, indentation, quotes, deadline]) await store.create(record);
        const before = await readTree(store.folder);
        await assert.rejects(consolidate(), /not safe, so nothing was changed/);
        assert.deepEqual(await readTree(store.folder), before);
        await fs.rm(store.folder, { recursive: true });
      }
    });
  }

  it('accepts that what was said several times is said once', async () => {
    const twins = ['a', 'b', 'c', 'd'].map((name) =>
      aNew(name, `We indent with tabs in every file of the repository, ${name} thing to know.`),
    );
    const body = 'We indent with tabs in every file of the repository.';
    const { consolidate, bodies } = await setUp(
      [
        answer({
          merge: [{ ...merged, files: ['a.md', 'b.md', 'c.md'], name: 'a', body }],
          retire: [{ file: 'd.md', reason: 'It says what the others say.' }],
        }),
      ],
      twins,
    );
    await consolidate();
    assert.deepEqual(await bodies(), { 'a.md': body });
  });

  it('does not touch a pinned record', async () => {
    const { store, model, consolidate } = await setUp([answer({ merge: [merged] })], [indentation]);
    const { record } = await store.create(tabs);
    await store.update(record, { pinned: true });
    const before = await readTree(store.folder);
    await assert.rejects(consolidate(), /tabs\.md is pinned/);
    assert.deepEqual(await readTree(store.folder), before);
    assert.match(promptOf(model.requests[0]), /"pinned": true/);
  });

  for (const [what, steps] of Object.entries({
    'the model fails': [new ModelError('network', 'no connection')],
    'the model answers prose': ['Looks fine.', 'Really.'],
    'the answer is one record': [JSON.stringify([tabs]), JSON.stringify([tabs])],
    'the answer has another shape': ['{"delete":["tabs.md"]}', '{"delete":["tabs.md"]}'],
    'the answer is cut': [{ content: '{"merge":[', stopReason: 'max_tokens' }] satisfies Step[],
  })) {
    it(`touches nothing when ${what}`, async () => {
      const { store, consolidate } = await setUp(steps, [tabs, indentation]);
      const before = await readTree(store.folder);
      await assert.rejects(consolidate());
      assert.deepEqual(await readTree(store.folder), before);
    });
  }

  it('leaves a record that was changed while the model thought, and does the rest', async () => {
    const { store, model, told, consolidate, bodies } = await setUp(
      [],
      [tabs, indentation, quotes],
    );
    model.push(async () => {
      await fs.appendFile(path.join(store.folder, 'tabs.md'), 'Except in YAML.\n');
      return answer({ merge: [merged], update: [{ ...update, body: 'Single quotes only.' }] });
    });
    await consolidate();
    assert.deepEqual(await bodies(), {
      'indentation.md': indentation.body,
      'quotes.md': 'Single quotes only.',
      'tabs.md': `${tabs.body}\nExcept in YAML.`,
    });
    assert.match(told[1] ?? '', /left indentation\.md, tabs\.md: changed in the meantime/);
  });

  it('keeps a record that was written and leaves one that was deleted while the model thought', async () => {
    const { store, model, consolidate, bodies } = await setUp([], [tabs, indentation]);
    const other = new MemoryStore({ folder: store.folder, log: silentLog });
    model.push(async () => {
      await other.create(quotes);
      await fs.rm(path.join(store.folder, 'indentation.md'));
      return answer({ merge: [merged] });
    });
    const { changes } = await consolidate();
    assert.deepEqual(changes, []);
    assert.deepEqual(await bodies(), { 'quotes.md': quotes.body, 'tabs.md': tabs.body });
  });

  it('leaves notes and damaged files in the folder alone', async () => {
    const { store, consolidate } = await setUp([answer({ merge: [merged] })], [tabs, indentation]);
    const mine = { 'notes.txt': 'Mine.', 'notes.md': 'No front matter.', 'sub/deep.md': 'Deep.' };
    await writeTree(store.folder, mine);
    await consolidate();
    const tree = await readTree(store.folder);
    for (const [file, text] of Object.entries(mine)) assert.equal(tree[file], text);
  });

  it('takes everything back when a write fails half way', async () => {
    const { store, consolidate, files } = await setUp(
      [
        answer({
          merge: [merged],
          update: [{ ...update, body: 'Single quotes only.' }],
          retire: [{ file: 'deadline.md', reason: 'r' }],
        }),
      ],
      [tabs, indentation, quotes, deadline],
    );
    const before = withoutIndex(await files());
    const remove = store.remove.bind(store);
    store.remove = async (record, reason) => {
      if (record.file === 'deadline.md') throw new Error('the disk is full');
      return remove(record, reason);
    };
    const undone: string[] = [];
    const undo = store.undo.bind(store);
    store.undo = (change) => {
      undone.push(change.record.file);
      return undo(change);
    };
    await assert.rejects(consolidate(), /the disk is full/);
    assert.deepEqual(withoutIndex(await files()), before);
    assert.deepEqual(undone, ['quotes.md', 'indentation.md', 'tabs.md']);
  });

  it('takes back what it can when one undo fails too, and says which not', async () => {
    const { store, errors, consolidate, bodies } = await setUp(
      [
        answer({
          update: [
            { ...update, body: 'Single quotes only.' },
            { ...tabs, file: 'tabs.md', body: 'Tabs in every file!', reason: 'r' },
          ],
          retire: [{ file: 'deadline.md', reason: 'r' }],
        }),
      ],
      [tabs, quotes, deadline],
    );
    store.remove = () => Promise.reject(new Error('the disk is full'));
    const undo = store.undo.bind(store);
    store.undo = async (change: Change) => {
      if (change.record.file === 'tabs.md') throw new Error('it is locked');
      return undo(change);
    };
    await assert.rejects(consolidate(), /the disk is full/);
    assert.equal((await bodies())['quotes.md'], quotes.body);
    assert.match(errors.join('\n'), /tabs\.md was not taken back: it is locked/);
  });

  it('goes on working above 20,000 characters, with like records in one question', async () => {
    const long = Array.from({ length: 24 }, (_, number) => {
      const topic = number % 2 === 0 ? 'kafka topics' : 'docker images';
      return {
        ...aNew(`note-${number}`, `${topic} ${number} ${'filler '.repeat(290)}`),
        description: `About ${topic}`,
      };
    });
    const seen: string[][] = [];
    const reply: Step = (request) => {
      const files = Array.from(promptOf(request).matchAll(/"file": "([^"]+)"/g), (m) => m[1] ?? '');
      seen.push(files);
      const [first = '', second = ''] = files;
      return answer({
        merge: [
          {
            ...merged,
            files: [first, second],
            name: `new-${first.replace('.md', '')}`,
            body: `About ${first} and ${second}. ${'filler '.repeat(200)}`.trim(),
          },
        ],
      });
    };
    const { model, consolidate, bodies } = await setUp(
      Array.from({ length: 3 }, () => reply),
      long,
    );
    const { changes } = await consolidate();
    assert.ok(model.requests.every((request) => promptOf(request).length < 20_100));
    assert.equal(new Set(seen.flat()).size, 24);
    assert.equal(changes.length, 6);
    assert.equal(Object.keys(await bodies()).length, 21);
    const evens = seen[0]?.filter((file) => Number(/\d+/.exec(file)) % 2 === 0).length;
    assert.ok(evens === 0 || evens === seen[0]?.length);
  });

  it('ends as cancelled when it is stopped, with nothing touched', async () => {
    const controller = new AbortController();
    const { store, consolidate } = await setUp(
      [() => new Promise(() => undefined)],
      [tabs, indentation],
    );
    const before = await readTree(store.folder);
    const consolidating = consolidate(controller.signal);
    controller.abort();
    await assert.rejects(consolidating, { kind: 'cancelled' });
    assert.deepEqual(await readTree(store.folder), before);
  });

  it('does not begin when it was stopped before, even where nothing would be asked', async () => {
    const { consolidate } = await setUp([], [tabs]);
    await assert.rejects(consolidate(AbortSignal.abort()), { name: 'AbortError' });
  });
});

function aNew(name: string, body: string): NewRecord {
  return { name, description: `About ${name}`, type: 'user', body };
}

function answer(changeSet: object): string {
  return JSON.stringify(changeSet);
}

function withoutIndex(files: Record<string, string>): Record<string, string> {
  const { 'MEMORY.md': _index, ...records } = files;
  return records;
}

function promptOf(request: ModelRequest | undefined): string {
  const [block] = request?.messages[0]?.content ?? [];
  return block?.type === 'text' ? block.text : '';
}
