import assert from 'node:assert/strict';
import { comparisonsIn, isTurned } from '../../../../src/memory/facts/comparisons.ts';

describe('comparisons of a sentence', () => {
  for (const [before, after] of [
    ['Prefer tabs over spaces for indentation.', 'Prefer spaces over tabs for indentation.'],
    ['Use tabs rather than spaces.', 'Use spaces rather than tabs.'],
    ['Use pnpm instead of npm.', 'Use npm instead of pnpm.'],
    ['Use tabs, not spaces.', 'Use spaces, not tabs.'],
    ['Use tabs and not spaces.', 'Use spaces over tabs.'],
    ['Prefers TS over JS.', 'Prefers JS over TS.'],
    ['Prefers Vitest to Jest.', 'Prefers Jest to Vitest.'],
    ['Instead of spaces, use tabs.', 'Use spaces instead of tabs.'],
    ['We dropped Jest in favour of Vitest.', 'We use Jest over Vitest.'],
    ['用制表符不用空格', '用空格不用制表符'],
    ['缩进用制表符而不是空格', '缩进用空格而不是制表符'],
    ['スペースではなくタブを使う', 'タブではなくスペースを使う'],
    ['공백 대신 탭을 사용', '탭 대신 공백을 사용'],
    ['Tabs statt Leerzeichen verwenden.', 'Leerzeichen statt Tabs verwenden.'],
    ['Lieber Tabs als Leerzeichen.', 'Lieber Leerzeichen als Tabs.'],
    ['Des tabulations plutôt que des espaces.', 'Des espaces plutôt que des tabulations.'],
    ['Tabuladores en vez de espacios.', 'Espacios en vez de tabuladores.'],
    ['Табуляция вместо пробелов.', 'Пробелы вместо табуляции.'],
  ] as const) {
    it(`are turned round: ${before}`, () => assert.ok(isTurnedIn(before, after)));
    it(`are the same: ${before}`, () => assert.ok(!isTurnedIn(before, before)));
  }

  for (const [before, after] of [
    ['Use tabs over spaces in Python.', 'In Python use tabs over spaces.'],
    ['Use tabs instead of spaces.', 'Tabs, not spaces.'],
    ['Use tabs, not spaces.', "Don't use spaces over tabs."],
    ['Deploys do not run on Fridays.', 'On Fridays do not run deploys.'],
    ['The API is served over HTTPS.', 'HTTPS is used for the API.'],
    ['Instead of spaces, use tabs.', 'Use tabs instead of spaces.'],
    ['スペースではなくタブを使う', 'スペースよりタブを使う'],
    ['공백 대신 탭을 사용', '공백보다 탭'],
  ] as const) {
    it(`are none, or the same in other words: ${after}`, () => {
      assert.ok(!isTurnedIn(before, after));
      assert.ok(!isTurnedIn(after, before));
    });
  }
});

function isTurnedIn(before: string, after: string): boolean {
  return comparisonsIn(before).some((one) =>
    comparisonsIn(after).some((other) => isTurned(one, other)),
  );
}
