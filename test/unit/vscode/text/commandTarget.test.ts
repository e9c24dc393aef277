import assert from 'node:assert/strict';

import { commandTarget } from '../../../../src/vscode/text/commandTarget.ts';

describe('address of a command', () => {
  it('is the command alone where there is nothing to give it', () => {
    assert.equal(commandTarget('memory.focus'), 'command:memory.focus');
  });

  it('gives the command its arguments, whatever stands in them', () => {
    const given = ['it\'s (a) "test") [x](y) ~*!', { count: 1 }];
    const [, query = ''] = commandTarget('open', ...given).split('?');
    assert.deepEqual(JSON.parse(decodeURIComponent(query)), given);
  });

  it('holds no character that can end a link', () => {
    assert.doesNotMatch(commandTarget('open', '(a) "b" \'c\' <d>'), /[\s()'"<>]/);
  });
});
