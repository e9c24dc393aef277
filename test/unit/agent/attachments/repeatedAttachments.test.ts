import assert from 'node:assert/strict';
import { attachmentBlock } from '../../../../src/agent/attachments/attachmentBlock.ts';
import { withoutRepeats } from '../../../../src/agent/attachments/repeatedAttachments.ts';
import type { AttachmentBlock, Message } from '../../../../src/models/model.ts';

const RULES = attachmentBlock({ name: 'AGENTS.md', body: 'Use tabs.\n'.repeat(100) });
const SHORT = attachmentBlock({ name: 'Active editor: a.ts:1', body: 'In line 1.' });

describe('an attachment that stands in the working history', () => {
  it('is named instead of sent again', () => {
    const [again] = withoutRepeats([RULES], [sent(RULES)]);
    assert.ok(again?.type === 'attachment' && again.text.length < 300);
    assert.match(again.text, /<attachment name="AGENTS\.md">[^]*\[Unchanged since/);
    // The next turn has the name above it, and the text above that.
    assert.deepEqual(withoutRepeats([RULES], [sent(RULES), sent(again)]), [again]);
  });

  it('is sent in full once it has changed, or has left the history', () => {
    const changed = attachmentBlock({ name: 'AGENTS.md', body: 'Use spaces.\n'.repeat(100) });
    assert.deepEqual(withoutRepeats([changed], [sent(RULES)]), [changed]);
    assert.deepEqual(withoutRepeats([RULES], []), [RULES]);
  });

  it('is sent in full once it has changed back', () => {
    const changed = attachmentBlock({ name: 'AGENTS.md', body: 'Use spaces.\n'.repeat(100) });
    const again = withoutRepeats([changed], [sent(RULES), sent(changed)]);
    assert.ok((again[0]?.type === 'attachment' ? again[0].text : '').length < 300);
    assert.deepEqual(withoutRepeats([RULES], [sent(RULES), sent(changed)]), [RULES]);
  });

  it('stays what it was: instructions are never named as material', () => {
    const given = { name: 'AGENTS.md', body: 'Use tabs.\n'.repeat(100) };
    const rules = attachmentBlock({ ...given, purpose: 'instructions' });
    const [named] = withoutRepeats([rules], [sent(rules)]);
    assert.ok(named?.type === 'attachment');
    assert.match(named.text, /\nStanding instructions[^\n]*\n\n\[Unchanged/);
    assert.deepEqual(withoutRepeats([rules], [sent(RULES)]), [rules]);
  });

  it('is sent again when it is short', () => {
    assert.deepEqual(withoutRepeats([SHORT], [sent(SHORT)]), [SHORT]);
  });
});

function sent(block: AttachmentBlock): Message {
  return { role: 'user', content: [block, { type: 'text', text: 'Look.' }] };
}
