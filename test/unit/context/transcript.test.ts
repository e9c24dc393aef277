import assert from 'node:assert/strict';
import {
  alternating,
  unreadStart,
  lastRequestIndex,
  requestSpan,
  safeCut,
  safeCutAfter,
} from '../../../src/context/transcript.ts';
import { userText } from '../../../src/models/model.ts';
import { call, calls, results, says } from '../../support/conversation.ts';

describe('transcript', () => {
  it('moves a cut back to the call whose result would be kept', () => {
    const messages = [userText('go'), calls(call('a', 'read_file')), results(['a', 'text'])];
    assert.equal(safeCut(messages, 2), 1);
  });

  it('keeps results of one call that are spread over several messages with their call', () => {
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

  it('takes a result for that of the newest call before it when an id comes again', () => {
    const messages = [
      userText('go'),
      calls(call('a', 'read_file')),
      results(['a', 'one']),
      calls(call('a', 'read_file')),
      results(['a', 'two']),
    ];
    assert.equal(safeCut(messages, 2), 1);
    assert.equal(safeCut(messages, 3), 3);
  });

  it('moves the end of a head on until every call in it has its results', () => {
    const messages = [
      userText('go'),
      calls(call('p', 'read_file'), call('q', 'read_file')),
      results(['p', 'one']),
      results(['q', 'two']),
      says('done'),
    ];
    assert.equal(safeCutAfter(messages, 1), 1);
    assert.equal(safeCutAfter(messages, 2), 4);
    assert.equal(safeCutAfter(messages, 9), 5);
  });

  it('cuts nowhere outside the messages', () => {
    assert.equal(safeCut([], -1), 0);
    assert.equal(safeCut([userText('go')], 9), 1);
    assert.equal(safeCutAfter([], 3), 0);
  });

  it('finds the current request, with the round that its message closes', () => {
    const round = [calls(call('p', 'x'), call('q', 'x')), results(['p', 'one'])];
    const closing = {
      role: 'user',
      content: [...results(['q', 'two']).content, ...userText('go').content],
    } as const;
    assert.deepEqual(requestSpan([says('hi'), userText('go'), says('done')]), { start: 1, end: 2 });
    assert.deepEqual(requestSpan([says('hi'), ...round, closing, says('done')]), {
      start: 1,
      end: 4,
    });
    assert.deepEqual(requestSpan([says('hi')]), { start: 0, end: 0 });
  });

  it('finds the newest reply to the current request', () => {
    const request = [userText('old'), says('answer'), userText('go')];
    const round = [calls(call('a', 'x')), results(['a', 'r'])];
    assert.equal(unreadStart(request), 3);
    assert.equal(unreadStart([...request, ...round]), 3);
    assert.equal(unreadStart([...request, ...round, says('more'), userText('and?')]), 7);
    assert.equal(unreadStart([...request, ...round, calls(call('b', 'x'))]), 5);
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
});
