import assert from 'node:assert/strict';
import { searchFor } from '../../../../src/vscode/sidebar/memorySearch.ts';
import { aRecord } from '../../../support/records.ts';

const TABS = aRecord({
  name: 'tabs',
  description: 'Prefers tabs in the Café',
  body: 'Four columns.\n\n缩进用制表符，ＡＢＣ.',
});

describe('searchFor', () => {
  for (const query of [
    'tabs',
    'TABS',
    'pre',
    'columns tabs',
    'ＴＡＢＳ',
    '制表符',
    'abc',
    'cafe\u0301',
  ]) {
    it(`finds “${query}” in name, description or text`, () => {
      assert.equal(searchFor(query)?.(TABS), true);
    });
  }

  for (const query of ['spaces', 'tabs spaces', 'tabs制表符', 'four  rows']) {
    it(`does not find “${query}”, of which a word is missing`, () => {
      assert.equal(searchFor(query)?.(TABS), false);
    });
  }

  it('finds a damaged file by its name', () => {
    const bad = { file: 'Bad-one.md', path: '/app/Bad-one.md', problem: 'No name.' };
    assert.equal(searchFor('bad-ONE')?.(bad), true);
    assert.equal(searchFor('no name')?.(bad), false);
  });

  it('searches for nothing without a word', () => {
    assert.equal(searchFor(' \u3000 '), undefined);
  });
});
