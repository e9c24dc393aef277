import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { attachmentBlock } from '../../../../src/agent/attachments/attachmentBlock.ts';
import { editorStateBlock } from '../../../../src/agent/attachments/editorState.ts';
import { createEditFile } from '../../../../src/agent/tools/editFile.ts';
import { createSaveMemory } from '../../../../src/agent/tools/saveMemory.ts';
import { runTurn, type TurnRequest } from '../../../../src/agent/turn.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { measureMessage } from '../../../../src/context/measure.ts';
import { recallDialogue } from '../../../../src/memory/recall/recall.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import type { AttachmentBlock, ImageBlock } from '../../../../src/models/model.ts';
import { estimateTokens } from '../../../../src/models/tokens.ts';
import { call } from '../../../support/conversation.ts';
import { SAID_TABS, TABS_OPERATION } from '../../../support/records.ts';
import { scriptedModel, type Step } from '../../../support/scriptedModel.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { turnDeps, turnRequest } from '../../../support/turnRequests.ts';

/** Would be learned if the person had said it. */
const ATTACHED = attachmentBlock({ name: 'notes.md', body: SAID_TABS });
const IMAGE: ImageBlock = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'eA==' },
};

describe('a turn with attachments', () => {
  const folder = useTempFolder();

  function setUp(main: readonly Step[], side: readonly Step[] = []) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const deps = turnDeps(folder.path, scopesOf(store));
    const model = scriptedModel(main);
    const utilityModel = scriptedModel(side);
    const run = (text: string, more: Partial<TurnRequest> = {}) =>
      runTurn(
        deps,
        turnRequest({ text, model, utilityModel, folders: [folder.path], ...more }),
        () => undefined,
        new AbortController().signal,
      );
    return { deps, store, model, utilityModel, run };
  }

  it('sends them in front of the words, in this turn and in later ones', async () => {
    const { model, run } = setUp(['One.', 'Two.']);
    const attachments = [ATTACHED, IMAGE];
    const { ref } = await run('Look.', { attachments, extraction: 'off' });
    await run('Again.', { previous: ref, extraction: 'off' });
    for (const { messages } of model.requests) {
      assert.deepEqual(messages[0]?.content, [ATTACHED, IMAGE, { type: 'text', text: 'Look.' }]);
    }
  });

  it('keeps them when an older request is asked in other words after it', async () => {
    const { model, run } = setUp(['One.', 'Two.', 'Other.']);
    const first = await run('Look.', { attachments: [ATTACHED], extraction: 'off' });
    await run('Again.', { previous: first.ref, extraction: 'off' });
    await run('Another way.', { previous: first.ref, extraction: 'off' });
    const sent = JSON.stringify(model.requests[2]?.messages);
    assert.ok(sent.includes(SAID_TABS) && !sent.includes('Again.'));
  });

  it('counts them in the size of the conversation', () => {
    const words = { type: 'text', text: 'Look.' } as const;
    const size = (content: readonly (AttachmentBlock | ImageBlock | typeof words)[]) =>
      measureMessage({ role: 'user', content });
    assert.ok(size([ATTACHED, words]) > size([words]) + 20);
    assert.ok(size([IMAGE, words]) > size([words]) + 1_000);
  });

  it('lets no memory be looked for by their words', () => {
    const content = [ATTACHED, { type: 'text', text: 'Look.' } as const];
    assert.equal(recallDialogue([{ role: 'user', content }]), 'Look.');
  });

  it('learns nothing from their words', async () => {
    const { model, utilityModel, store, run } = setUp(
      ['Done.'],
      [JSON.stringify({ operations: [{ ...TABS_OPERATION, op: 'add' }] })],
    );
    const { learning } = await run('Summarise what I attached.', { attachments: [ATTACHED] });
    await learning;
    assert.match(JSON.stringify(model.requests), new RegExp(SAID_TABS));
    assert.equal(utilityModel.requests.length, 1);
    assert.doesNotMatch(JSON.stringify(utilityModel.requests), new RegExp(SAID_TABS));
    assert.deepEqual((await store.list()).records, []);
  });

  it('saves nothing as the words of the person that stands in them', async () => {
    const { deps, store, run } = setUp([[call('a', 'save_memory', input())], 'Done.']);
    const tool = createSaveMemory({
      memory: () => deps.memory,
      recall: () => 'auto',
      extraction: () => 'auto',
      sessions: deps.sessions,
      folder: () => folder.path,
      now: deps.now,
      log: silentLog,
    });
    const attachments = [ATTACHED];
    await run('Look.', { attachments, tools: [tool], extraction: 'off', recall: 'off' });
    assert.deepEqual((await store.list()).records, []);
  });

  it('lets a file that is attached whole be changed without being read first', async () => {
    const edit = { path: 'a.ts', old_text: 'one', new_text: 'two' };
    const { run } = setUp([
      [call('a', 'edit_file', edit)],
      'Done.',
      [call('b', 'edit_file', edit)],
      'No.',
    ]);
    const file = path.join(folder.path, 'a.ts');
    await writeTree(folder.path, { 'a.ts': 'one' });
    const more = {
      tools: [createEditFile(diskWorkspace([folder.path]))],
      extraction: 'off',
    } as const;
    await run('Change it.', { ...more, wholeFiles: [{ real: file, text: 'one' }] });
    assert.equal(await fs.readFile(file, 'utf8'), 'two');
    // In another chat nothing was attached.
    await fs.writeFile(file, 'one');
    await run('Change it.', more);
    assert.equal(await fs.readFile(file, 'utf8'), 'one');
  });

  it('lets them be found in the history, by name and by text', async () => {
    const { deps, run } = setUp(['Done.']);
    await run('Look.', { attachments: [ATTACHED], extraction: 'off' });
    for (const query of ['notes.md', SAID_TABS]) {
      const found = await deps.sessions.search(query);
      assert.equal(found.length, 1, query);
    }
  });
});

