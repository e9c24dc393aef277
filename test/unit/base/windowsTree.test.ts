import assert from 'node:assert/strict';
import { taskkillArguments } from '../../../src/base/windowsTree.ts';

describe('the end of a command on Windows', () => {
  it('takes the whole tree, by force', () => {
    assert.deepEqual(taskkillArguments(123), ['/PID', '123', '/T', '/F']);
  });
});
