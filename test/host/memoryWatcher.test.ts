import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { registerMemoryWatcher } from '../../src/vscode/host/memoryWatcher.ts';
import { proposedTabs } from '../support/proposals.ts';
import { writeTree } from '../support/tempFolder.ts';

const TABS = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';

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
