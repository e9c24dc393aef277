import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { guessedType, typeNamed } from '../../../../src/memory/exchange/importType.ts';

describe('guessedType', () => {
  it('takes a type with which the name of the file begins', () => {
    assert.equal(guessedType('/m/reference_board.md', 'Always look here.'), 'reference');
    assert.equal(guessedType('/m/user-role.md', 'A designer.'), 'user');
    assert.equal(guessedType('/m/userland.md', 'A designer.'), 'project');
  });

  for (const text of [
    'Never push to main.',
    '- Use tabs.',
    '不要提交生成的文件',
    'コミットの前に必ずテストしてください',
    '항상 테스트를 실행하세요',
    'Keine Abkürzungen, bitte.',
    'Évitez les abréviations.',
    'Никогда не пиши в main.',
  ])
    it(`takes what tells the reader what to do for feedback: ${text}`, () => {
      assert.equal(guessedType('/w/CLAUDE.md', text), 'feedback');
    });

  for (const text of [
    'We use PostgreSQL 16.',
    'npm test',
    '请求在网关超时',
    '設定を変更することができる',
  ])
    it(`takes what only tells for a fact of the project: ${text}`, () => {
      assert.equal(guessedType('/w/CLAUDE.md', text), 'project');
    });
});

describe('typeNamed', () => {
  it('knows the four types in any case, and nothing else', () => {
    assert.deepEqual(['Feedback', ' user ', 'report', 3, undefined].map(typeNamed), [
      'feedback',
      'user',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
