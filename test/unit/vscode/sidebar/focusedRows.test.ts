import assert from 'node:assert/strict';
import { FocusedRows } from '../../../../src/vscode/sidebar/focusedRows.ts';

describe('FocusedRows', () => {
  /** What a key takes after these selections. */
  const taken = (...selections: readonly string[]): string => {
    const rows = new FocusedRows<string>((row) => row);
    for (const selection of selections) rows.select(Array.from(selection));
    return rows.take().join('');
  };

  it('takes the row with the focus when it is not selected', () => {
    assert.equal(taken('b', ''), 'b');
    assert.equal(taken('a', 'ab', 'a'), 'b');
    assert.equal(taken('ab', 'abc', 'ab'), 'c');
  });

  it('takes all selected rows when the row with the focus is one of them', () => {
    assert.equal(taken('a', '', 'a'), 'a');
    assert.equal(taken('abc', 'ac', 'abc'), 'abc');
    assert.equal(taken('abc', 'ab', 'abc'), 'abc');
  });

  it('takes nothing when the selections are not those of a key', () => {
    for (const selections of [[], ['a'], ['a', 'b'], ['a', 'b', 'a'], ['a', 'ab', 'b']])
      assert.equal(taken(...selections), '', selections.join());
  });

  it('takes rows once for each key', () => {
    const rows = new FocusedRows<string>((row) => row);
    const press = (): string => {
      rows.select(['a', 'b']);
      rows.select(['a']);
      return rows.take().join('');
    };
    rows.select(['a']);
    assert.deepEqual([press(), rows.take().join(''), press()], ['b', '', 'b']);
  });
});
