import assert from 'node:assert/strict';
import { describeRecord, recordPlace } from '../../../../src/memory/recall/memoryBlock.ts';
import { aRecord } from '../../../support/records.ts';

describe('a record as it is written down for the model', () => {
  it('holds nothing that a person cannot see, not in the name of its file either', () => {
    const record = aRecord({ name: 'tabs', path: '/w/.memory/ta\u202e\u{e0041}bs.md' });
    const context = { folder: '/w', scopeOf: () => 'Wo\u200brk', now: new Date() };
    const text = `${describeRecord(record, context)}\n${recordPlace(record, context)}`;
    assert.match(text, /\(user, Work, .*\)\nFile: \.memory\/tabs\.md\n/);
    assert.match(text, /\ntabs \(\.memory\/tabs\.md\)$/);
    assert.doesNotMatch(text, /[\u200b\u202e\u{e0041}]/u);
  });
});
