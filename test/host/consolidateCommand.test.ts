import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Learning } from '../../src/agent/learning/learning.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Change } from '../../src/memory/change.ts';
import type { MemoryStore } from '../../src/memory/store.ts';
import { ModelError } from '../../src/models/model.ts';
import { consolidate } from '../../src/vscode/consolidation/consolidateCommand.ts';
import type { ModelChoice } from '../../src/vscode/models/modelChoice.ts';
import { useListStub, type ShownList } from '../support/listStubs.ts';
import { useMemoryCommands } from '../support/memoryCommandsRun.ts';
import { newRecord } from '../support/records.ts';
import { scriptedModel, type Step } from '../support/scriptedModel.ts';
import { readTree, writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const PORT_3000 = newRecord('port', 'The service listens on port 3000.');
/** What no memory says a model may not make up. */
const OTHER = newRecord('other', 'Port 8080 is free.');
const OLD_BRANCH = newRecord('old-branch', 'The branch feature/login waits for review.');
const TO_PORT_8080 = {
  file: 'port.md',
  name: 'port',
  description: 'Of port',
  type: 'user',
  body: 'The service listens on port 8080.',
  reason: 'Corrected.',
  dropped: [{ fact: 'port 3000', reason: 'replaced by 8080.' }],
};
const RETIRE_BRANCH = { file: 'old-branch.md', reason: 'It was merged.', supersededBy: 'port.md' };

describe('consolidating', () => {
  const run = useMemoryCommands();
  const stub = useWindowStubs();
  const withList = useListStub();
  const notified: (readonly Change[])[] = [];

  beforeEach(() => {
    notified.length = 0;
    run.keepFolders(1);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** Answers in the order of the questions; the command with this model, as extension.ts builds it. */
  function start(...answers: readonly (object | Step)[]): Promise<void> {
    const steps = answers.map((answer) =>
      typeof answer === 'function' || answer instanceof Error ? answer : JSON.stringify(answer),
    );
    const model = scriptedModel(steps as readonly Step[]);
    return startWith({ kind: 'chosen', model, utility: model });
  }

  function startWith(choice: ModelChoice, stop?: AbortSignal): Promise<void> {
    const { scopes } = run;
    const learning = new Learning({ scopes, log: silentLog });
    return consolidate({
      memory: { scopes, learning },
      chooseModel: () => Promise.resolve(choice),
      notify: (changes) => notified.push(changes),
      stop,
    });
  }

  const bodies = async (store: MemoryStore) =>
    Object.fromEntries((await store.list()).records.map(({ name, body }) => [name, body]));

  it('shows what becomes of what, and does what is ticked as one change', async () => {
    await run.store.createAll([PORT_3000, OLD_BRANCH, OTHER]);
    let shown: ShownList | undefined;
    withList((list) => {
      shown = list;
      list.accept();
    });
    await start({ update: [TO_PORT_8080], retire: [RETIRE_BRANCH] });
    assert.equal(shown?.title, 'Consolidation proposes 2 changes');
    assert.deepEqual(
      shown.items.map(({ label, description, detail, picked }) => [
        label,
        description,
        detail,
        picked,
      ]),
      [
        ['Update port', '', 'drops “port 3000”: replaced by 8080 · Corrected.', true],
        ['Retire old-branch', '', '“port” holds instead · It was merged.', true],
      ],
    );
    assert.deepEqual(await bodies(run.store), {
      other: OTHER.body,
      port: 'The service listens on port 8080.',
    });
    assert.deepEqual(
      notified.map((changes) => changes.map(({ kind }) => kind)),
      [['updated', 'removed']],
    );
  });

  it('names all that is merged and what it becomes', async () => {
    await run.store.createAll([newRecord('one'), newRecord('two')]);
    const body = 'About one. About two. Of one. Of two.';
    const merged = { files: ['one.md', 'two.md'], name: 'one', description: 'Of one', body };
    let shown: ShownList | undefined;
    withList((list) => {
      shown = list;
      list.accept();
    });
    await start({ merge: [{ ...merged, type: 'user', reason: 'Alike.' }] });
    assert.equal(shown?.items[0]?.label, 'Merge one, two → one');
    assert.deepEqual(await bodies(run.store), { one: body });
  });

  it('leaves what a person wrote unticked, and says so', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    await editByHand(run.store, 'port.md');
    let shown: ShownList | undefined;
    withList((list) => {
      shown = list;
      list.accept();
    });
    const body = 'The service listens on port 8080, said by hand.';
    await start({ update: [{ ...TO_PORT_8080, body }] });
    assert.deepEqual(shown?.selectedItems, []);
    assert.equal(shown?.items[0]?.description, 'edited by hand');
    assert.equal(notified.length, 0);
  });

  it('names the scope where there are several, and takes all of them back at once', async () => {
    for (const store of [run.store, run.personal]) await store.createAll([PORT_3000, OTHER]);
    const before = [await bodies(run.store), await bodies(run.personal)];
    let shown: ShownList | undefined;
    withList((list) => {
      shown = list;
      list.accept();
    });
    await start({ update: [TO_PORT_8080] }, { update: [TO_PORT_8080] });
    assert.deepEqual(
      shown?.items.map(({ description }) => description),
      ['', 'Personal'],
    );
    assert.equal((await bodies(run.personal))['port'], 'The service listens on port 8080.');
    assert.equal(notified.length, 1);

    const told = stub('showInformationMessage');
    await run.commands.undoConsolidation();
    assert.deepEqual(told, [['Consolidation undone. As before: “port”']]);
    assert.deepEqual([await bodies(run.store), await bodies(run.personal)], before);
  });

  it('changes nothing when the person leaves the list', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const before = await bodies(run.store);
    withList((list) => list.leave());
    await start({ update: [TO_PORT_8080] });
    assert.deepEqual(await bodies(run.store), before);
    assert.equal(notified.length, 0);
  });

  it('shows the difference by itself, and then the list with its ticks', async () => {
    await run.store.createAll([PORT_3000, OLD_BRANCH, OTHER]);
    let texts: readonly string[] = [];
    const asked = stub('showQuickPick', async () => {
      texts = await textsOfDifference('Update port (Now ↔ Proposed)');
    });
    let times = 0;
    withList((list) => {
      times++;
      if (times === 1) {
        list.select(...list.items.slice(1));
        list.press(list.items[0]);
        return;
      }
      assert.deepEqual(
        list.selectedItems.map(({ label }) => label),
        ['Retire old-branch'],
      );
      list.accept();
    });
    await start({ update: [TO_PORT_8080], retire: [RETIRE_BRANCH] });
    assert.match(texts[0] ?? '', /^# port\n\nOf port\n.*port 3000/s);
    assert.match(texts[1] ?? '', /^# port\n\nOf port\n.*port 8080/s);
    assert.equal(asked.length, 1);
    assert.equal(differences().length, 0);
    assert.equal((await bodies(run.store))['port'], PORT_3000.body);
  });

  it('tells of what was left out, and why', async () => {
    await run.store.createAll([PORT_3000, OLD_BRANCH, OTHER]);
    const { dropped: _dropped, ...lossy } = TO_PORT_8080;
    const answer = { update: [lossy], retire: [RETIRE_BRANCH] };
    let rows: ShownList['items'] = [];
    withList((list) => {
      rows = list.under('Left out');
      list.leave();
    });
    await start(answer, answer);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['1 proposed change was left out, since it would lose facts'],
    );
    assert.match(rows[0]?.detail ?? '', /^port: would lose “.*3000.*”\.$/);
  });

  it('offers the log when all that was proposed was left out', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const { dropped: _dropped, ...lossy } = TO_PORT_8080;
    const told = stub('showInformationMessage');
    await start({ update: [lossy] }, { update: [lossy] });
    assert.deepEqual(told, [
      [
        'All 2 memories stay as they are. 1 proposed change was left out, since it would lose facts.',
        'Show Log',
      ],
    ]);
  });

  it('names what has changed since the model saw it, and does the rest', async () => {
    await run.store.createAll([PORT_3000, OLD_BRANCH, OTHER]);
    const told = stub('showInformationMessage');
    withList(async (list) => {
      await editByHand(run.store, 'port.md');
      list.accept();
    });
    await start({ update: [TO_PORT_8080], retire: [RETIRE_BRANCH] });
    assert.deepEqual(told, [['Left as they are, since they have changed meanwhile: “port”']]);
    assert.deepEqual(
      notified.flat().map(({ record }) => record.name),
      ['old-branch'],
    );
    assert.match((await bodies(run.store))['port'] ?? '', /by hand/);
  });

  it('shows the words of a model as they are written, in one line', async () => {
    await run.store.createAll([PORT_3000, OLD_BRANCH, OTHER]);
    const reason = `Line one\n$(bug) [link](command:x) ${'long '.repeat(100)}`;
    let detail = '';
    withList((list) => {
      detail = list.items[0]?.detail ?? '';
      list.leave();
    });
    await start({ retire: [{ file: 'old-branch.md', reason }] });
    assert.match(detail, /^Line one \$\u2060\(bug\) \[link\]\u2060\(command:x\) .*…$/);
    assert.ok(detail.length < 200, detail);
  });

  it('says that there is nothing to do', async () => {
    const told = stub('showInformationMessage');
    await start();
    await run.store.createAll([PORT_3000, OTHER]);
    await start({});
    assert.deepEqual(told, [
      ['There is nothing to consolidate yet.'],
      ['Nothing to consolidate: all 2 memories stay as they are.'],
    ]);
  });

  it('says that another window is at it', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const told = stub('showInformationMessage');
    await run.store.consolidations.alone(() => start());
    assert.match(String(told[0]?.[0]), /^Another window is consolidating these memories\./);
  });

  it('fails with the reason of the model, and changes nothing', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const before = await readTree(run.store.folder);
    const overloaded = new ModelError('other', 'The service is overloaded.');
    await assert.rejects(start(overloaded), /The service is overloaded\./);
    const { port, other } = await bodies(run.store);
    assert.deepEqual([port, other], [PORT_3000.body, OTHER.body]);
    assert.equal((await readTree(run.store.folder))['port.md'], before['port.md']);
  });

  it('ends at once when the person stops it, though the model never answers', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const original = vscode.window.withProgress;
    const source = new vscode.CancellationTokenSource();
    Object.defineProperty(vscode.window, 'withProgress', {
      value: (_options: unknown, task: (...args: unknown[]) => unknown) =>
        task({ report: () => undefined }, source.token),
      configurable: true,
    });
    try {
      await start(() => {
        source.cancel();
        return new Promise<never>(() => undefined);
      });
    } finally {
      Object.defineProperty(vscode.window, 'withProgress', { value: original, configurable: true });
    }
    assert.equal(notified.length, 0);
  });

  it('ends with the answer in the chat that asked for it', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const chat = new AbortController();
    const model = scriptedModel([
      () => {
        chat.abort();
        return new Promise<never>(() => undefined);
      },
    ]);
    await startWith({ kind: 'chosen', model, utility: model }, chat.signal);
    assert.equal(notified.length, 0);
  });

  it('offers to set a key, and to trust the folder', async () => {
    await run.store.createAll([PORT_3000, OTHER]);
    const warned = stub('showWarningMessage');
    const told = stub('showInformationMessage');
    await startWith({ kind: 'missingKey' });
    await consolidate({
      memory: undefined,
      chooseModel: () => Promise.resolve({ kind: 'missingKey' }),
      notify: () => undefined,
    });
    assert.deepEqual(
      [...warned, ...told],
      [
        ['Consolidating needs a model. Set an Anthropic API key.', 'Set API Key'],
        ['Memories are not used until you trust the workspace.', 'Manage Workspace Trust'],
      ],
    );
  });

  it('takes back what it can of the last one, and names what was changed since', async () => {
    await run.store.createAll([PORT_3000, OLD_BRANCH, OTHER]);
    withList((list) => list.accept());
    await start({ update: [TO_PORT_8080], retire: [RETIRE_BRANCH] });
    await editByHand(run.store, 'port.md');
    const warned = stub('showWarningMessage');
    await run.commands.undoConsolidation();
    assert.match(
      String(warned[0]?.[0]),
      /^Consolidation undone\. Back again: “old-branch”\. Not undone, and left as it is: .*port\.md/,
    );
    assert.equal((await bodies(run.store))['old-branch'], OLD_BRANCH.body);
    assert.match((await bodies(run.store))['port'] ?? '', /by hand/);
    // What is left of it cannot be undone a second time either.
    await assert.rejects(run.commands.undoConsolidation(), /port\.md/);
  });

  it('says that there is no consolidation to undo', async () => {
    await run.store.create(PORT_3000);
    const told = stub('showInformationMessage');
    await run.commands.undoConsolidation();
    assert.deepEqual(told, [['There is no consolidation to undo.']]);
    assert.equal((await run.store.list()).records.length, 1);
  });
});

async function editByHand(store: MemoryStore, file: string): Promise<void> {
  const text = `---\nname: ${file.replace('.md', '')}\ndescription: Of port\ntype: user\n---\n\nThe service listens on port 3000, said by hand.\n`;
  await writeTree(store.folder, { [file]: text });
  await store.refresh();
}

function differences(): readonly vscode.TabInputTextDiff[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputTextDiff ? [input] : []));
}

async function textsOfDifference(label: string): Promise<readonly string[]> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  assert.equal(tab?.label, label);
  const [shown] = differences();
  assert.ok(shown);
  const documents = [shown.original, shown.modified].map((uri) =>
    vscode.workspace.openTextDocument(uri),
  );
  return (await Promise.all(documents)).map((document) => document.getText());
}
