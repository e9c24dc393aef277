import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PreparedCalls } from '../../../../src/vscode/tools/preparedCalls.ts';

describe('what was found out about a call before it runs', () => {
  it('is there for the call with the same input, once', () => {
    const calls = new PreparedCalls<string>();
    calls.keep({ a: 1 }, 'of a');
    calls.keep({ b: 1 }, 'of b');
    assert.equal(calls.take({ a: 1 }), 'of a');
    assert.equal(calls.take({ a: 1 }), undefined);
    assert.equal(calls.take({ b: 1 }), 'of b');
  });

  it('is that of the newest of several calls, for one may have been declined', () => {
    const calls = new PreparedCalls<string>();
    calls.keep({ a: 1 }, 'declined');
    calls.keep({ a: 1 }, 'allowed');
    assert.equal(calls.take({ a: 1 }), 'allowed');
  });
});
