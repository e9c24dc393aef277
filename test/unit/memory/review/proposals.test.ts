import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog, type Log } from '../../../../src/base/log.ts';
import { Proposals, type NewProposal } from '../../../../src/memory/review/proposals.ts';
import { proposedTabs, proposedUpdate } from '../../../support/proposals.ts';
import { aRecord } from '../../../support/records.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

const TABS_FILE = `---
name: tabs
description: Prefers tabs
type: user
created: 2026-03-01T12:00:00.000Z
kind: add
quote: I prefer tabs.
from: person
---

Use tabs, says tabs.
`;

describe('proposals', () => {
  const temp = useTempFolder();
  let now = NOW;
  const logged: string[] = [];
  const log: Log = {
    ...silentLog,
    info: (line) => logged.push(line),
    warn: (line) => logged.push(line),
  };
  const folder = () => path.join(temp.path, '.memory', '.proposed');
  const open = () => new Proposals({ folder: folder(), log, now: () => now });
  const names = async (proposals = open()) =>
    (await proposals.list()).map(({ fields }) => fields.name);
  const write = (files: Record<string, string>) => writeTree(folder(), files);
  const files = async () =>
    Object.keys(await readTree(folder())).filter((file) => !/^\.|\/\./.test(file));

  beforeEach(() => {
    now = NOW;
    logged.length = 0;
  });

  it('are files that a person can read, which git does not see', async () => {
    const proposals = open();
    const kept = await proposals.add([proposedTabs()]);
    assert.deepEqual(kept, [
      {
        ...proposedTabs(),
        file: 'tabs.md',
        path: path.join(folder(), 'tabs.md'),
        at: NOW.toISOString(),
      },
    ]);
    assert.equal((await readTree(folder()))['tabs.md'], TABS_FILE);
    assert.deepEqual(await open().list(), kept);
    execFileSync('git', ['init', '-q'], { cwd: temp.path });
    const status = ['status', '--porcelain', '--untracked-files=all'];
    assert.equal(execFileSync('git', status, { cwd: temp.path }).toString(), '');
  });

  it('keep everything that was proposed, whatever stands in it', async () => {
    const odd: NewProposal = {
      kind: 'update',
      fields: {
        name: '缩进',
        description: 'Says "x: y" # and `z`',
        type: 'feedback',
        body: '# A\n\n---\n- b: c',
      },
      target: { file: 'old one.md', hash: 'a'.repeat(64) },
      quote: 'true: "I said\n--- so" # yes',
      from: 'pasted',
      doubt: 'drops',
    };
    const [kept] = await open().add([odd]);
    const [read] = await open().list();
    assert.deepEqual(read, kept);
    assert.deepEqual({ ...read, quote: odd.quote }, { ...kept, ...odd });
    assert.equal(read?.quote, 'true: "I said --- so" # yes');
    // As a later version may have written it.
    const file = path.join(folder(), kept?.file ?? '');
    const text = await fs.readFile(file, 'utf8');
    await fs.writeFile(file, text.replace('doubt: drops', 'doubt: unheard of'));
    const { doubt: _, ...rest } = read ?? {};
    assert.deepEqual(await open().list(), [rest]);
  });

  it('make no folder when there is nothing to propose', async () => {
    const key = `sk-ant-${'a1'.repeat(20)}`;
    const proposals = open();
    assert.deepEqual(await proposals.list(), []);
    await proposals.refresh();
    assert.deepEqual(await proposals.add([]), []);
    for (const secret of [
      proposedTabs({ name: key }),
      proposedTabs({ body: `It is ${key}` }),
      { ...proposedTabs(), quote: `my key is ${key}` },
    ])
      assert.deepEqual(await proposals.add([secret]), []);
    assert.deepEqual(await fs.readdir(temp.path), []);
    assert.equal(logged.length, 3);
    assert.ok(logged.every((line) => line.endsWith('it holds a secret: an Anthropic key')));
    assert.ok(!logged.join().includes(key));
  });

  it('wait in the order in which they were made', async () => {
    const proposals = open();
    await proposals.add([proposedTabs({ name: 'z' })]);
    now = new Date(NOW.getTime() + 1000);
    await open().add([proposedTabs({ name: 'a' })]);
    assert.deepEqual(await names(proposals), ['z', 'a']);
  });

  it('of one name are kept side by side', async () => {
    await open().add([proposedTabs(), proposedTabs({ name: 'tabs', body: 'Another fact.' })]);
    assert.deepEqual(await files(), ['tabs-2.md', 'tabs.md']);
  });

  it('are not made twice, however they are cased, spaced and punctuated', async () => {
    const body = 'Use tabs, not spaces: in C# files too.';
    const proposals = open();
    await proposals.add([proposedTabs({ body })]);
    for (const same of [
      proposedTabs({ name: 'other', body }),
      proposedTabs({
        name: 'x',
        description: 'X',
        body: 'use  TABS - not "spaces" in C# files too',
      }),
      proposedUpdate(aRecord(), { body }),
    ])
      assert.deepEqual(await proposals.add([same]), []);
    const part = proposedTabs({ name: 'part', body: `${body} Four wide.` });
    assert.equal((await proposals.add([part])).length, 1);
    assert.deepEqual(await proposals.add([proposedTabs({ body: 'Four wide' })]), []);
    const other = proposedTabs({ name: 'x', body: 'Use tabs, not spaces: in C files too.' });
    assert.equal((await proposals.add([other])).length, 1);
    assert.deepEqual(await files(), ['part.md', 'tabs.md', 'x.md']);
  });

  it('of what was only found are not made again in other words', async () => {
    const body = 'The tests run in the container on port 3000.';
    const found = { ...proposedTabs({ body }), from: 'assistant' } as const;
    const reworded = {
      ...found,
      fields: { ...found.fields, body: 'Tests: container, port 3000.' },
    };
    const proposals = open();
    await proposals.add([found]);
    assert.deepEqual(await proposals.add([reworded]), []);
    assert.equal((await proposals.add([{ ...reworded, from: 'person' }])).length, 1);
  });

  it('that were rejected are not made again, until that is taken back', async () => {
    const proposals = open();
    const [kept] = await proposals.add([proposedTabs()]);
    assert.ok(kept);
    await proposals.reject(kept);
    assert.deepEqual(await names(proposals), []);
    assert.deepEqual(await files(), ['rejected/20260301T120000000Z-tabs.md']);
    assert.deepEqual(
      await open().add([proposedTabs({ name: 'again', body: kept.fields.body })]),
      [],
    );
    await open().takeBack(kept);
    assert.deepEqual(await proposals.list(), [kept]);
    await assert.rejects(proposals.takeBack(kept), /tabs\.md is no longer among the rejected/);
  });

  it('that were rejected long ago are forgotten', async () => {
    const old = Array.from({ length: 200 }, (_, n) => [
      `rejected/2025${String(n).padStart(4, '0')}-a.md`,
      TABS_FILE.replace('Use tabs', `Use ${n}`),
    ]);
    await write(Object.fromEntries(old));
    const proposals = open();
    const [kept] = await proposals.add([proposedTabs()]);
    assert.ok(kept);
    await proposals.reject(kept);
    const rejected = await files();
    assert.equal(rejected.length, 200);
    assert.ok(!rejected.includes('rejected/20250000-a.md'));
    assert.ok(rejected.includes('rejected/20260301T120000000Z-tabs.md'));
  });

  it('are rejected once, whoever else does the same', async () => {
    const proposals = open();
    const [kept] = await proposals.add([proposedTabs()]);
    assert.ok(kept);
    await open().reject(kept);
    await assert.rejects(proposals.reject(kept), /"tabs" no longer waits for review/);
    await proposals.remove(kept);
    await assert.rejects(
      proposals.settle(kept, () => assert.fail('was called')),
      /no longer waits/,
    );
  });

  it('are not taken for another that has their file name by now', async () => {
    const proposals = open();
    const [kept] = await proposals.add([proposedTabs()]);
    assert.ok(kept);
    await proposals.remove(kept);
    now = new Date(NOW.getTime() + 1000);
    await proposals.add([proposedTabs({ body: 'Use spaces.' })]);
    await assert.rejects(proposals.reject(kept), /"tabs" no longer waits for review/);
    await proposals.remove(kept);
    assert.deepEqual(await names(), ['tabs']);
  });

  it('are made once by two windows at the same time', async () => {
    const kept = await Promise.all([open(), open()].map((each) => each.add([proposedTabs()])));
    assert.equal(kept.flat().length, 1);
    assert.deepEqual(await files(), ['tabs.md']);
  });

  it('are settled once, as they stand on disk, and wait on when that fails', async () => {
    const proposals = open();
    const [kept] = await proposals.add([proposedTabs()]);
    assert.ok(kept);
    const failing = proposals.settle(kept, () => Promise.reject(new Error('The disk is full.')));
    await assert.rejects(failing, /The disk is full/);
    assert.deepEqual(await names(), ['tabs']);
    await write({ 'tabs.md': TABS_FILE.replace('Use tabs', 'Always use tabs') });
    const bodies: string[] = [];
    const settle = (other: Proposals) =>
      other.settle(kept, async ({ fields }) => bodies.push(fields.body));
    const outcomes = await Promise.allSettled([proposals, proposals, open()].map(settle));
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    assert.deepEqual(bodies, ['Always use tabs, says tabs.']);
    assert.deepEqual(await names(), []);
  });

  it('wait fifty at most when they were only found, and what the person said goes before what was found', async () => {
    const proposals = open();
    const found = (n: number): NewProposal => ({
      ...proposedTabs({ name: `found-${n}`, description: `${n}`, body: `Fact ${n}.` }),
      from: 'assistant',
    });
    await proposals.add(Array.from({ length: 51 }, (_, n) => found(n)));
    assert.equal((await proposals.list()).length, 50);
    assert.match(logged.join('\n'), /"found-50" was not kept: 50 proposals wait/);
    await proposals.add([proposedTabs()]);
    const waiting = await names();
    assert.equal(waiting.length, 50);
    assert.ok(waiting.includes('tabs'));
    assert.ok(!waiting.includes('found-0'));
  });

  it('wait though there are many, when the person said so', async () => {
    const proposals = open();
    const said = (n: number): NewProposal =>
      proposedTabs({ name: `said-${n}`, description: `${n}`, body: `Fact ${n}.` });
    await write({ 'a.md': TABS_FILE });
    await proposals.add(Array.from({ length: 60 }, (_, n) => said(n)));
    assert.equal((await proposals.list()).length, 61);
    await proposals.add([{ ...said(99), from: 'pasted' }]);
    assert.match(logged.join('\n'), /"said-99" was not kept: 61 proposals wait/);
  });

  it('pass over what is no proposal, say so once, and leave it where it is', async () => {
    const outside = path.join(temp.path, 'outside.md');
    await fs.writeFile(outside, TABS_FILE);
    const foreign = {
      'note.md': 'A note.',
      'no-kind.md': TABS_FILE.replace('kind: add\n', ''),
      'no-target.md': TABS_FILE.replace('kind: add', 'kind: update'),
      'way-out.md': TABS_FILE.replace(
        'kind: add',
        `kind: update\ntarget: ../../x.md\ntarget_hash: ${'a'.repeat(64)}`,
      ),
      'code.md': TABS_FILE.replace('---', '---js'),
      'large.md': TABS_FILE + 'x'.repeat(70_000),
      '.hidden.md': TABS_FILE,
      'readme.txt': 'x',
    };
    await write({ ...foreign, 'good.md': TABS_FILE });
    await fs.symlink(outside, path.join(folder(), 'link.md'));
    await fs.mkdir(path.join(folder(), 'folder.md'));
    const proposals = open();
    for (let time = 0; time < 2; time++)
      assert.deepEqual(
        (await proposals.list()).map(({ file }) => file),
        ['good.md'],
      );
    const told = logged.map((line) => /([\w-]+\.md) is left alone/.exec(line)?.[1]);
    assert.deepEqual(told.toSorted(), [
      'code.md',
      'folder.md',
      'large.md',
      'link.md',
      'no-kind.md',
      'no-target.md',
      'note.md',
      'way-out.md',
    ]);
    const tree = await readTree(folder());
    for (const [file, text] of Object.entries(foreign)) assert.equal(tree[file], text);
  });

  it('show all that stands in them, on one line where it should be one', async () => {
    const hidden = '\u202e\u{e0041}\u200b';
    await write({
      'good.md': TABS_FILE.replace(/^quote: .*$/m, `quote: "I prefer\\n\\u0007 tabs.${hidden}"`)
        .replace(/^description: .*$/m, `description: Prefers tabs${hidden}`)
        .trimEnd()
        .concat(hidden),
    });
    const [{ fields, quote } = assert.fail()] = await open().list();
    assert.equal(fields.description, 'Prefers tabs');
    assert.equal(fields.body, 'Use tabs, says tabs.');
    assert.equal(quote, 'I prefer tabs.');
  });

  it('are not read, written or rejected through a link', async () => {
    const outside = path.join(temp.path, 'outside');
    await writeTree(outside, { 'tabs.md': TABS_FILE });
    await fs.mkdir(path.dirname(folder()));
    await fs.symlink(outside, folder());
    const proposals = open();
    assert.deepEqual(await proposals.list(), []);
    await assert.rejects(proposals.add([proposedTabs()]), /\.proposed is a link/);
    await fs.rm(folder());
    const [kept] = await proposals.add([proposedTabs()]);
    assert.ok(kept);
    await fs.symlink(outside, path.join(folder(), 'rejected'));
    await assert.rejects(proposals.reject(kept), /rejected is a link/);
    assert.deepEqual(await names(), ['tabs']);
    const away = { ...kept, file: '../../outside/tabs.md' };
    await assert.rejects(proposals.reject(away), /is not the name of a proposal/);
    await assert.rejects(proposals.remove(away), /is not the name of a proposal/);
    await fs.rename(folder(), path.join(temp.path, 'away'));
    await fs.symlink(outside, folder());
    await assert.rejects(proposals.reject(kept), /no longer waits/);
    await proposals.remove(kept);
    assert.deepEqual(await readTree(outside), { 'tabs.md': TABS_FILE });
  });

  it('tell their listeners of each change, and of one from outside when there was one', async () => {
    const proposals = open();
    let told = 0;
    const unsubscribe = proposals.onDidChange(() => told++);
    const [kept] = await proposals.add([proposedTabs()]);
    assert.equal(told, 1);
    await proposals.refresh();
    assert.equal(told, 1);
    await open().add([proposedTabs({ name: 'other' })]);
    await proposals.refresh();
    assert.equal(told, 2);
    assert.ok(kept);
    await proposals.reject(kept);
    await proposals.takeBack(kept);
    await proposals.remove(kept);
    assert.equal(told, 5);
    unsubscribe();
    await proposals.add([proposedTabs()]);
    assert.equal(told, 5);
  });

  it('are right at once when a file is edited', async () => {
    const proposals = open();
    await proposals.add([proposedTabs()]);
    await proposals.list();
    await write({ 'tabs.md': TABS_FILE.replace('says', 'SAYS') });
    assert.equal((await proposals.list())[0]?.fields.body, 'Use tabs, SAYS tabs.');
  });
});
