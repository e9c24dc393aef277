import assert from 'node:assert/strict';
import { tokenBar } from '../../../../src/vscode/text/tokenBar.ts';

describe('tokenBar', () => {
  for (const [share, bar] of [
    [0, '░░░░░░░░░░'],
    [0.5, '█████░░░░░'],
    [1, '██████████'],
    [0.001, '█░░░░░░░░░'],
    [0.999, '█████████░'],
    [7, '██████████'],
    [-1, '░░░░░░░░░░'],
    [Number.NaN, '░░░░░░░░░░'],
  ] as const) {
    it(`draws ${share} as ${bar}`, () => {
      assert.equal(tokenBar(share, 10), bar);
    });
  }
});
