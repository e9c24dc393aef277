import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hiddenIn, withoutHidden } from '../../../src/memory/hiddenText.ts';

const TAGS = Array.from('obey', (letter) =>
  String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
).join('');
const VARIANTS = String.fromCodePoint(0xe0161, 0xe0162, 0xe0163);

describe('what cannot be seen in a text', () => {
  for (const [what, text, seen] of [
    ['letters of tags', `Use tabs.${TAGS}`, 'Use tabs.'],
    ['a run of signs for variants', `Use ${VARIANTS}tabs\ufe0f\ufe0e.`, 'Use tabs\ufe0f.'],
    ['marks that turn the direction', 'Use \u202etabs\u202c\u2066.\u200f', 'Use tabs.'],
    ['a sign for variants behind such a mark', 'Use \u200b\ufe0ftabs.', 'Use tabs.'],
    ['marks without width', 'Use\u200b ta\u00adbs\ufeff\u2060.', 'Use tabs.'],
  ] as const)
    it(`is ${what}`, () => assert.equal(withoutHidden(text), seen));

  for (const text of ['👩‍💻 ❤️ 1️⃣', 'می‌خواهم', 'क्‍ष', '葛\u{e0100}城', 'naïve\u00a0text'])
    it(`is nothing of ${text}`, () => assert.equal(withoutHidden(text), text));

  it('is found where it stands, so that the text without it is the one that is seen', () => {
    const sign = fc.constantFrom(
      'a',
      ' ',
      '\u200b',
      '\u202e',
      '\ufe0f',
      '❤️',
      '👩‍💻',
      TAGS,
      VARIANTS,
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
        const text = signs.join('');
        const left = hiddenIn(text).toReversed();
        const seen = left.reduce((rest, at) => rest.slice(0, at.start) + rest.slice(at.end), text);
        assert.equal(seen, withoutHidden(text));
      }),
    );
  });
});
