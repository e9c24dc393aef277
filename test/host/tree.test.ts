import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { TREE_CONTEXT } from '../../src/manifest.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { MemoryTree } from '../../src/vscode/sidebar/memoryTree.ts';
import type { MemoryNode } from '../../src/vscode/sidebar/memoryNodes.ts';
import { registerMemoryWatcher } from '../../src/vscode/host/memoryWatcher.ts';
import { proposedTabs } from '../support/proposals.ts';
import { scopesOf } from '../support/scopes.ts';
import { useTempFolder, writeTree } from '../support/tempFolder.ts';

const TABS = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';
const QUOTES = '---\nname: quotes\ndescription: Single quotes\ntype: user\n---\n\nUse quotes.\n';
const PINNED_TABS = TABS.replace('type: user', 'type: user\npinned: true\nexpires: 2026-11-30');
const OWN = QUOTES.replace('quotes', 'own');

describe('memory tree', () => {
  const temp = useTempFolder();
  let listed: number;

  it('has no row when nothing is remembered, so that VS Code shows the welcome text', async () => {
    assert.deepEqual(await rows(await treeOf({})), []);
  });

  it('shows the four groups with their counts, and the records below', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'quotes.md': QUOTES });
    assert.deepEqual(await rows(tree), [
      'user 2',
      '  quotes Single quotes',
      '  tabs Prefers tabs',
      'feedback 0',
      'project 0',
      'reference 0',
    ]);
  });

  it('shows a damaged file in a group of its own, with what is wrong', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'bad.md': 'no front matter' });
    const item = tree.getTreeItem(await nodeNamed(tree, 'bad.md'));
    assert.equal(item.contextValue, TREE_CONTEXT.damaged);
    assert.ok(item.iconPath instanceof vscode.ThemeIcon && item.iconPath.id === 'error');
    assert.match(String(item.description), /\S/);
    assert.deepEqual((await rows(tree)).at(-2), 'Damaged 1');
    const group = tree.getTreeItem(await nodeNamed(tree, 'Damaged'));
    assert.equal(group.accessibilityInformation?.label, 'Damaged, number of files: 1');
  });

  it('opens the file on a click, as a preview', async () => {
    const tree = await treeOf({ 'tabs.md': TABS });
    const { command } = tree.getTreeItem(await nodeNamed(tree, 'tabs'));
    assert.ok(command);
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputText);
    assert.equal(activeTab.input.uri.fsPath, path.join(temp.path, '.memory', 'tabs.md'));
    assert.equal(activeTab.isPreview, true);
  });

  it('gives each row the same id after a refresh, and a parent at every level', async () => {
    const tree = await treeOf({ 'tabs.md': TABS }, { 'quotes.md': QUOTES });
    const before = await nodeNamed(tree, 'quotes');
    const after = await nodeNamed(tree, 'quotes');
    assert.equal(tree.getTreeItem(before).id, tree.getTreeItem(after).id);
    const group = tree.getParent(after);
    const scope = group && tree.getParent(group);
    assert.ok(scope && tree.getParent(scope) === undefined);
    assert.deepEqual(
      [group, scope].map((node) => tree.getTreeItem(node).label),
      ['user', 'Personal'],
    );
  });

  it('shows personal memories below, open at first', async () => {
    const tree = await treeOf({ 'tabs.md': TABS }, { 'quotes.md': QUOTES, 'bad.md': '' });
    assert.deepEqual((await rows(tree)).slice(5), [
      'Personal 1',
      '  user 1',
      '    quotes Single quotes',
      '  feedback 0',
      '  project 0',
      '  reference 0',
      '  Damaged 1',
      '    bad.md The file has no front matter.',
    ]);
    const item = tree.getTreeItem(await nodeNamed(tree, 'Personal'));
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.equal(item.contextValue, TREE_CONTEXT.scope);
  });

  it('tells menus whether a record is pinned, whose it is and whether git takes it', async () => {
    const tree = await treeOf({ 'tabs.md': PINNED_TABS, 'quotes.md': QUOTES }, { 'own.md': OWN });
    const contexts = [];
    for (const label of ['tabs', 'quotes', 'own'])
      contexts.push(tree.getTreeItem(await nodeNamed(tree, label)).contextValue);
    assert.deepEqual(contexts, [
      'memoryAgent.record pinned workspace shared',
      'memoryAgent.record unpinned workspace private',
      'memoryAgent.record unpinned personal',
    ]);
  });

  it('says of a shared and pinned record that it is, in the hover and to a screen reader', async () => {
    const tree = await treeOf({ 'tabs.md': PINNED_TABS, 'quotes.md': QUOTES });
    const shared = await nodeNamed(tree, 'tabs');
    const item = tree.getTreeItem(shared);
    assert.ok(item.iconPath instanceof vscode.ThemeIcon && item.iconPath.id === 'pinned');
    assert.equal(
      item.accessibilityInformation?.label,
      'tabs, pinned, shared with Git, Prefers tabs',
    );
    const { tooltip } = tree.resolveTreeItem(item, shared);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(
      tooltip.value,
      /Belongs to work {2}\nShared with Git {2}\nPinned {2}\n.*Changed\\: .* {2}\nHas the date .*2026\\, but stays\\:/s,
    );
    assert.ok(item.resourceUri);
    const other = tree.getTreeItem(await nodeNamed(tree, 'quotes'));
    assert.equal(other.resourceUri, undefined);
    assert.equal(other.accessibilityInformation?.label, 'quotes, Single quotes');
  });

  it('lists 2,000 memories without holding up the window', async () => {
    const files = Array.from({ length: 2000 }, (_, i) => [`m${i}.md`, TABS] as const);
    const tree = await treeOf(Object.fromEntries(files));
    const start = performance.now();
    assert.equal((await rows(tree)).length, 2004);
    // It takes a tenth of that on a quiet machine.
    assert.ok(performance.now() - start < 2000, `${performance.now() - start} ms`);
  });

  it('tells VS Code of rows that look different, and of no others', async () => {
    const tree = await treeOf({ 'tabs.md': TABS });
    await rows(tree);
    const told: (readonly string[])[] = [];
    const isTold = Promise.withResolvers<void>();
    tree.onDidChangeTreeData(async () => {
      told.push(await rows(tree));
      isTold.resolve();
    });
    const file = path.join(temp.path, '.memory', 'tabs.md');
    // As saved again without a change.
    await fs.utimes(file, new Date(0), new Date(0));
    tree.refresh();
    await until(() => listed === 2);
    await fs.writeFile(file, TABS.replace('Prefers tabs', 'Likes tabs'));
    tree.refresh();
    await isTold.promise;
    assert.deepEqual(
      told.map(([, first]) => first),
      ['  tabs Likes tabs'],
    );
  });

  it('lets nothing in a memory act in its hover', async () => {
    const evil =
      '[run](command:workbench.action.closeWindow) ![x](https://example.com/x.png) <img>';
    const text = TABS.replace('Use tabs.', evil);
    const tree = await treeOf({ 'tabs.md': text });
    const node = await nodeNamed(tree, 'tabs');
    const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(!tooltip.isTrusted && !tooltip.supportHtml);
    assert.doesNotMatch(tooltip.value, /\]\(|https:|[^\\]</);
    assert.match(tooltip.value, /Prefers tabs/);
  });

  /** Of the workspace, where git takes tabs.md, and of the person. */
  async function treeOf(
    files: Record<string, string>,
    personal: Record<string, string> = {},
  ): Promise<MemoryTree> {
    const folder = path.join(temp.path, '.memory');
    await writeTree(folder, files);
    const scopes = scopesOf(new MemoryStore({ folder, log: silentLog }));
    await writeTree(scopes.personal.store.folder, personal);
    listed = 0;
    return new MemoryTree(async () => {
      const listings = scopes.all.map(async (scope) => ({
        scope,
        list: await scope.store.list(),
        shared: new Set(scope.kind === 'workspace' ? ['tabs.md'] : []),
      }));
      const all = await Promise.all(listings);
      listed++;
      return all;
    });
  }
});

