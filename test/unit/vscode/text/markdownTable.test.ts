import assert from 'node:assert/strict';
import { markdownTable } from '../../../../src/vscode/text/markdownTable.ts';

describe('markdownTable', () => {
  it('puts names at the left and figures at the right', () => {
    const table = markdownTable(
      ['Part', 'Tokens'],
      [
        ['Tools', '1,200'],
        ['Free', '800'],
      ],
    );
    assert.equal(table, '| Part | Tokens |\n| :-- | --: |\n| Tools | 1,200 |\n| Free | 800 |');
  });

  it('lets no cell end its column or its row', () => {
    const table = markdownTable(['a|b'], [['c\nd']]);
    assert.equal(table, '| a\\|b |\n| :-- |\n| c d |');
  });
});
