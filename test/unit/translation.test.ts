// Every text that a person may see has a Chinese translation, and every translation a text.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { shownTexts } from '../support/shownTexts.ts';

const { texts, unreadable } = shownTexts('src');
const chinese = readTexts('l10n/bundle.l10n.zh-cn.json');
const manifest = readTexts('package.nls.json');
const manifestChinese = readTexts('package.nls.zh-cn.json');

describe('translation', () => {
  it('reads the texts of the sources', () => {
    assert.ok(texts.size > 500, `only ${texts.size} texts found`);
    assert.ok(texts.has('{0} is no longer there. Refresh the list.'));
  });

  it('finds a literal wherever a text is translated, but where the words of a sentence are', () => {
    assert.deepEqual(
      unreadable.map((place) => place.replace(/:\d+$/, '')),
      ['src/vscode/text/sentenceText.ts'],
    );
  });

  it('has a Chinese text for every text of the code, and no other', () => {
    assert.deepEqual(
      { missing: [...texts].filter((text) => !(text in chinese)), unused: keysNotIn(texts) },
      { missing: [], unused: [] },
    );
  });

  it('has a Chinese text for every text of package.json, and no other', () => {
    assert.deepEqual(Object.keys(manifestChinese).toSorted(), Object.keys(manifest).toSorted());
  });

  it('says in Chinese what is not the same in English', () => {
    for (const [text, translation] of pairs()) {
      assert.notEqual(translation.trim(), '', text);
      // What holds no word but places, marks and names is the same in every language.
      if (/\p{Script=Latin}{4}/u.test(text.replace(/`[^`]*`|@memory|Memory Agent/g, '')))
        assert.match(translation, /\p{Script=Han}/u, text);
    }
  });

  it('keeps places, code and links in the Chinese texts', () => {
    for (const [text, translation] of pairs()) {
      assert.deepEqual(fixedParts(translation), fixedParts(text), text);
    }
  });
});

function pairs(): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(chinese),
    ...Object.entries(manifest).map(([key, text]): readonly [string, string] => [
      text,
      manifestChinese[key] ?? '',
    ]),
  ];
}

function keysNotIn(known: ReadonlySet<string>): readonly string[] {
  return Object.keys(chinese).filter((text) => !known.has(text));
}

/** What a translation must hold as it is, sorted: another language may put it in another order. */
function fixedParts(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}|`[^`]+`|\]\([^)]+\)|\$\([\w~-]+\)/g)]
    .map(([part]) => part)
    .toSorted();
}

function readTexts(file: string): Readonly<Record<string, string>> {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
