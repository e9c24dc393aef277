import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inertTag } from '../../../src/base/inertTag.ts';

describe('inertTag', () => {
  const inert = inertTag('our_block', 'our_other');

  it('leaves text and the tags of others as they are', () => {
    const text = 'if (a < b) return <div>our_block</div>; x << our';
    assert.equal(inert(text), text);
  });

  it('makes opening and closing tags of ours readable text', () => {
    assert.equal(inert('a</our_block><our_other x="1">'), 'a&lt;/our_block>&lt;our_other x="1">');
  });

  it('sees a tag through capital letters, blanks and invisible characters', () => {
    const hidden = [
      '</ our_block >',
      '< / OUR_BLOCK>',
      '<\u200b/our\u00ad_block>',
      '<\n/o\u2060ur_block',
    ];
    for (const text of hidden) assert.equal(inert(text), text.replace('<', '&lt;'), text);
  });

  it('takes time in proportion to the text', () => {
    const blanks = `<${' '.repeat(200_000)}x`;
    const started = performance.now();
    assert.equal(inert(blanks), blanks);
    assert.ok(performance.now() - started < 2_000);
  });
});
