import assert from 'node:assert/strict';
import { estimateTokens } from '../../../src/models/tokens.ts';

describe('estimateTokens', () => {
  it('is 0 for nothing and 1 for a letter', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('a'), 1);
  });

  it('takes 3.6 ASCII characters for a token', () => {
    assert.equal(estimateTokens('a'.repeat(3600)), 1000);
    assert.equal(estimateTokens('{"a": 1}\n'.repeat(400)), 1000);
  });

  it('takes more than a token for each Chinese, Japanese or Korean character', () => {
    for (const text of ['数据库', 'データベ', '연결파일', '，。「」', 'ＡＢＣ']) {
      const many = text.repeat(1000);
      assert.equal(estimateTokens(many), Math.ceil(many.length * 1.1), text);
    }
  });

  it('counts Cyrillic, Greek and accented letters double', () => {
    for (const letter of ['д', 'λ', 'é', 'ع']) {
      assert.equal(estimateTokens(letter.repeat(1800)), 1000, letter);
    }
  });

  it('takes at least two tokens for an emoji', () => {
    assert.equal(estimateTokens('🚀'.repeat(100)), 221);
  });

  it('adds up over mixed text', () => {
    const mixed = 'a'.repeat(360) + '数'.repeat(100) + 'д'.repeat(180);
    assert.equal(estimateTokens(mixed), Math.ceil(100 + 110 + 100));
  });
});
