import assert from 'node:assert/strict';
import { rankRecords } from '../../../../src/memory/words/lexical.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import { aRecord } from '../../../support/records.ts';

const tabs = aRecord({
  name: 'user-preference-tabs',
  description: 'Use tabs for indentation',
  body: 'Never spaces.',
});
const chinese = aRecord({
  name: 'chart-zh',
  description: '图表统一使用 ECharts，代码缩进用制表符',
  body: '',
});
const japanese = aRecord({
  name: 'deploy-ja',
  description: '本番環境へのデプロイは火曜日のみ',
  body: '',
});
const korean = aRecord({ name: 'reply-ko', description: '답변은 한국어로 작성', body: '' });
const retry = aRecord({
  name: 'http-retry',
  description: 'fetchWithRetry in packages/net/src/http.ts retries three times',
  body: '',
});
const release = aRecord({
  name: 'release',
  description: 'Releases start on Monday',
  body: 'Tag, build, publish.',
});
const all = [chinese, japanese, korean, retry, release, tabs];

const names = (query: string) => rankRecords(all, query).map(({ record }) => record.name);
const first = (query: string) => names(query)[0];
const wordsFound = (query: string) => rankRecords(all, query)[0]?.words;

describe('the lexical ranking', () => {
  it('finds a Chinese record by one word of a whole sentence', () => {
    assert.equal(first('帮我看看缩进应该用什么'), 'chart-zh');
  });

  it('finds Japanese kana and Korean', () => {
    assert.equal(first('デプロイしてもいいですか'), 'deploy-ja');
    assert.equal(first('한국어 설명'), 'reply-ko');
  });

  it('finds words of two letters', () => {
    const [ci, ui, go] = ['CI runs on Linux', 'UI is in React', 'Written in Go'].map(
      (description, number) => aRecord({ name: `n${number}`, description, body: '' }),
    );
    assert.ok(ci && ui && go);
    for (const [query, right] of [
      ['is the ci green?', ci],
      ['polish our UI', ui],
      ['some go code', go],
    ] as const) {
      const ranked = rankRecords([ci, ui, go], query);
      assert.deepEqual(
        ranked.map(({ record }) => record),
        [right],
      );
    }
  });

  it('finds no word inside another', () => {
    assert.deepEqual(rankRecords([release], 'modern art'), []);
    assert.deepEqual(rankRecords([tabs], 'pace, dent, table'), []);
    const go = aRecord({ name: 'go', description: 'Services are written in Go', body: '' });
    assert.equal(rankRecords([release, go], 'a Go service')[0]?.record.name, 'go');
  });

  it('finds an identifier by its parts, in another spelling, and in full width', () => {
    assert.equal(first('where do we fetch with a retry?'), 'http-retry');
    assert.equal(first('fetch_with_retry'), 'http-retry');
    assert.equal(first('FETCH-WITH-RETRY'), 'http-retry');
    assert.equal(first('ｆｅｔｃｈＷｉｔｈＲｅｔｒｙ'), 'http-retry');
    assert.equal(first('src/http.ts'), 'http-retry');
  });

  it('finds a word with or without its accents', () => {
    const accented = aRecord({ name: 'fr', description: 'Relire avant la création', body: '' });
    assert.equal(rankRecords([accented], 'creation').length, 1);
    assert.equal(rankRecords([accented], 'CRÉATION').length, 1);
    const marked = aRecord({ name: 'hi', description: 'कि', body: '' });
    assert.equal(rankRecords([marked], 'का').length, 0);
  });

  it('finds another word for the same idea, in another language too, and tells the word that was said', () => {
    const inEnglish = aRecord({ name: 'a', description: 'Indent by four spaces', body: '' });
    const others = [release, retry];
    for (const [query, word] of [
      ['这里的缩进应该用什么', '缩进'],
      ['インデントはどうする', 'インデント'],
      ['들여쓰기 규칙', '들여쓰기'],
      ['Welche Einrückung gilt?', 'Einrückung'],
      ['¿Qué sangría usamos?', 'sangría'],
    ] as const) {
      const [first] = rankRecords([...others, inEnglish], query);
      assert.equal(first?.record, inEnglish, query);
      assert.deepEqual(first.words, [word]);
    }
    assert.equal(rankRecords([chinese, release], 'indentation')[0]?.record, chinese);
  });

  it('puts the word that was said before another for the same idea', () => {
    const said = aRecord({ name: 'b', description: 'Where the dashboard is', body: '' });
    const other = aRecord({ name: 'a', description: 'Where the alerts are', body: '' });
    assert.deepEqual(
      rankRecords([other, said], 'dashboard').map(({ record }) => record),
      [said, other],
    );
  });

  it('finds no idea by a part of a word in another script', () => {
    const deploys = aRecord({ name: 'a', description: 'Deploy on Tuesday', body: '' });
    assert.equal(rankRecords([deploys], 'デプロイ').length, 1);
    assert.equal(rankRecords([deploys], 'デプス').length, 0);
    const parts = ['デプス', 'プロイ'].map((description) =>
      aRecord({ name: description, description, body: '' }),
    );
    assert.deepEqual(rankRecords(parts, 'deploy'), []);
  });

  it('counts a word no more for being one of several for an idea', () => {
    const record = aRecord({ name: 'n', description: 'branch kiwi', body: '' });
    const score = (query: string) => rankRecords([record], query)[0]?.score;
    assert.equal(score('branch'), score('kiwi'));
    assert.equal(score('branch branch'), score('kiwi'));
  });

  it('lets words that ask weigh less than those that tell the topic', () => {
    const asks = aRecord({ name: 'a', description: 'Find out who is on call', body: '' });
    const tells = aRecord({ name: 'b', description: 'The invoice is due monthly', body: '' });
    assert.equal(rankRecords([asks, tells], 'find an invoice')[0]?.record, tells);
  });

  it('takes a longer or shorter form only for a word that no record has', () => {
    const photo = aRecord({ name: 'photo', description: 'About a photo', body: '' });
    const photographs = aRecord({ name: 'art', description: 'About photographs', body: '' });
    assert.equal(rankRecords([photo, release], 'photograph')[0]?.record, photo);
    assert.deepEqual(
      rankRecords([photo, photographs], 'photograph').map(({ record }) => record),
      [photographs],
    );
  });

  it('finds other forms of an English word', () => {
    assert.equal(first('indenting'), 'user-preference-tabs');
    assert.equal(first('when is the next releasing?'), 'release');
    assert.equal(first('publishing'), 'release');
    assert.equal(first('one tab'), 'user-preference-tabs');
  });

  it('takes a misspelt word for its neighbour only when no record has it', () => {
    assert.equal(first('idnentation'), 'user-preference-tabs');
    assert.equal(first('indantation'), 'user-preference-tabs');
    assert.equal(first('inddentation'), 'user-preference-tabs');
    assert.equal(first('identation'), 'user-preference-tabs');
    const spaces = aRecord({ name: 'spaces', description: 'About spaces', body: '' });
    const spices = aRecord({ name: 'spices', description: 'About spices', body: '' });
    assert.deepEqual(
      rankRecords([spaces, spices], 'spices').map(({ record }) => record.name),
      ['spices'],
    );
  });

  it('takes a misspelt word for the commonest of its neighbours', () => {
    const [spaces, spices, other] = ['spaces', 'spices', 'spices too'].map((description, number) =>
      aRecord({ name: `n${number}`, description, body: '' }),
    );
    assert.ok(spaces && spices && other);
    assert.deepEqual(
      rankRecords([spaces, spices, other], 'spoces').map(({ record }) => record),
      [spices, other],
    );
  });

  it('finds nothing for words that say nothing, for no words and among no records', () => {
    assert.deepEqual(names('how should I do this?'), []);
    assert.deepEqual(names(''), []);
    assert.deepEqual(names('!!! ???'), []);
    assert.deepEqual(rankRecords([], 'tabs'), []);
  });

  it('tells the words that were found, as the person wrote them', () => {
    assert.deepEqual(wordsFound('Which Indentation, tabs or something else?'), [
      'Indentation',
      'tabs',
    ]);
    assert.deepEqual(wordsFound('call fetchWithRetry twice'), ['fetchWithRetry']);
    assert.deepEqual(wordsFound('帮我看看缩进'), ['缩进']);
    assert.deepEqual(wordsFound('缩进？用'), ['缩进']);
  });

  it('puts a match in the name or description before one in the body', () => {
    const inBody = aRecord({ name: 'a', description: 'About the build', body: 'Look at kafka.' });
    const inDescription = aRecord({ name: 'b', description: 'About kafka', body: 'Look there.' });
    assert.deepEqual(
      rankRecords([inBody, inDescription], 'kafka').map(({ record }) => record.name),
      ['b', 'a'],
    );
  });

  it('gives the same order whatever the order of the records, and at most the asked number', () => {
    const twins = ['b', 'a', 'c'].map((name) =>
      aRecord({ name, description: 'The same words', body: '' }),
    );
    const order = (records: typeof twins) =>
      rankRecords(records, 'same words', 2).map(({ record }) => record.name);
    const apart = twins.map((twin, at) => ({ ...twin, path: `/${at}/${twin.file}` }));
    assert.deepEqual(order(apart), ['a', 'b']);
    assert.deepEqual(order(twins), ['a', 'b']);
    assert.deepEqual(order(twins.toReversed()), ['a', 'b']);
  });

  it('tells the words of each record, also where all are wanted', () => {
    const ranked = rankRecords([tabs, release], 'tabs on Monday');
    assert.deepEqual(
      ranked.map(({ record, words }) => [record.name, words]),
      [
        ['user-preference-tabs', ['tabs']],
        ['release', ['Monday']],
      ],
    );
  });

  it('analyses a record once, however often it is ranked', () => {
    let reads = 0;
    const record: MemoryRecord = {
      ...aRecord(),
      get body() {
        reads += 1;
        return 'Never spaces.';
      },
    };
    for (const query of ['spaces', 'tabs', 'never']) rankRecords([record], query);
    assert.equal(reads, 1);
  });
});
