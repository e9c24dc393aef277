import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { COMMANDS, TREE_CONTEXT } from '../../src/manifest.ts';
import type { NewProposal } from '../../src/memory/review/proposals.ts';
import type { MemoryScopes } from '../../src/memory/scopes.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { registerReview, ReviewTree } from '../../src/vscode/review/reviewTree.ts';
import type { ShownProposal } from '../../src/vscode/review/reviewTreeItem.ts';
import { proposedUpdate, proposedTabs } from '../support/proposals.ts';
import { TABS } from '../support/records.ts';
import { scopesOf } from '../support/scopes.ts';
import { useTempFolder, writeTree } from '../support/tempFolder.ts';

interface FakeView {
  message: string | undefined;
  badge: vscode.ViewBadge | undefined;
}

describe('review view', () => {
  const temp = useTempFolder();
  const restore: (() => void)[] = [];
  let now: Date;
  let store: MemoryStore;
  let personal: MemoryStore;
  let scopes: MemoryScopes;
  let view: FakeView;
  let tree: vscode.TreeDataProvider<ShownProposal>;
  let contexts: unknown[];
  let review: vscode.Disposable | undefined;

  beforeEach(() => {
    now = new Date('2026-11-02T10:00:00Z');
    const storeIn = (name: string) =>
      new MemoryStore({ folder: path.join(temp.path, name), log: silentLog, now: () => now });
    store = storeIn('.memory');
    personal = storeIn('personal');
    scopes = scopesOf(store, personal);
    contexts = [];
    replace(vscode.window, 'createTreeView', (_id: string, options: Options) => {
      tree = options.treeDataProvider;
      view = { message: undefined, badge: undefined };
      return Object.assign(view, { dispose: () => undefined });
    });
    const { executeCommand } = vscode.commands;
    replace(vscode.commands, 'executeCommand', (command: string, ...args: unknown[]) => {
      if (command !== 'setContext') return executeCommand(command, ...args);
      return Promise.resolve(contexts.push(args));
    });
  });

  afterEach(() => {
    review?.dispose();
    review = undefined;
    for (const undo of restore.splice(0)) undo();
  });

  it('shows what waits in all scopes, the oldest first, and where only where that tells something', async () => {
    await propose(personal, proposedTabs({ name: 'quotes', description: 'Single quotes' }));
    await propose(store, proposedTabs());
    await begin();
    assert.deepEqual(await rows(), ['quotes Personal · Single quotes', 'tabs Prefers tabs']);
    assert.deepEqual(view.badge, { value: 2, tooltip: '2 memories to review' });
    assert.deepEqual(contexts.at(-1), ['memoryAgent.hasProposals', true]);
  });

  it('marks in the row what is not in the words of the person', async () => {
    for (const from of ['person', 'pasted', 'assistant'] as const)
      await propose(store, { ...proposedTabs({ name: from, description: `By ${from}` }), from });
    await begin();
    assert.deepEqual(await rows(), [
      'person By person',
      'pasted pasted · By pasted',
      'assistant assistant · By assistant',
    ]);
  });

  it('follows what is proposed, accepted and rejected, in folders that come later too', async () => {
    const later = new MemoryStore({ folder: path.join(temp.path, 'later'), log: silentLog });
    await begin();
    assert.deepEqual(contexts.at(-1), ['memoryAgent.hasProposals', false]);
    assert.equal(view.badge, undefined);
    await propose(store, proposedTabs());
    await untilShown('tabs Prefers tabs');
    scopes.setWorkspace([...scopes.workspace, { kind: 'workspace', name: 'later', store: later }]);
    await propose(later, proposedTabs({ name: 'later' }));
    await untilShown('tabs work · Prefers tabs', 'later later · Prefers tabs');
    for (const { proposals } of [store, later]) {
      const [waiting] = await proposals.list();
      assert.ok(waiting);
      await proposals.reject(waiting);
    }
    await untilShown();
    await until(() => view.badge === undefined);
  });

  it('follows no folder that has gone, and nothing when it is over', async () => {
    await begin();
    scopes.setWorkspace([]);
    await until(() => contexts.length === 2);
    let listed = 0;
    const list = personal.proposals.list.bind(personal.proposals);
    replace(personal.proposals, 'list', () => {
      listed++;
      return list();
    });
    await propose(store, proposedTabs());
    assert.equal(listed, 0);
    await propose(personal, proposedTabs());
    await until(() => contexts.length === 3);
    assert.equal(listed, 1);
    review?.dispose();
    await propose(personal, proposedTabs({ name: 'later', description: 'Later' }));
    await scopes.refresh();
    assert.equal(listed, 1);
  });

  it('says what cannot be read, and shows the rest', async () => {
    await propose(store, proposedTabs());
    replace(personal.proposals, 'list', () => Promise.reject(new Error('No access.')));
    await begin();
    assert.deepEqual(await rows(), ['tabs Prefers tabs']);
    assert.equal(view.message, 'The proposed memories cannot be read: No access.');
  });

  it('shows the difference on a click, and gives menus what they test', async () => {
    await propose(store, proposedTabs());
    await begin();
    const [row] = await shown();
    assert.ok(row);
    const item = itemOf(row);
    assert.equal(item.command?.command, COMMANDS.diffProposal);
    assert.deepEqual(item.command?.arguments, [row.proposal.path]);
    assert.equal(item.contextValue, TREE_CONTEXT.proposal);
    assert.equal(item.id, row.proposal.path);
    assert.equal(tree.getParent?.(row), undefined);
    assert.deepEqual(await tree.getChildren(row), []);
  });

  it('tells a change from a new memory, and of which type that is', async () => {
    const { record } = await store.create(TABS);
    await propose(store, proposedUpdate(record));
    await propose(store, proposedTabs({ name: 'release', type: 'project', description: 'Friday' }));
    await begin();
    const items = (await shown()).map(itemOf);
    assert.deepEqual(
      items.map(({ iconPath }) => iconPath instanceof vscode.ThemeIcon && iconPath.id),
      ['diff-modified', 'project'],
    );
    assert.deepEqual(
      items.map(({ accessibilityInformation }) => accessibilityInformation?.label),
      ['tabs, Change to a memory, Four columns', 'release, New memory, Friday'],
    );
  });

  it('shows in the hover the whole text, what it replaces, and on whose words it rests', async () => {
    const { record } = await store.create(TABS);
    const body = Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join('\n');
    await propose(store, proposedUpdate(record, { body }));
    await begin();
    const [row] = await shown();
    assert.ok(row);
    const text = await hoverOf(row);
    assert.match(text, /\*\*Four columns\*\*.*Line 0\\\..*Line 39\\\..*In place of.*Prefers tabs/s);
    assert.match(text, /Based on\\: “I like tabs of four columns\\.” {2}\nYou said this\\\./);
    assert.match(text, /Proposed\\: Nov 2\\, 2026/);
    assert.doesNotMatch(text, /assistant/);
  });

  it('says when the assistant said it, and when the memory to change is gone', async () => {
    const { record } = await store.create(TABS);
    await propose(store, { ...proposedUpdate(record), from: 'assistant' });
    await store.remove(record, 'test');
    await begin();
    const [row] = await shown();
    assert.ok(row);
    const text = await hoverOf(row);
    assert.match(text, /The assistant said this\\, not you\\\./);
    assert.match(text, /no longer there\\: tabs\\\.md/);
    assert.match(itemOf(row).accessibilityInformation?.label ?? '', /said by the assistant/);
  });

  it('says in the row and its hover why it is in doubt, though the person said it', async () => {
    const { record } = await store.create(TABS);
    await propose(store, { ...proposedUpdate(record), doubt: 'drops' });
    await begin();
    assert.deepEqual(await rows(), ['tabs leaves something out · Four columns']);
    const [row] = await shown();
    assert.ok(row);
    assert.match(await hoverOf(row), /In doubt\\: it leaves out something/);
    assert.match(itemOf(row).accessibilityInformation?.label ?? '', /In doubt: it leaves out/);
  });

  it('lets nothing in a proposal act in its hover', async () => {
    const evil =
      '[run](command:workbench.action.closeWindow) ![x](https://example.com/x.png) <img>';
    await propose(store, { ...proposedTabs({ description: evil, body: evil }), quote: evil });
    await begin();
    const [row] = await shown();
    assert.ok(row);
    const { tooltip } = (await tree.resolveTreeItem?.(itemOf(row), row, none())) ?? {};
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(!tooltip.isTrusted && !tooltip.supportHtml);
    assert.doesNotMatch(tooltip.value, /\]\(|https:|[^\\]</);
  });

  it('tells VS Code of rows that look different, and of no others', async () => {
    const { record } = await store.create(TABS);
    const rowsOf = async () => {
      const [proposal] = await store.proposals.list();
      const { records } = await store.list();
      const [scope] = scopes.workspace;
      assert.ok(proposal && scope);
      return [{ proposal, scope, target: records[0], isScopeNamed: false }];
    };
    await propose(store, proposedUpdate(record));
    const own = new ReviewTree();
    let told = 0;
    own.onDidChangeTreeData(() => told++);
    own.show(await rowsOf());
    own.show(await rowsOf());
    assert.equal(told, 1);
    await store.update(record, { body: 'Another text.' });
    own.show(await rowsOf());
    assert.equal(told, 2);
  });

  it('shows what another window has proposed when the store is told of it', async () => {
    await propose(store, proposedTabs());
    const [proposal] = await store.proposals.list();
    assert.ok(proposal);
    await begin();
    await writeTree(store.proposals.folder, {
      'other.md':
        '---\nname: other\ndescription: Of another\ntype: user\ncreated: 2026-11-03\nkind: add\nquote: Other\nfrom: person\n---\n\nOther.\n',
    });
    await store.proposals.refresh();
    await untilShown('tabs Prefers tabs', 'other Of another');
  });

  async function begin(): Promise<void> {
    review = registerReview({ scopes, log: silentLog });
    await until(() => contexts.length > 0);
  }

  /** A minute after the one before. */
  async function propose(to: MemoryStore, proposal: NewProposal): Promise<void> {
    now = new Date(now.getTime() + 60_000);
    assert.equal((await to.proposals.add([proposal])).length, 1);
  }

  async function shown(): Promise<readonly ShownProposal[]> {
    return (await tree.getChildren()) ?? [];
  }

  async function rows(): Promise<readonly string[]> {
    return (await shown()).map((row) => {
      const { label, description } = itemOf(row);
      return `${label as string} ${String(description)}`;
    });
  }

  async function untilShown(...wanted: readonly string[]): Promise<void> {
    await until(async () => (await rows()).join('\n') === wanted.join('\n'));
  }

  function itemOf(row: ShownProposal): vscode.TreeItem {
    const item = tree.getTreeItem(row);
    assert.ok(item instanceof vscode.TreeItem);
    return item;
  }

  async function hoverOf(row: ShownProposal): Promise<string> {
    const { tooltip } = (await tree.resolveTreeItem?.(itemOf(row), row, none())) ?? {};
    assert.ok(tooltip instanceof vscode.MarkdownString);
    return tooltip.value;
  }

  function replace(object: object, key: string, value: unknown): void {
    const original = Object.getOwnPropertyDescriptor(object, key);
    Object.defineProperty(object, key, { value, configurable: true });
    restore.push(() => {
      if (original) Object.defineProperty(object, key, original);
      else Reflect.deleteProperty(object, key);
    });
  }
});

type Options = vscode.TreeViewOptions<ShownProposal>;

function none(): vscode.CancellationToken {
  return new vscode.CancellationTokenSource().token;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}
