import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/manifest.ts';
import { tellUnsaved } from '../../src/vscode/chat/unsavedRequest.ts';
import { keptResponse } from '../support/chatResponse.ts';

type Where = Parameters<typeof tellUnsaved>[2];

describe('an answer to "remember …" where nothing is saved', () => {
  it('ends with the truth, and with a button that saves the words', () => {
    const { text, buttons } = told('Fix the tests. Remember that I use pnpm, not npm.');
    assert.match(
      text,
      /^\n\n_Nothing was saved, since .*memoryAgent\.extraction` is off\..*`\/remember`/,
    );
    const [button] = buttons;
    assert.equal(button?.command, COMMANDS.saveRedacted);
    assert.equal(button.arguments?.[0].body, 'I use pnpm, not npm.');
  });

  it('ends with that no folder is open, and the same button', () => {
    const { text, buttons } = told('Remember that I use pnpm, not npm.', {
      extraction: 'auto',
      folders: 0,
    });
    assert.match(text, /^\n\n_Nothing was saved by itself, since no folder is open\..*personal/);
    assert.equal(buttons[0]?.arguments?.[0].body, 'I use pnpm, not npm.');
  });

  it('offers no button for a secret, or for a text that holds more than that', () => {
    for (const words of [`my key is sk-ant-${'a1'.repeat(10)}`, 'x '.repeat(300)]) {
      const { text, buttons } = told(`Remember that ${words}`);
      assert.match(text, /Nothing was saved/);
      assert.deepEqual(buttons, []);
    }
  });

  it('offers no button where nothing is said that could be saved', () => {
    const { text, buttons } = told('Remember:');
    assert.match(text, /Nothing was saved/);
    assert.deepEqual(buttons, []);
  });

  it('says nothing where what is said is looked through', () => {
    const { text, buttons } = told('Remember that I use pnpm.', { extraction: 'review' });
    assert.deepEqual([text, buttons], ['', []]);
  });

  it('says nothing of it to other requests', () => {
    const { text, buttons } = told('Do you remember what I said?');
    assert.deepEqual([text, buttons], ['', []]);
  });
});

function told(prompt: string, { extraction = 'off', folders = 1 }: Partial<Where> = {}) {
  const { response, text, buttons } = keptResponse();
  tellUnsaved(response, prompt, { extraction, folders });
  return { text: text(), buttons };
}
