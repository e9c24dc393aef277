import assert from 'node:assert/strict';
import { measure, measureMessage } from '../../../src/context/measure.ts';
import { userText, type Message } from '../../../src/models/model.ts';
import { call, calls, results } from '../../support/conversation.ts';

describe('the measure of messages', () => {
  it('takes Chinese text for more tokens a character than English', () => {
    assert.ok(measure([userText('缩进'.repeat(50))]) > 2 * measure([userText('ab'.repeat(50))]));
  });

  it('knows every kind of block', () => {
    const message = calls(call('a', 'write_file', { content: 'x'.repeat(3_600) }));
    assert.ok(measure([message]) >= 1_000);
    assert.ok(measure([results(['a', 'y'.repeat(3_600)])]) >= 1_000);
  });

  it('follows a list that grows', () => {
    const messages: Message[] = [userText('one')];
    measure(messages);
    messages.push(userText('two and more'));
    assert.equal(
      measure(messages),
      messages.reduce((sum, m) => sum + measureMessage(m), 0),
    );
  });

  it('reads no text twice', () => {
    let reads = 0;
    const block = {
      type: 'text',
      get text() {
        reads++;
        return 'words';
      },
    } as const;
    const messages: Message[] = [{ role: 'user', content: [block] }];
    measure(messages);
    measure(messages);
    measure([...messages, userText('more')]);
    assert.equal(reads, 1);
  });
});
