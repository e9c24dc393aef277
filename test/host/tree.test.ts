import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { TREE_CONTEXT } from '../../src/manifest.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { statusLabel, statusText } from '../../src/vscode/notices/statusText.ts';
import { MemoryRows } from '../../src/vscode/sidebar/memoryRows.ts';
import { nodeId, type MemoryNode } from '../../src/vscode/sidebar/memoryNodes.ts';
import { treeItem } from '../../src/vscode/sidebar/memoryTreeItem.ts';
import { searchText } from '../../src/vscode/sidebar/treeSearch.ts';
import { OpenRows } from '../../src/vscode/sidebar/openRows.ts';
import { scopesIn, scopesOf } from '../support/scopes.ts';
import { useTempFolder, writeTree } from '../support/tempFolder.ts';

const TABS = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';
const QUOTES = '---\nname: quotes\ndescription: Single quotes\ntype: user\n---\n\nUse quotes.\n';
const PINNED_TABS = TABS.replace('type: user', 'type: user\npinned: true\nexpires: 2026-11-30');
const OWN = QUOTES.replace('quotes', 'own');

describe('memory tree', () => {
  const temp = useTempFolder();
  let listed: number;
  let now: number;
  let openRows: OpenRows;
  beforeEach(() => {
    now = Date.now();
    openRows = new OpenRows();
  });

  it('has no row when nothing is remembered, so that VS Code shows the welcome text', async () => {
    assert.deepEqual(await rows(await treeOf({})), []);
  });

  it('shows the four groups with their counts, and the records below', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'quotes.md': QUOTES });
    assert.deepEqual(await rows(tree), [
      'user 2',
      '  quotes now · Single quotes',
      '  tabs now · Prefers tabs',
      'feedback 0',
      'project 0',
      'reference 0',
    ]);
  });

  it('groups the digits of a large count, as the status bar does', () => {
    const scope = scopesIn(temp.path).personal;
    const row = { kind: 'scope', scope, count: 2000, isFiltered: false, children: [] } as const;
    const item = treeItem(row, now);
    assert.equal(item.description, '2,000');
    assert.equal(item.accessibilityInformation?.label, 'Personal, number of memories: 2,000');
    const counts = { workspace: 1500, personal: 500, damaged: 0, waiting: 0, problems: [] };
    const modes = { extraction: 'auto', recall: 'auto' } as const;
    const shown = { counts, modes, context: undefined, notice: undefined };
    assert.equal(statusText(shown, undefined), '$(notebook) 2,000');
    assert.match(statusLabel(shown, undefined), /^1,500 memories in this workspace, 500 personal/);
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

  it('offers neither to open nor to delete a folder that is a link, and says what to do', async () => {
    const elsewhere = path.join(temp.path, 'elsewhere');
    await fs.mkdir(elsewhere);
    await fs.symlink(elsewhere, path.join(temp.path, '.memory'));
    const tree = await treeOf({});
    const { command, contextValue, tooltip } = tree.getTreeItem(await nodeNamed(tree, '.memory'));
    assert.deepEqual([command, contextValue], [undefined, undefined]);
    assert(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /Put the folder itself in the place of the link/);
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
      '    quotes now · Single quotes',
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
      'tabs, pinned, shared with Git, Prefers tabs, just now',
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
    assert.equal(other.accessibilityInformation?.label, 'quotes, Single quotes, just now');
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
    const earlier = new Date(now - 60_000);
    await fs.utimes(file, earlier, earlier);
    tree.refresh();
    await tree.listAnew();
    await fs.writeFile(file, TABS.replace('Prefers tabs', 'Likes tabs'));
    tree.refresh();
    await isTold.promise;
    assert.deepEqual(
      told.map(([, first]) => first),
      ['  tabs now · Likes tabs'],
    );
  });

  it('shows while one searches what is found, without another look at the disk', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'quotes.md': QUOTES, 'bad.md': '' });
    await rows(tree);
    let told = 0;
    tree.onDidChangeTreeData(() => told++);
    tree.search('TABS');
    assert.deepEqual(await rows(tree), ['user 1', '  tabs now · Prefers tabs']);
    assert.deepEqual(tree.counts, { shown: 1, all: 2 });
    tree.search('tabs  ');
    tree.search('nowhere');
    assert.deepEqual(await rows(tree), []);
    tree.search('');
    assert.equal((await rows(tree)).length, 8);
    assert.deepEqual([told, listed], [3, 1]);
  });

  it('says above the rows what is found, and how to see all again when that is nothing', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'quotes.md': QUOTES });
    await rows(tree);
    const told = ['', 'use', 'use tabs', 'zzz'].map((query) => {
      tree.search(query);
      return searchText(tree);
    });
    assert.deepEqual(told, [
      '',
      '2 of 2 memories hold “use”',
      '1 of 2 memories holds “use tabs”',
      'No memory holds “zzz”. Press Escape here to show all 2 again.',
    ]);
  });

  it('goes on searching when something has changed', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'quotes.md': QUOTES });
    await rows(tree);
    tree.search('tabs');
    await fs.rm(path.join(temp.path, '.memory', 'tabs.md'));
    await fs.writeFile(path.join(temp.path, '.memory', 'more.md'), TABS.replace('tabs', 'more'));
    await tree.listAnew();
    assert.deepEqual(await rows(tree), ['user 1', '  more now · Prefers tabs']);
    assert.equal(tree.query, 'tabs');
  });

  it('searches 2,000 memories with no more than a keystroke’s time', async () => {
    const files = Array.from({ length: 2000 }, (_, i) => [`m${i}.md`, TABS] as const);
    const tree = await treeOf(Object.fromEntries(files));
    await tree.getChildren();
    const start = performance.now();
    for (const query of ['t', 'ta', 'tab', 'tabs', 'tabs n', 'tabs no', 'tabs nowhere'])
      tree.search(query);
    assert.deepEqual(tree.counts, { shown: 0, all: 2000 });
    // It takes a tenth of that on a quiet machine.
    assert.ok(performance.now() - start < 1000, `${performance.now() - start} ms`);
  });

  it('marks what was recalled for the last request, in its row, its group and its hover', async () => {
    const tree = await treeOf({ 'tabs.md': PINNED_TABS, 'quotes.md': QUOTES });
    await rows(tree);
    const inMemory = (file: string) => path.join(temp.path, '.memory', file);
    tree.markRecalled([inMemory('quotes.md')]);
    assert.deepEqual((await rows(tree)).slice(0, 3), [
      'user 2 · 1 recalled',
      '  quotes recalled · now · Single quotes',
      '  tabs now · Prefers tabs',
    ]);
    const recalled = await nodeNamed(tree, 'quotes');
    const item = tree.getTreeItem(recalled);
    assert.ok(item.iconPath instanceof vscode.ThemeIcon);
    assert.equal(item.iconPath.id, 'comment-discussion');
    assert.equal(
      item.accessibilityInformation?.label,
      'quotes, recalled for the last request, Single quotes, just now',
    );
    const { tooltip } = tree.resolveTreeItem(item, recalled);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /Recalled for the last request/);
    const group = tree.getTreeItem(await nodeNamed(tree, 'user'));
    assert.match(group.accessibilityInformation?.label ?? '', /recalled for the last request: 1$/);

    tree.markRecalled([inMemory('tabs.md')]);
    assert.equal((await rows(tree))[2], '  tabs recalled · now · Prefers tabs');
    const pinned = tree.getTreeItem(await nodeNamed(tree, 'tabs')).iconPath;
    assert.ok(pinned instanceof vscode.ThemeIcon && pinned.id === 'pinned' && pinned.color);
    tree.markRecalled([]);
    assert.equal((await rows(tree))[2], '  tabs now · Prefers tabs');
  });

  it('tells how old memories are as time goes on, without another look at the disk', async () => {
    const tree = await treeOf({ 'tabs.md': TABS });
    await rows(tree);
    let told = 0;
    tree.onDidChangeTreeData(() => told++);
    const begin = now;
    const ages = [];
    for (const days of [0.01, 0.9 / 24, 5.5 / 24, 3.5, 65, 800]) {
      now = begin + days * 24 * 60 * 60_000;
      tree.redraw();
      ages.push(String((await rows(tree))[1]).split(' · ')[0]);
    }
    assert.deepEqual(ages, [
      '  tabs now',
      '  tabs now',
      '  tabs 5h',
      '  tabs 3d',
      '  tabs 2mo',
      '  tabs 2y',
    ]);
    assert.deepEqual([told, listed], [4, 1]);
  });

  it('opens rows as the person left them, and in a search all that has hits', async () => {
    const tree = await treeOf({ 'tabs.md': TABS }, { 'own.md': OWN });
    const closed = [await nodeNamed(tree, 'user'), await nodeNamed(tree, 'Personal')];
    for (const row of closed) await openRows.keep(nodeId(row), false);
    const states = async () => {
      const parents = [await nodeNamed(tree, 'user'), await nodeNamed(tree, 'Personal')];
      return parents.map((row) => tree.getTreeItem(row).collapsibleState);
    };
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    assert.deepEqual(await states(), [Collapsed, Collapsed]);
    tree.search('s');
    assert.deepEqual(await states(), [Expanded, Expanded]);
    tree.search('');
    assert.deepEqual(await states(), [Collapsed, Collapsed]);
  });

  it('finds the row of a file, unless a search hides it', async () => {
    const tree = await treeOf({ 'tabs.md': TABS, 'bad.md': '' });
    const inMemory = (file: string) => path.join(temp.path, '.memory', file);
    const kindOf = async (file: string) => (await tree.rowOf(inMemory(file)))?.kind;
    assert.deepEqual(await Promise.all(['tabs.md', 'bad.md', 'no.md'].map(kindOf)), [
      'record',
      'damaged',
      undefined,
    ]);
    tree.search('nowhere');
    assert.equal(await kindOf('tabs.md'), undefined);
  });

  it('says in the hover when a memory was changed only if that was after it was made', async () => {
    const made = `created: ${new Date(now).toISOString()}`;
    const tree = await treeOf({
      'tabs.md': TABS.replace('type: user', `type: user\n${made}`),
      'quotes.md': QUOTES.replace('type: user', 'type: user\ncreated: 2026-01-05'),
    });
    const dates = async (label: string) => {
      const node = await nodeNamed(tree, label);
      const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      return [...tooltip.value.matchAll(/Created|Changed/g)].map(([word]) => word);
    };
    assert.deepEqual(await dates('tabs'), ['Created']);
    assert.deepEqual(await dates('quotes'), ['Created', 'Changed']);
  });

  it('says in the hover of what another agent saved that no person wrote it', async () => {
    const tree = await treeOf({
      'tabs.md': TABS.replace('type: user', 'type: user\nsource: agent'),
    });
    const node = await nodeNamed(tree, 'tabs');
    const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /Saved by another agent/);
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
  ): Promise<MemoryRows> {
    const folder = path.join(temp.path, '.memory');
    await writeTree(folder, files);
    const scopes = scopesOf(new MemoryStore({ folder, log: silentLog }));
    await writeTree(scopes.personal.store.folder, personal);
    listed = 0;
    const list = async () => {
      const listings = scopes.all.map(async (scope) => ({
        scope,
        list: await scope.store.list(),
        shared: new Set(scope.kind === 'workspace' ? ['tabs.md'] : []),
      }));
      const all = await Promise.all(listings);
      listed++;
      return all;
    };
    return new MemoryRows({ list, openRows, now: () => now });
  }
});

async function rows(tree: MemoryRows, parent?: MemoryNode, indent = ''): Promise<string[]> {
  const lines: string[] = [];
  for (const node of await tree.getChildren(parent)) {
    const item = tree.getTreeItem(node);
    lines.push(`${indent}${item.label as string} ${String(item.description)}`);
    lines.push(...(await rows(tree, node, `${indent}  `)));
  }
  return lines;
}

async function nodeNamed(tree: MemoryRows, label: string): Promise<MemoryNode> {
  const found = await findNode(tree, label);
  if (found) return found;
  throw new Error(`There is no row ${label}.`);
}

async function findNode(
  tree: MemoryRows,
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