describe('memory watcher', function () {
  // On a busy machine VS Code now and then never looks into a folder that was just made.
  this.retries(2);

  // Inside the workspace, as the real one is, but not where the extension itself has its store.
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let parent = '';
  let store: MemoryStore;
  let watcher: vscode.Disposable;

  beforeEach(async () => {
    parent = await fs.mkdtemp(path.join(workspace, 'watched-'));
    store = new MemoryStore({ folder: path.join(parent, '.memory'), log: silentLog });
    watcher = registerMemoryWatcher(store, silentLog);
  });

  afterEach(async () => {
    watcher.dispose();
    // Retries: the store may be writing its index.
    await fs.rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  it('tells the store of files that others make, change and delete', async () => {
    await changed(() => writeTree(store.folder, { 'tabs.md': TABS }));
    assert.deepEqual(await names(), ['tabs']);

    await changed(() => writeTree(store.folder, { 'tabs.md': TABS.replace('tabs', 'spaces') }));
    assert.deepEqual(await names(), ['spaces']);

    await changed(() => fs.rm(path.join(store.folder, 'tabs.md'), { force: true }));
    assert.deepEqual(await names(), []);
  });

  it('tells the store what git may take since', async () => {
    const file = path.join(store.folder, '.gitignore');
    // A folder that was made while the watcher began is sometimes never looked into, so it is made until one is.
    const isHeard = Promise.withResolvers<void>();
    store.refresh = async () => isHeard.resolve();
    const remake = async () => {
      await fs.rm(store.folder, { recursive: true, force: true });
      await writeTree(store.folder, { 'tabs.md': TABS });
    };
    let making = remake();
    const again = setInterval(() => {
      making = making.then(remake);
    }, 1000);
    await isHeard.promise.finally(() => clearInterval(again));
    await making;
    // Does not write when it is told, so every event is one of this test.
    const isTold = Promise.withResolvers<void>();
    let rules = 0;
    store.refresh = async () => {
      if (rules > 1) isTold.resolve();
    };
    // The new folder is told of too, and as often as the disk likes.
    const writing = setInterval(() => void fs.writeFile(file, `# ${rules++}\n`), 500);
    await isTold.promise.finally(() => clearInterval(writing));
  });

  it('tells of what another window proposes, and of its end', async () => {
    const counts = new Set<number>();
    const isTold = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const count = async () => {
      const { length } = await store.proposals.list();
      counts.add(length);
      if (length === 1) isTold.resolve();
      else if (counts.has(1)) isOver.resolve();
    };
    store.proposals.onDidChange(() => void count());
    const other = new MemoryStore({ folder: store.folder, log: silentLog });
    const [proposal] = await other.proposals.add([proposedTabs()]);
    assert.ok(proposal);
    // A watcher is deaf for a moment after it was made.
    const touching = setInterval(() => void fs.utimes(proposal.path, new Date(), new Date()), 500);
    await isTold.promise.finally(() => clearInterval(touching));
    await other.proposals.remove(proposal);
    await isOver.promise;
  });

  it('tells the store when the folder goes as a whole', async () => {
    // Does not write when it is told, so every event is one of this test.
    const written = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const moved = path.join(parent, 'gone');
    store.refresh = async () => ((await exists(moved)) ? gone : written).resolve();
    const write = () => writeTree(store.folder, { 'tabs.md': TABS });
    await write();
    // A watcher is deaf for a moment after it was made.
    let writing = write();
    const again = setInterval(() => {
      writing = write();
    }, 500);
    await written.promise.finally(() => clearInterval(again));
    await writing;
    await fs.rename(store.folder, moved);
    await gone.promise;
  });

  /** Does `work` until the store has fired: a watcher is deaf for a moment after it was made. */
  async function changed(work: () => Promise<void>): Promise<void> {
    const fired = Promise.withResolvers<void>();
    const unsubscribe = store.onDidChange(fired.resolve);
    await work();
    const working = setInterval(() => void work(), 500);
    await fired.promise.finally(() => clearInterval(working));
    unsubscribe();
  }

  async function names(): Promise<string[]> {
    return (await store.list()).records.map((record) => record.name);
  }
});

async function exists(path: string): Promise<boolean> {
  return fs.access(path).then(
    () => true,
    () => false,
  );
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

async function rows(tree: MemoryTree, parent?: MemoryNode, indent = ''): Promise<string[]> {
  const lines: string[] = [];
  for (const node of await tree.getChildren(parent)) {
    const item = tree.getTreeItem(node);
    lines.push(`${indent}${item.label as string} ${String(item.description)}`);
    lines.push(...(await rows(tree, node, `${indent}  `)));
  }
  return lines;
}

async function nodeNamed(tree: MemoryTree, label: string): Promise<MemoryNode> {
  const found = await findNode(tree, label);
  if (found) return found;
  throw new Error(`There is no row ${label}.`);
}

async function findNode(
  tree: MemoryTree,
  label: string,
  parent?: MemoryNode,
): Promise<MemoryNode | undefined> {
  for (const node of await tree.getChildren(parent)) {
    if (tree.getTreeItem(node).label === label) return node;
    const below = await findNode(tree, label, node);
    if (below) return below;
  }
  return undefined;
}