/** In tokens. */
const WINDOW = 200_000;

describe('what the person looks at', () => {
  const at = { name: 'src/a.ts', language: 'typescript' };
  const line = { first: 12, last: 12 };
  const lines = { first: 12, last: 20 };

  it('is told as place and cursor', () => {
    const { name, text } = editorStateBlock({ ...at, lines: line, isSelection: false }, WINDOW);
    assert.equal(name, 'Active editor: src/a.ts:12');
    assert.match(
      text,
      /src\/a\.ts \(typescript\) open in the editor, with the cursor in line 12\./,
    );
  });

  it('is told without a place where none is known', () => {
    const { name, text } = editorStateBlock(
      { ...at, lines: undefined, isSelection: false },
      WINDOW,
    );
    assert.equal(name, 'Active editor: src/a.ts');
    assert.match(text, /open in the editor\.\n/);
  });

  it('is told with the selected text when that goes with it', () => {
    const without = editorStateBlock({ ...at, lines, isSelection: true }, WINDOW);
    assert.match(without.text, /with text in the lines 12-20 selected\.\n<\/attachment>$/);
    const within = editorStateBlock(
      { ...at, lines: line, isSelection: true, selected: 'let x' },
      WINDOW,
    );
    assert.match(within.text, /with text in line 12 selected\.\n\nlet x\n<\/attachment>$/);
  });

  it('leaves room for the rest in a small window, in any script', () => {
    const selected = '日本語の文章です。\n'.repeat(400);
    const { text } = editorStateBlock({ ...at, lines, isSelection: true, selected }, 8_000);
    assert.ok(estimateTokens(text) < 1_200, String(estimateTokens(text)));
    assert.match(text, /\[Cut: the first \d+ of the 400 selected lines\.\]/);
  });

  it('has no more than 5,000 characters of a selection', () => {
    const selected = 'words and words\n'.repeat(1_000);
    const { text } = editorStateBlock({ ...at, lines, isSelection: true, selected }, WINDOW);
    assert.match(text, /\[Cut: the first 312 of the 1000 selected lines\.\]/);
    assert.ok(text.length < 5_600, String(text.length));
  });
});

function input() {
  const { name, description, type, body, quote } = TABS_OPERATION;
  return { name, description, type, body, quote };
}
