import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { together } from '../../src/agent/learning/learned.ts';
import { silentLog } from '../../src/base/log.ts';
import { EXTENSION_ID, MEMORIES_VIEW_ID, SETTINGS_SECTION } from '../../src/manifest.ts';
import { writeBegun } from '../../src/memory/consolidation/begunFile.ts';
import { Trash } from '../../src/memory/folder/trash.ts';
import type { Mode } from '../../src/memory/mode.ts';
import type { NewRecord } from '../../src/memory/record.ts';
import type { MemoryNode } from '../../src/vscode/sidebar/memoryNodes.ts';
import type { Notices } from '../../src/vscode/host/settingRules.ts';
import { WorkspaceMemory } from '../../src/vscode/workspaceMemory.ts';
import { proposedTabs } from '../support/proposals.ts';
import { useTempFolder, writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const TABS = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';

const TABS_AND_LINK: NewRecord = {
  name: 'tabs',
  description: 'Prefers [tabs](command:x)',
  type: 'user',
  body: 'Use tabs.',
};

/** A window of its own: VS Code starts its extensions anew when the folders of this one change. */
describe('the memories of a window', () => {
  const restore: (() => void)[] = [];
  let folders: vscode.WorkspaceFolder[];
  let isTrusted: boolean;
  let foldersChanged: vscode.EventEmitter<void>;
  let trusted: vscode.EventEmitter<void>;
  let watchers: number;
  let tree: vscode.TreeDataProvider<MemoryNode> | undefined;
  let status: vscode.StatusBarItem | undefined;
  let memory: WorkspaceMemory | undefined;
  let isSet = false;
  const stub = useWindowStubs();

  before(async () => {
    // Else the extension that is tested may begin in the midst of a test, and its watchers would be counted.
    await vscode.extensions.getExtension(EXTENSION_ID)?.activate();
  });

  beforeEach(() => {
    folders = [];
    isTrusted = true;
    watchers = 0;
    foldersChanged = new vscode.EventEmitter();
    trusted = new vscode.EventEmitter();
    const { workspace, window } = vscode;
    replace(workspace, 'workspaceFolders', { get: () => folders });
    replace(workspace, 'isTrusted', { get: () => isTrusted });
    replace(workspace, 'onDidChangeWorkspaceFolders', { value: foldersChanged.event });
    replace(workspace, 'onDidGrantWorkspaceTrust', { value: trusted.event });
    const { createFileSystemWatcher } = workspace;
    const watch: typeof createFileSystemWatcher = (...args) => {
      watchers++;
      const watcher = createFileSystemWatcher(...args);
      const dispose = watcher.dispose.bind(watcher);
      watcher.dispose = () => {
        watchers--;
        dispose();
      };
      return watcher;
    };
    replace(workspace, 'createFileSystemWatcher', { value: watch });
    replace(window, 'createTreeView', {
      value: (id: string, options: vscode.TreeViewOptions<MemoryNode>) => {
        const { event } = new vscode.EventEmitter<void>();
        const view = {
          message: '',
          visible: true,
          selection: [],
          onDidChangeVisibility: event,
          onDidChangeSelection: event,
          onDidCollapseElement: event,
          onDidExpandElement: event,
        };
        if (id !== MEMORIES_VIEW_ID) return { ...view, dispose: () => undefined };
        tree = options.treeDataProvider;
        return { ...view, dispose: () => (tree = undefined) };
      },
    });
    const { createStatusBarItem } = window;
    replace(window, 'createStatusBarItem', {
      value: () => (status = createStatusBarItem('memoryAgent.test')),
    });
  });

  afterEach(async () => {
    // What is written in the background must be, before the folder goes.
    await memory?.current?.scopes.refresh();
    memory?.dispose();
    memory = undefined;
    for (const undo of restore.splice(0)) undo();
    if (!isSet) return;
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    for (const key of ['notices', 'extraction'])
      await configuration.update(key, undefined, vscode.ConfigurationTarget.Global);
    isSet = false;
  });
  const temp = useTempFolder();

  it('are those of the folders that are open, whatever comes and goes', async () => {
    open('a');
    memory = begin();
    assert.deepEqual(scopeNames(), ['a', '']);
    await personalIsWatched();
    const [first] = memory.current?.scopes.all ?? [];

    open('a', 'b');
    await writeTree(temp.path, { 'a/.memory/tabs.md': TABS, 'b/.memory/tabs.md': TABS });
    assert.deepEqual(scopeNames(), ['a', 'b', '']);
    assert.equal(memory.current?.scopes.all[0]?.store, first?.store);
    await memory.current?.scopes.refresh();
    await untilShown('a', 'b');
    assert.equal(watchers, 3);

    open('b');
    assert.deepEqual(scopeNames(), ['b', '']);
    await untilShown('user', 'feedback', 'project', 'reference');
    assert.equal(watchers, 2);

    memory.dispose();
    assert.equal(watchers, 0);
    assert.equal(tree, undefined);
    open('a', 'b');
    assert.equal(watchers, 0);
  });

  it('leave no watcher when the window closes while it begins', async () => {
    memory = begin();
    memory.dispose();
    while (!(await fs.readdir(temp.path)).includes('global'));
    await memory.current?.scopes.refresh();
    assert.equal(watchers, 0);
  });

  it('take a new one in the folder that the active editor shows, else in the first', async () => {
    open('a', 'b');
    replace(vscode.workspace, 'getWorkspaceFolder', {
      value: ({ fsPath }: vscode.Uri) =>
        folders.find(({ uri }) => fsPath.startsWith(uri.fsPath + path.sep)),
    });
    await writeTree(temp.path, { 'b/notes.txt': 'Notes', 'elsewhere.txt': 'Else' });
    memory = begin();
    assert.equal(memory.current?.scopes.home.name, 'a');
    for (const [file, home] of [
      ['b/notes.txt', 'b'],
      ['elsewhere.txt', 'a'],
    ] as const) {
      await vscode.window.showTextDocument(vscode.Uri.file(path.join(temp.path, file)));
      assert.equal(memory.current?.scopes.home.name, home, file);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are the personal ones alone while no folder is open', async () => {
    await writeTree(temp.path, { 'global/memory/tabs.md': TABS });
    memory = begin();
    assert.deepEqual(scopeNames(), ['']);
    await untilShown('Personal');
  });

  it('are none until the workspace is trusted, and then begin once', async () => {
    isTrusted = false;
    open('a');
    await writeTree(temp.path, { 'a/.memory/tabs.md': TABS });
    memory = begin();
    assert.equal(memory.current, undefined);
    assert.deepEqual(await labels(), []);
    assert.equal(watchers, 0);

    isTrusted = true;
    trusted.fire();
    const { current } = memory;
    assert.deepEqual(scopeNames(), ['a', '']);
    await untilShown('user', 'feedback', 'project', 'reference');
    trusted.fire();
    await personalIsWatched();
    assert.equal(memory.current, current);
    assert.equal(watchers, 2);
  });

  it('show what another window writes among the personal ones, the first of all too', async () => {
    memory = begin();
    // Before they are told of anything, so that nothing but a watcher can tell.
    await memory.current?.scopes.refresh();
    assert.deepEqual(await labels(), []);
    // A watcher is deaf until the disk is watched.
    const writing = setInterval(() => {
      void writeTree(temp.path, { 'global/memory/tabs.md': TABS });
    }, 50);
    await untilShown('Personal').finally(() => clearInterval(writing));
  });

  it('show what is saved in an editor, also where the disk tells of nothing', async () => {
    const { event } = new vscode.EventEmitter<vscode.Uri>();
    const deaf = { onDidCreate: event, onDidChange: event, onDidDelete: event, dispose: () => {} };
    replace(vscode.workspace, 'createFileSystemWatcher', { value: () => deaf });
    open('a');
    await writeTree(temp.path, { 'a/.memory/tabs.md': TABS });
    memory = begin();
    await memory.current?.scopes.refresh();
    const isTold = Promise.withResolvers<void>();
    const unsubscribe = memory.current?.scopes.onDidChange(isTold.resolve);
    const uri = vscode.Uri.file(path.join(temp.path, 'a', '.memory', 'tabs.md'));
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(editor.document.positionAt(TABS.length), 'Always.\n'));
    await editor.document.save();
    await isTold.promise;
    unsubscribe?.();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are counted in the status bar, with those that are personal', async () => {
    open('a', 'b');
    await writeTree(temp.path, {
      'a/.memory/tabs.md': TABS,
      'b/.memory/tabs.md': TABS,
      'b/.memory/bad.md': '',
      'global/memory/tabs.md': TABS,
    });
    memory = begin();
    await memory.current?.scopes.refresh();
    await statusText('$(notebook) 3');
    assert.equal(firstLine(), '**2 memories in this workspace, 1 personal, 1 damaged file**');
    open();
    await statusText('$(notebook) 1');
    assert.equal(firstLine(), '**1 personal memory**');
  });

  it('are shown in the status bar with how full the window of the model is', async () => {
    memory = begin();
    await memory.current?.scopes.refresh();
    await statusText('$(notebook) 0');
    const usage = {
      input: 20_000,
      output: 1_500,
      cacheRead: 75_000,
      cacheWrite: 5_000,
      requests: 3,
    };
    memory.follow({ type: 'answered', tokens: 120_000, limit: 160_000, usage });
    assert.deepEqual(tooltip().split('\n\n').slice(0, 5), [
      '**0 personal memories**',
      '---',
      'Context: 120,000 tokens; compaction begins at 160,000 (75%)',
      '`██████████████████░░░░░░`',
      'Tokens of this conversation: 100,000 in (75% from the cache), 1,500 out; requests: 3',
    ]);
    assert.equal(
      status?.accessibilityInformation?.label,
      '0 personal memories. Context: 120,000 tokens; compaction begins at 160,000 (75%).',
    );
    const archive = path.join(temp.path, 'archive.jsonl');
    const stages = ['summarise'] as const;
    memory.follow({ type: 'compacted', stages, before: 120_000, after: 40_000, archive });
    assert.match(tooltip(), /Context: 40,000 tokens; compaction begins at 160,000 \(25%\)/);
  });

  it('are counted in the status bar with the proposed ones that wait', async () => {
    open('a');
    memory = begin();
    const [first] = memory.current?.scopes.all ?? [];
    assert.ok(first);
    await first.store.proposals.add([proposedTabs()]);
    await statusText('$(notebook) 0 · 1 to review');
    assert.equal(firstLine(), '**0 memories in this workspace, 1 to review**');
    assert.match(tooltip(), /\[Review Proposals\]\(command:memoryAgent\.review\.focus\)/);
    const [proposal] = await first.store.proposals.list();
    assert.ok(proposal);
    await first.store.proposals.reject(proposal);
    await statusText('$(notebook) 0');
  });

  it('are told of after a turn in a notification, in the status bar or not at all, as set', async () => {
    const notified = stub('showInformationMessage');
    const inStatusBar = stub('setStatusBarMessage');
    memory = begin();
    const { scopes } = memory.current ?? {};
    assert.ok(scopes);
    const saved = await scopes.create(TABS_AND_LINK);
    const learned = together([{ saved: [saved] }]);
    const text = 'Remembered “tabs”: Prefers [tabs]\u2060(command:x)';

    memory.tellLearned(learned);
    await until(async () => notified.length === 1);
    assert.deepEqual(notified[0], [text, 'Open', 'Show in Memories View', 'Undo']);
    assert.match(tooltip(), /Prefers \\\[tabs\\\]/);
    assert.ok(status);
    assert.ok(status.accessibilityInformation?.label.endsWith(`. ${text}.`));

    await set('statusBar');
    memory.tellLearned(learned);
    await until(async () => inStatusBar.length === 1);
    assert.equal(inStatusBar[0]?.[0], text);
    assert.match(tooltip(), /\[Show\]\(command:memoryAgent\.showLastNotice\)/);
    assert.ok(status.tooltip instanceof vscode.MarkdownString);
    const { isTrusted } = status.tooltip;
    assert.ok(typeof isTrusted === 'object');
    const linked = [...tooltip().matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command);
    assert.deepEqual(
      linked.filter((command) => !isTrusted.enabledCommands.includes(command ?? '')),
      [],
    );
    memory.showLastNotice();
    await until(async () => notified.length === 2);
    assert.deepEqual(notified[1], notified[0]);
    // What a command was asked for is told in any case.
    memory.notify([saved]);
    assert.equal(notified.length, 3);

    await set('none');
    memory.tellExpired([saved]);
    memory.showLastNotice();
    await until(async () => notified.length === 4);
    assert.equal(inStatusBar.length, 1);
    assert.match(String(notified[3]?.[0]), /has expired and moved to the trash/);
  });

  it('are told of in one notice when several things happen at one moment', async () => {
    const notified = stub('showInformationMessage');
    memory = begin();
    const { scopes } = memory.current ?? {};
    assert.ok(scopes);
    const saved = await scopes.create(TABS_AND_LINK);
    const expired = [await scopes.remove(saved.record, 'expired')];
    memory.tellLearned(together([{ saved: [saved] }]));
    memory.tellExpired(expired);
    await until(async () => notified.length > 0);
    assert.equal(notified.length, 1);
    assert.match(String(notified[0]?.[0]), /^Remembered “tabs”.* has expired/);
  });

  it('are told of in the status bar with what is not as it comes', async () => {
    await setExtraction('off');
    memory = begin();
    await memory.current?.scopes.refresh();
    await statusText('$(notebook) 0');
    assert.match(tooltip(), /Nothing is saved by itself\./);
    assert.match(status?.accessibilityInformation?.label ?? '', /Nothing is saved by itself/);
    await setExtraction('auto');
    await until(async () => !tooltip().includes('Nothing is saved by itself.'));
  });

  it('are counted in the status bar as far as they can be read, and it says what cannot', async () => {
    open('a', 'b');
    memory = begin();
    const [first, second] = memory.current?.scopes.all ?? [];
    assert.ok(first && second);
    replaceNew(first.store, 'list', () => Promise.reject(new Error('No [access](x).')));
    await second.store.create(TABS_AND_LINK);
    await statusText('$(warning) 1');
    assert.match(tooltip(), /The memories cannot be read\\: No \\\[access\\\]/);
    assert.match(tooltip(), /\[Try Again\]\(command:memoryAgent\.refreshMemories\)/);
    assert.match(status?.accessibilityInformation?.label ?? '', /cannot be read: No/);
    for (const undo of restore.splice(-1)) undo();
    await second.store.create({ ...TABS_AND_LINK, name: 'more', body: 'Use more tabs.' });
    await statusText('$(notebook) 2');
    assert.doesNotMatch(tooltip(), /cannot be read/);
  });

  it('are said not to be used in the status bar until the workspace is trusted', async () => {
    isTrusted = false;
    open('a');
    memory = begin();
    assert.equal(status?.tooltip, 'Memories are not used until you trust the workspace.');
    assert.equal(status.command, 'workbench.trust.manage');
    isTrusted = true;
    trusted.fire();
    await statusText('$(notebook) 0');
  });

  it('are learned from though a consolidation that was cut off cannot be completed', async () => {
    open('a');
    const trash = new Trash(path.join(temp.path, 'global', 'memory'), () => new Date());
    await writeBegun(trash, { group: 'cut off', works: [] });
    await writeTree(temp.path, {
      'global/memory/.gitignore/file': 'No rules for git, so nothing is written here.',
    });
    const asked = Promise.withResolvers<undefined>();
    const chooseModel = (): Promise<undefined> => {
      asked.resolve(undefined);
      return asked.promise;
    };
    const errors: string[] = [];
    const log = { ...silentLog, error: (line: string) => errors.push(line) };
    memory = begin({ chooseModel, log });
    await asked.promise;
    assert.ok(errors.some((line) => line.startsWith('[consolidation] One that was cut off')));
    await fs.rm(path.join(temp.path, 'global', 'memory', '.gitignore'), { recursive: true });
  });

  it('have no last notice before anything has happened', async () => {
    const notified = stub('showInformationMessage');
    memory = begin();
    memory.showLastNotice();
    memory.tellLearned(together([]));
    assert.deepEqual(notified, [['There was no notice yet.']]);
  });

  async function set(notices: Notices): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    const { Global } = vscode.ConfigurationTarget;
    await configuration.update('notices', notices, Global);
    isSet = true;
  }

  async function setExtraction(mode: Mode): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
    await configuration.update('extraction', mode, vscode.ConfigurationTarget.Global);
    isSet = true;
  }

  function firstLine(): string | undefined {
    return tooltip().split('\n')[0];
  }

  function tooltip(): string {
    assert.ok(status?.tooltip instanceof vscode.MarkdownString);
    return status.tooltip.value;
  }

  function begin(
    more: Partial<ConstructorParameters<typeof WorkspaceMemory>[0]> = {},
  ): WorkspaceMemory {
    return new WorkspaceMemory({
      personalFolder: path.join(temp.path, 'global', 'memory'),
      log: silentLog,
      noticeMs: { collectMs: 0, sightMs: 0 },
      ...more,
    });
  }

  function open(...names: readonly string[]): void {
    folders = names.map((name, index) => ({
      name,
      index,
      uri: vscode.Uri.file(path.join(temp.path, name)),
    }));
    foldersChanged.fire();
  }

  function scopeNames(): readonly string[] | undefined {
    return memory?.current?.scopes.all.map(({ name }) => name);
  }

  async function labels(): Promise<readonly unknown[]> {
    const nodes = (await tree?.getChildren()) ?? [];
    return nodes.map((node) => {
      const item = tree?.getTreeItem(node);
      return item && 'label' in item ? item.label : undefined;
    });
  }

  async function untilShown(...rows: readonly string[]): Promise<void> {
    await until(async () => isDeepStrictEqual(await labels(), rows));
  }

  /** Its folder is made in the background. */
  async function personalIsWatched(): Promise<void> {
    await until(async () => watchers > folders.length);
  }

  /** It is counted in the background. */
  async function statusText(text: string): Promise<void> {
    await until(async () => status?.text === text);
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise(setImmediate);
  }

  /** Of a method that the class has. */
  function replaceNew(object: object, key: string, value: unknown): void {
    Object.defineProperty(object, key, { value, configurable: true });
    restore.push(() => Reflect.deleteProperty(object, key));
  }

  function replace(object: object, key: string, property: PropertyDescriptor): void {
    const original = Object.getOwnPropertyDescriptor(object, key);
    assert.ok(original, key);
    Object.defineProperty(object, key, { ...property, configurable: true });
    restore.push(() => Object.defineProperty(object, key, original));
  }
});
