import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi, RequestBody } from '../support/fakeMessagesApi.ts';
import { text } from '../support/messageEvents.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const MODEL = 'Claude Sonnet';
/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const CODE = ['const one = 1;', 'const two = 2;', 'const three = 3;', ''].join('\n');

/** VS Code attaches such a file to every request by itself. */
const RULES = 'Always write short names.\n'.repeat(50);

describe('what a person attaches to a request', () => {
  const used = useWindow({
    api: {
      models: [
        {
          id: 'claude-sonnet-test',
          display_name: MODEL,
          capabilities: { image_input: { supported: true } },
        },
      ],
    },
    environmentKey: 'any-key',
    settings: { 'memoryAgent.extraction': 'off', 'memoryAgent.recall': 'off' },
    fill: (workspace) => {
      fs.writeFileSync(path.join(workspace, 'AGENTS.md'), RULES);
      fs.writeFileSync(path.join(workspace, 'code.ts'), CODE);
      fs.writeFileSync(path.join(workspace, 'notes.md'), 'The port is 8421.\n');
      fs.writeFileSync(path.join(workspace, 'dot.png'), Buffer.from(PNG, 'base64'));
      fs.writeFileSync(path.join(workspace, 'data.bin'), Buffer.from([1, 0, 2]));
    },
    chatModel: MODEL,
  });
  let window: Workbench;
  let api: FakeMessagesApi;
  before(() => {
    ({ window, api } = used);
  });
  afterEach(async () => {
    await window.runCommand('workbench.action.closeAllEditors', 'View: Close All Editors');
    await window.chat.startNew();
  });

  it('is sent with it and stays in the conversation, and so is what is selected in the editor', async () => {
    await openFile('notes.md');
    await attachFile();
    await openFile('code.ts');
    await selectLine();
    api.push({ blocks: [text('I see.')] }, { blocks: [text('Still there.')] });
    const answer = await window.chat.send('@memory What is this?');
    assert.match(await window.chat.answerText(answer), /I see\./);
    const sent = lastRequest();
    assert.match(sent, /<attachment name=\\"notes\.md\\">[^]*The port is 8421\./);
    assert.match(sent, /Active editor: code\.ts:1\\">[^]*\\nconst one = 1;\\n<\/attachment>/);
    assert.doesNotMatch(sent, /const three/);
    assert.deepEqual(await window.chat.references(answer), ['code.ts']);
    assert.equal(sent.split('Always write short names.').length, 51);
    await window.chat.ask('@memory And now?');
    assert.match(lastRequest(), /The port is 8421\./);
    assert.equal(lastRequest().split('Always write short names.').length, 51);
    const rules = /"<attachment name=\\"AGENTS\.md\\">\\nStanding instructions of the user [^"]*"/g;
    const [given, again, ...more] = lastRequest().match(rules) ?? [];
    assert.match(given ?? '', /Always write short names/);
    assert.match(again ?? '', /Unchanged since it was attached above/);
    assert.deepEqual(more, []);
  });

  it('may be an image, and what cannot be sent is said', async () => {
    await addContext('dot.png');
    await openFile('data.bin');
    await attachFile();
    api.push({ blocks: [text('A dot.')] });
    const answer = await window.chat.send('@memory What do you see?');
    const markdown = await window.chat.answerMarkdown(answer);
    assert.match(markdown, /Attached, but not sent: data\S*bin \(not text\)/);
    const blocks = lastBody().messages.at(-1)?.content ?? [];
    const image = blocks.find(({ type }) => type === 'image');
    assert.equal((image?.['source'] as { media_type?: string })?.media_type, 'image/png');
  });

  async function openFile(name: string): Promise<void> {
    await window.page.keyboard.press('Control+P');
    await window.quickInput.locator('.quick-input-box input').fill(name);
    await window.pick(new RegExp(`^${name}`));
    await window.page.locator('.part.editor').getByRole('tab', { name }).waitFor();
  }

  /** By the button of the chat's input, as its keys press it. */
  async function addContext(name: string): Promise<void> {
    await window.chat.type('@memory ');
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Control+/');
    await window.pick(/^Files & Folders/);
    await window.quickInput.locator('.quick-input-box input').fill(name);
    await window.pick(new RegExp(`^${name}`));
    await window.chat.view
      .locator('.chat-attached-context-attachment', { hasText: name })
      .waitFor();
  }

  async function attachFile(): Promise<void> {
    await window.runCommand('workbench.action.chat.attachFile', 'Chat: Add File to Chat');
  }

  /** The first one. */
  async function selectLine(): Promise<void> {
    const editor = window.page.locator('.part.editor .editor-instance .monaco-editor').first();
    await editor.locator('.native-edit-context, textarea.inputarea').first().focus();
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.press('Shift+End');
  }

  function lastBody(): RequestBody {
    const body = api.messageRequests.at(-1)?.body;
    assert.ok(body);
    return body;
  }

  function lastRequest(): string {
    return JSON.stringify(lastBody().messages);
  }
});
