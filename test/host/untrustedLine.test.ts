import assert from 'node:assert/strict';
import { refuseUntrusted, tellUntrusted } from '../../src/vscode/chat/untrustedLine.ts';
import { keptResponse } from '../support/chatResponse.ts';

describe('a workspace that is not trusted', () => {
  it('is told of at the beginning of a chat, with what cannot be done and the way to trust it', () => {
    const { text, buttons } = told({ isTrusted: false, isFirst: true });
    assert.match(
      text,
      /^_This workspace is not trusted.*only read.*no files.*no commands.*no memories.*_\n\n$/,
    );
    assert.deepEqual(
      buttons.map(({ command, title }) => [command, title]),
      [['workbench.trust.manage', 'Manage Workspace Trust']],
    );
  });

  it('is not told of again in the same chat, nor where it is trusted', () => {
    for (const state of [
      { isTrusted: false, isFirst: false },
      { isTrusted: true, isFirst: true },
    ]) {
      const { text, buttons } = told(state);
      assert.deepEqual([text, buttons], ['', []]);
    }
  });

  it('has commands over the memories say that they did nothing', () => {
    const { response, text, buttons } = keptResponse();
    refuseUntrusted(response);
    assert.match(text(), /^Nothing was done: .* until you trust the workspace\.$/);
    assert.equal(buttons[0]?.command, 'workbench.trust.manage');
  });
});

function told(state: Parameters<typeof tellUntrusted>[1]) {
  const { response, text, buttons } = keptResponse();
  tellUntrusted(response, state);
  return { text: text(), buttons };
}
