import assert from 'node:assert/strict';
import { dropsStatements, topicOfUpdate } from '../../../../src/memory/extraction/updateLoss.ts';

/** Name and description of one memory tell nothing of what is lost. */
const of = (body: string) => ({ name: 'facts', description: 'Facts', body });

const FACTS = '- HTTP port 8080\n- PostgreSQL 14.2\n- Marta';

describe('an update', () => {
  for (const [what, before, after] of [
    ['items of a list', FACTS, 'HTTP port is 9090'],
    ['a sentence', 'The HTTP port is 8080. Billing belongs to Marta.', 'The HTTP port is 9090.'],
    ['a clause', 'HTTP port 8080, PostgreSQL 14.2, billing by Marta', 'HTTP port 9090'],
    [
      'a figure of something alike',
      '- HTTP port 8080\n- HTTPS port 8443\n- Admin port 9000',
      'The HTTP port is 9090.',
    ],
    [
      'what shares a word with the correction',
      '- Backend tests run with pytest\n- Frontend tests run with vitest',
      'Backend tests run with nose.',
    ],
    ['Chinese', '- 缩进用制表符\n- 数据库是 PostgreSQL', '缩进用空格。'],
    ['Japanese', '- ポートは8080\n- データベースはPostgreSQL', 'ポートは9090。'],
  ] as const)
    it(`drops ${what} that nobody spoke of`, () => {
      assert.equal(dropsStatements(of(before), of(after), after), true);
    });

  for (const [what, before, after, quote] of [
    ['corrects the only statement', 'Tabs.', 'Spaces.'],
    ['corrects one and keeps the others', FACTS, '- HTTP port 9090\n- PostgreSQL 14.2\n- Marta'],
    ['leaves out a heading', '# Server\n\nThe HTTP port is 8080.', 'The HTTP port is 9090.'],
    ['adds to them', FACTS, `${FACTS}\n- Deploys on Fridays`],
    [
      'words them anew',
      'The HTTP port is 8080. Billing belongs to Marta.',
      'Marta owns the billing; the HTTP port is 9090.',
    ],
    [
      'corrects two in one sentence',
      'The HTTP port is 8080. The database is PostgreSQL 14.2.',
      'The HTTP port is 9090, the database is PostgreSQL 15.',
    ],
    [
      'lets a reason fall with what it is the reason for',
      'Indent with tabs.\n\n**Why:** Marta reads them aloud.',
      'Indent with spaces.',
    ],
    [
      'leaves out what the person takes back',
      'The HTTP port is 8080. Billing belongs to Marta.',
      'The HTTP port is 9090.',
      'The HTTP port is 9090 now. Forget who does the billing, Marta left.',
    ],
  ] as const)
    it(`drops nothing when it ${what}`, () => {
      assert.equal(dropsStatements(of(before), of(after), quote ?? after), false);
    });

  it('is of another topic when it shares no word with the record', () => {
    const tabs = { name: 'indentation', description: 'Tabs', body: 'Use tabs for indentation.' };
    const port = { name: 'port', description: 'HTTP', body: 'The HTTP port is 9090.' };
    const spaces = { name: 'indentation', description: 'Spaces', body: 'Use spaces.' };
    assert.equal(topicOfUpdate(tabs, port, 'the HTTP port is 9090'), 'other');
    assert.equal(topicOfUpdate(tabs, spaces, 'use spaces'), 'same');
    assert.equal(topicOfUpdate(tabs, port, 'no more tabs, the HTTP port is 9090'), 'same');
    const chinese = { name: '缩进', description: '缩进', body: '缩进用制表符。' };
    assert.equal(topicOfUpdate(chinese, { ...chinese, body: '缩进用空格。' }, '用空格'), 'same');
    assert.equal(topicOfUpdate(tabs, chinese, '用制表符缩进'), 'unknown');
  });

  it('is of the same topic when a record of one word names none', () => {
    const value = (word: string) => ({ name: word, description: `Prefers ${word}`, body: word });
    assert.equal(topicOfUpdate(value('tabs'), value('spaces'), 'I prefer spaces'), 'same');
  });
});
