import assert from 'node:assert/strict';
import { shortText, withoutKey } from '../../../src/models/serverWords.ts';

describe('the words of a server', () => {
  it('stand on one short line', () => {
    assert.equal(shortText('a\n  b.\n'), 'a b');
    assert.equal(shortText('x'.repeat(1000)).length, 301);
    assert.match(shortText('  <!doctype html><p>hi'), /HTML page/);
  });

  it('quote no key, but keep words that a made-up key is a part of', () => {
    const key = ['not', 'a', 'real', 'key'].join('-');
    assert.equal(withoutKey(`"${key}" is no key`, key), '"[key]" is no key');
    assert.equal(withoutKey('no model is loaded', 'none'), 'no model is loaded');
    assert.equal(withoutKey('nonexistent model', 'none'), 'nonexistent model');
  });
});
