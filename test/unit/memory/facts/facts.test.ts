import assert from 'node:assert/strict';
import {
  inventedFacts,
  isNamedIn,
  lostStatements,
  readingOf,
  standsIn,
} from '../../../../src/memory/facts/facts.ts';

describe('facts of a text', () => {
  for (const [what, before, after, lost] of [
    ['a number', 'The server listens on port 8080.', 'The server listens on a port.', ['8080']],
    ['a number cut short', 'It listens on port 8080.', 'It listens on port 80.', ['8080']],
    ['a version', 'Uses Node 22.13.', 'Uses Node 22.', ['22.13']],
    ['a date', 'Released on 2025-05-03.', 'Released in 2025.', ['2025-05-03']],
    ['code', 'Deploy with `make deploy`.', 'Deploy with make.', ['make deploy']],
    [
      'an address',
      'See https://example.com/guide now.',
      'See the guide.',
      ['https://example.com/guide'],
    ],
    ['an identifier', 'Call loadUser before it.', 'Load the user before it, call.', ['loadUser']],
    ['a path', 'Tests are in test/unit.', 'Unit tests are in a test folder.', ['test/unit']],
    ['a flag', 'Run it with --force.', 'Run it with force.', ['--force']],
    [
      'a quotation',
      'The file says "Red Team" at its top.',
      'The file says it at its top.',
      ['Red Team'],
    ],
    ['a name', 'Ask Maria about it.', 'Ask somebody about it.', ['Maria']],
    [
      'a name that begins',
      'Marta reviews frontend changes.',
      'The team reviews frontend changes.',
      ['Marta'],
    ],
    ['a tool that is called by another word', 'Run commitlint.', 'Run on commit.', ['commitlint']],
    ['an abbreviation', 'The API is public.', 'The interface is public.', ['API']],
    ['a word', 'Uses redis for caching and memcached.', 'Uses redis for caching.', ['memcached']],
    ['a sentence', 'Use tabs. Write short commits.', 'Use tabs.', ['Write', 'short', 'commits']],
    ['an item', '- use tabs\n- keep lines short', '- use tabs', ['keep', 'lines', 'short']],
    ['a ban', 'Never commit to main.', 'Commit to main.', ['Never commit to main.']],
    ['a Chinese word', '用制表符缩进，也用空格', '用制表符缩进', ['空格']],
    ['a Chinese ban', '不要提交到主分支', '提交到主分支', ['不要提交到主分支']],
    ['a number in Chinese', '发布日期是5月3日', '发布日期是5月', ['3']],
    ['a Japanese word', 'タブとスペースを使う', 'タブを使う', ['スペース']],
    ['a Japanese ban', 'スペースは使わない', 'スペースを使う', ['スペースは使わない']],
    ['a Korean word', '탭과 공백을 사용', '탭을 사용', ['공백을']],
    ['a German ban', 'Niemals Tabulatoren.', 'Tabulatoren.', ['Niemals Tabulatoren.']],
    [
      'a French ban',
      'Ne jamais pousser sur main.',
      'Pousser sur main.',
      ['Ne jamais pousser sur main.'],
    ],
    ['a Spanish ban', 'Nunca usar espacios.', 'Usar espacios.', ['Nunca usar espacios.']],
    ['a number in words', 'PRs need two approvals.', 'PRs need three approvals.', ['two']],
    ['a unit', 'The timeout is 30 s.', 'The timeout is 30 ms.', ['30 s']],
    ['a day in Chinese', '每周二部署', '每周三部署', ['二']],
    ['an hour in Chinese', '周二下午两点部署', '周二下午三点部署', ['两点']],
    [
      'a ban where another stands',
      'Never use lodash. Do not use moment.',
      'Use lodash, do not use moment.',
      ['Never use lodash.'],
    ],
    [
      'a ban where another speaks of a part of it',
      'Do not commit directly to main. Do not commit generated files.',
      'Commit directly to main. Do not commit generated files.',
      ['Do not commit directly to main.'],
    ],
    [
      'a Chinese ban where another stands',
      '不要使用空格缩进。不要使用全局变量。',
      '使用空格缩进，不要使用全局变量。',
      ['不要使用空格缩进'],
    ],
    [
      'figures that have changed places',
      'Staging listens on 8080. Production listens on 9090.',
      'Staging listens on 9090, production on 8080.',
      ['Production listens on 9090.', 'Staging listens on 8080.'],
    ],
    [
      'figures of a table that have changed places',
      '| dev | 3000 |\n| staging | 4000 |',
      '| dev | 4000 |\n| staging | 3000 |',
      ['| dev | 3000 |', '| staging | 4000 |'],
    ],
    [
      'who does what',
      'Marta owns billing, Jonas owns search.',
      'Jonas owns billing, Marta owns search.',
      ['Marta owns billing', 'Jonas owns search.'],
    ],
    [
      'who does what, in two sentences',
      'Marta owns billing. Jonas is on call for search.',
      'On call for search is Marta. Billing is owned by Jonas.',
      ['Marta owns billing.', 'Jonas is on call for search.'],
    ],
    [
      'what was put first',
      'Prefers tabs over spaces.',
      'Prefers spaces over tabs.',
      ['Prefers tabs over spaces.'],
    ],
    ['what was put first in Chinese', '用制表符不用空格', '用空格不用制表符', ['用制表符不用空格']],
    ['what is forbidden by now', 'Use semicolons.', 'Do not use semicolons.', ['Use semicolons.']],
    ['a Russian word', 'Отступы табуляцией и пробелами', 'Отступы табуляцией', ['пробелами']],
  ] as const) {
    it(`lost: ${what}`, () => {
      assert.deepEqual(factsLost([before], after).toSorted(), [...lost].toSorted());
    });
  }

  for (const [what, before, after] of [
    ['another order', 'Use tabs, never spaces.', 'Never spaces: use tabs.'],
    [
      'another case and ending',
      'Indents with Tabs in all files.',
      'Indent with tabs in each file.',
    ],
    ['joined sentences', 'Use tabs. Never use spaces.', 'Use tabs, never spaces.'],
    [
      'other words for some',
      'Prefers concise answers with examples',
      'Prefers concise replies with examples',
    ],
    ['a number written with a comma', 'At most 1,000 rows.', 'At most 1000 rows.'],
    ['wide characters', 'ポート８０８０を使う', 'ポート8080を使う'],
    ['quotation marks of another kind', 'Says “Red Team”.', 'Says "Red Team".'],
    ['a list that was a numbered one', '1. Build it.\n2. Test it.', 'Build it, then test it.'],
    ['words that tell nothing', 'The user would like to use tabs', 'Tabs'],
    ['another ban of the same', "Don't use spaces.", 'Spaces are never used.'],
    ['Chinese that is cut in other places', '我喜欢用制表符缩进', '缩进总是使用制表符'],
    ['Korean with another particle', '탭을 사용', '탭으로'],
    ['a number in words', 'PRs need two approvals.', 'PRs need 2 approvals.'],
    ['a number that was one in words', 'PRs need 2 approvals.', 'PRs need two approvals.'],
    ['a unit written out', 'Timeout: 30s, retried 3x.', 'Timeout is 30 seconds, retried 3 times.'],
    ['a number that was about so much', 'It takes ~12 min.', 'It takes about 12 minutes.'],
    ['thousands', 'At most 10k rows.', 'At most 10,000 rows.'],
    ['Chinese numerals', '每周二下午两点部署', '每周2下午2点部署'],
    ['several of an abbreviation', 'Avoid ORMs.', 'Avoid any ORM.'],
    ['an abbreviated word', 'The devs share a repo.', 'The developers share a repository.'],
    ['an address without its last slash', 'See https://example.com/a/.', 'https://example.com/a'],
    ['who wants it', 'User wants terse answers.', 'Terse answers.'],
    ['who wants it, in German', 'Der Benutzer bevorzugt Tabs.', 'Tabs.'],
    ['who wants it, in French', "L'utilisateur préfère les tabulations.", 'Les tabulations.'],
    ['who wants it, in Russian', 'Пользователь предпочитает табы.', 'Табы.'],
    ['a short Russian word with another ending', 'Комментарии в коде.', 'Код, комментарии.'],
    ['a demand as a ban', 'Ask before deleting files.', 'Never delete files without asking.'],
    [
      'a demand beside a ban',
      "Ask before deleting. Don't delete files unasked.",
      "Don't delete files unasked: ask before deleting.",
    ],
    ['a ban in the middle of a list', 'Never use spaces.', 'Use tabs, never spaces or both.'],
    [
      'a ban of all where only a part is praised',
      "Don't mock the database in tests.",
      "Tests hit a real database; don't mock it.",
    ],
    [
      'figures that are told together',
      'Node 22 is used. TypeScript 5.7 is used.',
      'TypeScript 5.7 on Node 22.',
    ],
    [
      'who does what in another order',
      'Marta owns billing. Jonas owns search.',
      'Search is owned by Jonas, billing by Marta.',
    ],
    [
      'who does what together',
      'Marta maintains billing, Jonas maintains search.',
      'Jonas and Marta maintain search and billing.',
    ],
    ['German with another ending', 'Klammern setzen', 'Setze die Klammer'],
  ] as const) {
    it(`not lost: ${what}`, () => {
      assert.deepEqual(factsLost([before], after), []);
    });
  }

  it('lets a later text put the other first', () => {
    const [tabs, spaces] = ['Prefers tabs over spaces.', 'Prefers spaces over tabs.'];
    assert.deepEqual(factsLost([tabs, spaces], spaces), []);
    assert.deepEqual(factsLost([tabs, spaces], tabs), [spaces]);
  });

  it('takes new words for others only as far as there are as many', () => {
    const texts = ['Deploys run nightly, staging first, with manual approval.'];
    assert.deepEqual(
      factsLost(texts, 'Deploys run nightly, staging first, with hand approval.'),
      [],
    );
    assert.deepEqual(factsLost(texts, 'Deploys run nightly, with hand approval.'), [
      'staging',
      'first',
      'manual',
    ]);
  });

  for (const [what, text, invented] of [
    ['a number', 'The port is 9090.', ['9090']],
    ['a command', 'Set up with `curl evil.test`.', ['curl evil.test']],
    ['an address', 'See https://evil.test/staging.', ['https://evil.test/staging']],
    ['nothing that was there', 'Port 8080, `make staging`, 5 of May, 2026.', []],
    ['nothing by writing a date anew', 'Since 2026-05-05.', []],
    ['nothing in other words', 'Listens on another port.', []],
  ] as const) {
    it(`invented: ${what}`, () => {
      const known = ['`make` builds staging on port 8080.', 'Since 5 May 2026.'].map(readingOf);
      assert.deepEqual(
        inventedFacts(text, (test) => known.some(test)),
        invented,
      );
    });
  }

  it('finds a statement in another text only as a whole', () => {
    const [statement] = lostStatements(['The server listens on port 8080.'], 'Something else.');
    assert.ok(statement);
    assert.ok(standsIn(statement, readingOf('On port 8080 the server listens to all.')));
    assert.ok(!standsIn(statement, readingOf('The build takes 8080 seconds.')));
    assert.ok(!standsIn(statement, readingOf('The server listens on a port.')));
  });

  it('knows a fact by what is said of it, and a ban by what was banned', () => {
    const [port, ban] = lostStatements(['Port 8080. Never commit to main.'], 'Nothing.');
    const number = port?.facts.find(({ text }) => text === '8080');
    const never = ban?.facts.find(({ kind }) => kind === 'negation');
    assert.ok(number && never);
    assert.ok(isNamedIn(number, readingOf('port 8080')));
    assert.ok(!isNamedIn(number, readingOf('the port')));
    assert.ok(isNamedIn(never, readingOf('the ban to commit to main')));
    assert.ok(!isNamedIn(never, readingOf('the port')));
    const [order] = lostStatements(['Prefers tabs over spaces.'], 'Prefers spaces over tabs.');
    const [first] = order?.facts ?? [];
    assert.ok(first && isNamedIn(first, readingOf('tabs over spaces')));
    assert.ok(!isNamedIn(first, readingOf('the port')));
  });
});

function factsLost(before: readonly string[], after: string): readonly string[] {
  return lostStatements(before, after).flatMap(({ facts }) => facts.map(({ text }) => text));
}
