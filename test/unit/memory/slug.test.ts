import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { slugFor } from '../../../src/memory/slug.ts';
import { anyText } from '../../support/frontMatters.ts';

const MAX_BYTES = 75;

describe('slugFor', () => {
  const slugs: [string, string][] = [
    ['User Preference: tabs', 'user-preference-tabs'],
    ['C++ style', 'cplusplus-style'],
    ['C# style', 'csharp-style'],
    ['C style', 'c-style'],
    ['F#', 'fsharp'],
    ['.NET', 'net'],
    ['issue #12', 'issue-12'],
    ['../../etc/passwd', 'etc-passwd'],
    ['..\\..\\x:y', 'x-y'],
    ['a\0b\nc', 'a-b-c'],
    ['~tabs~ _or_ spaces', 'tabs-or-spaces'],
    // Scripts.
    ['日本語 メモ', '日本語-メモ'],
    ['हिन्दी नोट', 'हिन्दी-नोट'],
    ['Ελληνικά ΟΔΟΣ', 'ελληνικά-οδος'],
    ['עברית, שלום', 'עברית-שלום'],
    ['العربية', 'العربية'],
    ['ภาษาไทย', 'ภาษาไทย'],
    ['한국어', '한국어'],
    ['Straße İstanbul', 'straße-i\u0307stanbul'],
    ['x² and ½', 'x²-and-½'],
    // Two ways to write one name.
    ['E\u0301te\u0301', '\u00E9t\u00E9'],
    ['\u1112\u1161\u11ab', '\ud55c'],
    ['C#\u0301', 'cshar\u1e55'],
    // What cannot be seen.
    ['می\u200cخواهم', 'میخواهم'],
    ['क्\u200dष', 'क्ष'],
    ['ta\u200bbs\ufeff', 'tabs'],
    ['\u202eabc\u202c \u2066x\u2069', 'abc-x'],
    ['a\u00adb', 'ab'],
    // Nothing is left.
    ['!!!', 'memory-record'],
    ['???', 'memory-record'],
    ['', 'memory-record'],
    ['👩‍👩‍👧 ❤️ 🏳️‍🌈', 'memory-record'],
    ['\u0301\u0302', 'memory-record'],
    ['\u200b\u202e\ufe0f\u3164', 'memory-record'],
    ['\ud800', 'memory-record'],
    ['a \u0301b', 'a-b'],
    ['I ❤️ tabs', 'i-tabs'],
    // Taken by the index and by Windows.
    ['Memory', 'memory-record'],
    ['MEMORY.md', 'memory-md'],
    ['CON', 'con-record'],
    ['nul.', 'nul-record'],
    ['Aux . ', 'aux-record'],
    ['prn', 'prn-record'],
    ['COM1', 'com1-record'],
    ['lpt¹', 'lpt¹-record'],
    ['CON.txt', 'con-txt'],
    ['console', 'console'],
    // Long names.
    ['x'.repeat(300), 'x'.repeat(75)],
    ['é'.repeat(300), 'é'.repeat(37)],
    ['語'.repeat(300), '語'.repeat(25)],
    ['नि'.repeat(300), 'नि'.repeat(12)],
    ['𝒳'.repeat(300), '𝒳'.repeat(18)],
    [`${'x'.repeat(74)} y`, 'x'.repeat(74)],
    [`${'x'.repeat(74)}q\u0301`, 'x'.repeat(74)],
    [`x${'\u0301\u0302'.repeat(200)}`, `x${'\u0301\u0302'.repeat(200)}`.slice(0, 38)],
  ];
  for (const [name, slug] of slugs) {
    it(`makes ${slug.slice(0, 20)} of ${JSON.stringify(name.slice(0, 20))}`, () => {
      assert.equal(slugFor(name), slug);
      assert.equal(slugFor(slug), slug);
    });
  }

  it('makes of any text a name that every file system takes, and the same of that name', () => {
    const names = fc.oneof(
      anyText(300),
      fc.string({ unit: 'grapheme', minLength: 40, maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom('+', '#', '\u0301', '\u0338', '\u200d', 'İ', 'Σ', 'a', 'C', '-', ' '),
      }),
    );
    const check = fc.property(names, (name) => {
      const slug = slugFor(name);
      assert.equal(slugFor(slug), slug);
      assert.equal(slug.normalize('NFC'), slug);
      assert.ok(slug.isWellFormed());
      assert.ok(Buffer.byteLength(slug) <= MAX_BYTES, `${Buffer.byteLength(slug)} bytes`);
      assert.match(slug, /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u);
      assert.doesNotMatch(slug, /^(?:con|prn|aux|nul|com\d|lpt\d|memory)$/i);
    });
    fc.assert(check, { numRuns: 3_000, seed: 20_260_301 });
  }).timeout(60_000);
});
