import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { SETTINGS_SECTION } from '../../src/manifest.ts';
import type { Change } from '../../src/memory/change.ts';
import { registerExpiry } from '../../src/vscode/upkeep/expiryUpkeep.ts';
import { personalExpiryDays } from '../../src/vscode/host/settings.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { TABS } from '../support/records.ts';
import { writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
/** A project memory of that time. */
const OLD =
  '---\nname: old\ndescription: The API is frozen\ntype: project\ncreated: 2020-01-01\n---\n\nOld.\n';

describe('upkeep commands', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();

  it('check all scopes and report with the scope of each file', async () => {
    await run.store.create({ ...TABS, name: 'stale', description: 'Lives in `src/gone.ts`' });
    await run.personal.create({ ...TABS, name: 'mine', body: 'See `src/other.ts`.' });
    await writeTree(run.other.folder, { 'bad.md': '---\nname: [\n---\n' });
    await writeTree(run.other.folder, { 'old.md': OLD }, LONG_AGO);
    run.expireAfterDays = 30;
    await run.commands.healthCheck();
    const [report] = run.reports;
    assert.equal(report?.title, 'Memory Health');
    assert.match(report.markdown, /4 memories checked/);
    assert.match(report.markdown, /stale\\\.md\]\(file:[^)]+\) \(one\).*there is no file/);
    assert.match(report.markdown, /bad\\\.md.*\(two\)/);
    assert.match(report.markdown, /old\\\.md.*expired on/);
    // What is personal speaks of no project.
    assert.ok(!/mine\\\.md.*there is no file/.test(report.markdown));
  });

  it('find secrets in any field, in files that are no memory, and in the trash', async () => {
    await writeTree(run.store.folder, {
      'push.md': `---\nname: push\ndescription: Push\ntype: project\ntoken: ${TOKEN}\n---\n\nPush.\n`,
      'bad.md': `no front matter, but ${TOKEN}`,
    });
    await writeTree(run.personal.folder, {
      'mine.md': `---\nname: mine\ndescription: Mine\ntype: user\n---\n\n${TOKEN}\n`,
    });
    const [mine] = (await run.personal.list()).records;
    await run.personal.remove(mine ?? assert.fail(), 'deleted');
    await run.commands.scanForSecrets();
    const [report] = run.reports;
    assert.ok(report);
    assert.match(report.markdown, /3 files searched, 3 secrets found/);
    assert.match(
      report.markdown,
      /## Secrets \(2\)[^]*push\\\.md[^]*## In the trash \(1\)[^]*mine\\\.md/,
    );
    assert.ok(!report.markdown.replaceAll('\\', '').includes(TOKEN));
  });

  it('say so when there is no secret', async () => {
    await run.store.create(TABS);
    await run.commands.scanForSecrets();
    assert.match(run.reports[0]?.markdown ?? '', /1 file searched, no secret found\*/);
  });

  it('retire what has expired, in all scopes as one change, and report it', async () => {
    run.expireAfterDays = 30;
    for (const store of [run.store, run.personal])
      await writeTree(store.folder, { 'old.md': OLD }, LONG_AGO);
    const soon = new Date(Date.now() + 5 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    await run.store.create({ ...TABS, name: 'soon', type: 'project', body: 'Soon', expires: soon });
    await run.commands.retireExpired();
    assert.deepEqual(
      (await run.scopes.list()).records.map(({ name }) => name),
      ['soon'],
    );
    assert.deepEqual(
      (await run.store.trashed()).map(({ reason }) => reason),
      ['expired'],
    );
    assert.equal(run.notified.length, 2);
    const [report] = run.reports;
    assert.match(report?.markdown ?? '', /2 memories expired and moved to the trash/);
    assert.match(report?.markdown ?? '', /soon\\\.md.*expires on/);
    stub('showInformationMessage');
    await run.commands.undoLastChange();
    assert.equal((await run.scopes.list()).records.length, 3);
  });

  it('retire nothing that is pinned, a preference or guidance', async () => {
    run.expireAfterDays = 30;
    const files = {
      'pinned.md': OLD.replace('---\n\n', 'pinned: true\n---\n\n'),
      'user.md': OLD.replace('project', 'user'),
      'feedback.md': OLD.replace('project', 'feedback'),
    };
    await writeTree(run.store.folder, files, LONG_AGO);
    await run.commands.retireExpired();
    assert.equal((await run.store.list()).records.length, 3);
    assert.deepEqual(run.notified, []);
  });
});

describe('expiry by itself', () => {
  const run = useMemoryCommands();
  const { Global } = vscode.ConfigurationTarget;
  let upkeep: vscode.Disposable | undefined;
  let memento: vscode.Memento;

  beforeEach(() => {
    const values = new Map<string, unknown>();
    memento = {
      keys: () => [...values.keys()],
      get: (key: string) => values.get(key),
      update: async (key: string, value: unknown) => void values.set(key, value),
    } as vscode.Memento;
  });

  afterEach(async () => {
    upkeep?.dispose();
    await configuration().update('expireProjectAfterDays', undefined, Global);
  });

  it('runs when it begins, and tells what it retired', async () => {
    await writeTree(run.store.folder, { 'old.md': OLD }, LONG_AGO);
    const [change] = await begin(() => 30);
    assert.equal(change?.record.name, 'old');
    assert.deepEqual((await run.store.list()).records, []);
  });

  it('leaves what a person brought back, until they change it', async () => {
    await writeTree(run.store.folder, { 'old.md': OLD }, LONG_AGO);
    const [change] = await begin(() => 30);
    assert.deepEqual(await run.scopes.undoAll([change ?? assert.fail()]), []);
    upkeep?.dispose();
    await writeTree(run.other.folder, { 'other.md': OLD.replace('Old.', 'Other.') }, LONG_AGO);
    const changes = await begin(() => 30);
    assert.deepEqual(
      changes.map(({ record }) => record.name),
      ['old'],
    );
    assert.deepEqual(
      (await run.scopes.list()).records.map(({ file }) => file),
      ['old.md'],
    );
  });

  it('runs when the setting changes', async () => {
    await writeTree(run.store.folder, { 'old.md': OLD }, LONG_AGO);
    const retired = begin(personalExpiryDays);
    await configuration().update('expireProjectAfterDays', 30, Global);
    assert.equal((await retired)[0]?.record.name, 'old');
  });

  /** What it tells of first. */
  function begin(expireAfterDays: () => number): Promise<readonly Change[]> {
    return new Promise((resolve) => {
      upkeep = registerExpiry({
        scopes: () => run.scopes,
        expireAfterDays,
        notify: resolve,
        memento,
        log: silentLog,
        settleMs: 0,
      });
    });
  }

  function configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(SETTINGS_SECTION);
  }
});
