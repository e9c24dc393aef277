import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/manifest.ts';
import { followUnsaved } from '../../src/vscode/unsavedRequest.ts';
import { keptResponse } from '../support/chatResponse.ts';

describe('an answer to "remember …" while saving is off', () => {
  it('ends with the truth, and with a button that saves the words', () => {
    const { text, buttons } = told('Fix the tests. Remember that I use pnpm, not npm.');
    assert.match(
      text,
      /^\n\n_Nothing was saved, since .*memoryAgent\.extraction is off\..*`\/remember`/,
    );
    const [button] = buttons;
    assert.equal(button?.command, COMMANDS.saveRedacted);
    assert.equal(button.arguments?.[0].body, 'I use pnpm, not npm.');
  });

  it('offers no button for a secret, or for a text that holds more than that', () => {
    for (const words of [`my key is sk-ant-${'a1'.repeat(10)}`, 'x '.repeat(300)]) {
      const { text, buttons } = told(`Remember that ${words}`);
      assert.match(text, /Nothing was saved/);
      assert.deepEqual(buttons, []);
    }
  });

  it('says nothing of it to other requests', () => {
    const { text, buttons } = told('Do you remember what I said?');
    assert.deepEqual([text, buttons], ['', []]);
  });

  it('says nothing of it when the model saved it by its tool', () => {
    assert.equal(told('Remember that I use pnpm.', { isError: false }).text, '');
    assert.match(told('Remember that I use pnpm.', { isError: true }).text, /Nothing was saved/);
  });
});

/** `saved`: how a call of the tool that saves ended. */
function told(prompt: string, saved?: { readonly isError: boolean }) {
  const unsaved = followUnsaved(prompt);
  unsaved.follow({ type: 'toolFinished', id: 'a', name: 'grep', isError: false });
  if (saved) unsaved.follow({ type: 'toolFinished', id: 'b', name: 'save_memory', ...saved });
  const { response, text, buttons } = keptResponse();
  unsaved.tell(response);
  return { text: text(), buttons };
}
