import assert from 'node:assert/strict';
import {
  alternating,
  lastRequestIndex,
  measure,
  safeCut,
} from '../../../src/context/transcript.ts';
import { userText } from '../../../src/models/model.ts';
import { call, calls, results, says } from '../../support/conversation.ts';

describe('transcript', () => {
  it('moves a cut back to the call whose result would be kept', () => {
    const messages = [userText('go'), calls(call('a', 'read_file')), results(['a', 'text'])];
    assert.equal(safeCut(messages, 2), 1);
  });

  it('keeps results of one call that are spread over several messages with their call (C4)', () => {
    const messages = [
      userText('go'),
      calls(call('p', 'read_file'), call('q', 'read_file')),
      results(['p', 'one']),
      results(['q', 'two']),
      says('done'),
    ];
    assert.equal(safeCut(messages, 3), 1);
    assert.equal(safeCut(messages, 4), 4);
  });

  it('follows a chain of pairs that a first move opens', () => {
    const messages = [
      userText('go'),
      calls(call('a', 'read_file')),
      { ...results(['a', 'x']), content: [...results(['a', 'x']).content] },
      calls(call('b', 'read_file')),
      results(['a', 'again'], ['b', 'y']),
    ];
    assert.equal(safeCut(messages, 4), 1);
  });

  it('finds the last request behind tool results and control text', () => {
    const messages = [userText('go'), calls(call('a', 'x')), results(['a', 'r'])];
    assert.equal(lastRequestIndex(messages), 0);
    assert.equal(
      lastRequestIndex([
        ...messages,
        { role: 'user', content: [{ type: 'context', text: 'go on', records: {} }] },
      ]),
      0,
    );
  });

  it('joins neighbours of one role, with tool results in front', () => {
    const joined = alternating([
      userText('go'),
      calls(call('a', 'x')),
      results(['a', 'r']),
      userText('and now?'),
      says('one'),
      says('two'),
    ]);
    assert.deepEqual(joined, [
      userText('go'),
      calls(call('a', 'x')),
      { role: 'user', content: [...results(['a', 'r']).content, ...userText('and now?').content] },
      { role: 'assistant', content: [...says('one').content, ...says('two').content] },
    ]);
  });

  it('measures Chinese text as more tokens a character than English (C19)', () => {
    assert.ok(measure([userText('缩进'.repeat(50))]) > 2 * measure([userText('ab'.repeat(50))]));
  });

  it('measures every kind of block', () => {
    const message = calls(call('a', 'write_file', { content: 'x'.repeat(3_600) }));
    assert.ok(measure([message]) >= 1_000);
    assert.ok(measure([results(['a', 'y'.repeat(3_600)])]) >= 1_000);
  });
});
