import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { sharedFiles } from '../../src/memory/folder/gitSharing.ts';
import { untrackCommand } from '../../src/vscode/memories/gitAdvice.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { TABS } from '../support/records.ts';
import { writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('sharing a memory', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();
  const folder = () => path.dirname(run.store.folder);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder(), '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      encoding: 'utf8',
    });

  beforeEach(async () => {
    await fs.mkdir(folder(), { recursive: true });
    git('init', '--quiet');
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('lets git take it, tells what will be committed, and that alone', async () => {
    const { record } = await run.store.create(TABS);
    await run.store.create({ ...TABS, name: 'other', body: 'Other' });
    const told = stub('showInformationMessage');
    await run.commands.shareWithGit({ kind: 'record', record });
    git('add', '--all');
    assert.deepEqual(git('ls-files').trim().split('\n'), ['.memory/.gitignore', '.memory/tabs.md']);
    assert.match(
      String(told[0]?.[0]),
      /^“tabs” can be committed now, together with “\.memory\/\.gitignore”/,
    );
  });

  it('says so where there is no repository', async () => {
    await fs.rm(path.join(folder(), '.git'), { recursive: true });
    const { record } = await run.store.create(TABS);
    const told = stub('showInformationMessage');
    await run.commands.shareWithGit({ kind: 'record', record });
    assert.deepEqual(told, [
      ['This folder is in no Git repository yet. Once it is, Git takes “tabs”.', 'Undo'],
    ]);
  });

  it('offers the private ones to share, and the shared ones to keep private', async () => {
    const { record } = await run.store.create(TABS);
    await run.store.create({ ...TABS, name: 'other', body: 'Other' });
    await run.personal.create({ ...TABS, name: 'mine' });
    stub('showInformationMessage');
    await run.commands.shareWithGit({ kind: 'record', record });
    const asked = stub('showQuickPick');
    await run.commands.shareWithGit();
    await run.commands.keepPrivate();
    assert.deepEqual(
      asked.map(([items]) => (items as vscode.QuickPickItem[]).map(({ label }) => label)),
      [['other'], ['tabs']],
    );
  });

  it('shares none when one of them holds a secret, in whatever field', async () => {
    const { record } = await run.store.create(TABS);
    await writeTree(run.store.folder, {
      'push.md': `---\nname: push\ndescription: Push\ntype: project\ntoken: ${TOKEN}\n---\n\nPush.\n`,
    });
    const { records } = await run.store.list();
    const nodes = records.map((each) => ({ kind: 'record', record: each }));
    await assert.rejects(
      run.commands.shareWithGit(nodes[0], nodes),
      /“push” holds a GitHub token.*first/,
    );
    assert.deepEqual(await sharedFiles(run.store.folder, [record.file, 'push.md']), new Set());
  });

  it('says which rule elsewhere hides it all the same, and opens that', async () => {
    await writeTree(folder(), { '.gitignore': 'dist\n.memory/\n' });
    const { record } = await run.store.create(TABS);
    const told = stub('showWarningMessage', () => 'Open Rule');
    const opened = new Promise<vscode.TextEditor>((resolve) => {
      const listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (!editor) return;
        listener.dispose();
        resolve(editor);
      });
    });
    await run.commands.shareWithGit({ kind: 'record', record });
    const editor = await opened;
    assert.match(String(told[0]?.[0]), /“\.memory\/” in line 2 of \.gitignore/);
    assert.equal(editor.document.fileName, path.join(folder(), '.gitignore'));
  });

  it('keeps it private again, and gives the command for what git has already', async () => {
    const { record } = await run.store.create(TABS);
    stub('showInformationMessage');
    await run.commands.shareWithGit({ kind: 'record', record });
    git('add', '--all');
    const copied = Promise.withResolvers<void>();
    const told = stub('showWarningMessage', () => {
      queueMicrotask(copied.resolve);
      return 'Copy Command';
    });
    await run.commands.keepPrivate({ kind: 'record', record });
    await copied.promise;
    assert.match(String(told[0]?.[0]), /still tracks “tabs”.*git rm --cached -- /);
    git('rm', '--quiet', '--cached', '--', '.memory/tabs.md');
    git('add', '--all');
    assert.ok(!git('ls-files').includes('tabs.md'));
  });

  it('says so when git takes it no more', async () => {
    const { record } = await run.store.create(TABS);
    const told = stub('showInformationMessage');
    await run.commands.shareWithGit({ kind: 'record', record });
    await run.commands.keepPrivate({ kind: 'record', record });
    assert.match(String(told[1]?.[0]), /does not take “tabs” any more/);
  });

  it('takes both back, by the button of the message and as the last change', async () => {
    const { record } = await run.store.create(TABS);
    const isShared = async () => (await sharedFiles(run.store.folder, ['tabs.md'])).size === 1;
    const undone = Promise.withResolvers<unknown>();
    stub('setStatusBarMessage', undone.resolve);
    const told = stub('showInformationMessage', (_text, ...buttons) =>
      buttons.find((button) => button === 'Undo'),
    );
    await run.commands.shareWithGit({ kind: 'record', record });
    assert.equal(await undone.promise, 'Undone.');
    assert.equal(await isShared(), false);

    await run.store.shares.share('tabs.md', 'share');
    await run.store.shares.keepPrivate('tabs.md', 'hide');
    await run.commands.undoLastChange();
    assert.equal(await isShared(), true);
    await run.commands.undoLastChange();
    assert.equal(await isShared(), false);
    assert.deepEqual(
      told.slice(1).map(([text]) => text),
      ['Undone. Shared with Git again: “tabs”', 'Undone. Private again: “tabs”'],
    );
  });

  it('makes no command of a file name', () => {
    const command = untrackCommand(['/a/$(touch x).md', "/a/it's.md"]);
    if (process.platform === 'win32') return;
    const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${command}`], {
      encoding: 'utf8',
    });
    assert.deepEqual(words.trim().split('\n').slice(4), ['/a/$(touch x).md', "/a/it's.md"]);
  });
});
