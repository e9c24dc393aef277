import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { rankRecords } from '../../../../src/memory/words/lexical.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import { RecordIndex } from '../../../../src/memory/words/recordIndex.ts';
import { aRecord } from '../../../support/records.ts';

const WORDS =
  'indent indentation photo photographs parse_config build tabs 缩进 缩进用 デプロイ 배포 art'.split(
    ' ',
  );
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));
const record = fc
  .record({
    file: fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md', 'e.md'),
    name: text,
    description: text,
    body: text,
  })
  .map((parts) => aRecord(parts));
const query = fc
  .array(fc.constantFrom(...WORDS, 'idnent', 'photograph', 'deploying'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join(' '));

const told = (records: readonly MemoryRecord[], asked: string, limit?: number) =>
  rankRecords(records, asked, limit).map(({ record: { file }, score, words }) => ({
    file,
    score,
    words,
  }));

/** Objects that no ranking has seen. */
const copies = (records: readonly MemoryRecord[]) => records.map((known) => ({ ...known }));

describe('the index of records', () => {
  it('makes no difference to the ranking, whatever records came, changed and went before', () => {
    const files = (records: readonly MemoryRecord[]) => new Map(records.map((r) => [r.file, r]));
    fc.assert(
      fc.property(fc.array(fc.tuple(record, fc.boolean(), query), { maxLength: 12 }), (steps) => {
        let records: readonly MemoryRecord[] = [];
        for (const [changed, stays, asked] of steps) {
          const others = records.filter(({ file }) => file !== changed.file);
          records = [...files(stays ? [...others, changed] : others).values()];
          assert.deepEqual(told(records, asked), told(copies(records), asked));
        }
      }),
    );
  });

  it('answers about a part of the records as if there were no others', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { selector: ({ file }) => file }),
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        query,
        (records, chosen, asked) => {
          rankRecords(records, asked);
          const part = records.filter((_, at) => chosen[at]);
          assert.deepEqual(told(part, asked), told(copies(part), asked));
          assert.deepEqual(told(records, asked), told(copies(records), asked));
        },
      ),
    );
  });

  it('shows the first of the whole order when fewer are asked for', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { selector: ({ file }) => file }),
        query,
        fc.nat(5),
        (records, asked, limit) => {
          assert.deepEqual(told(records, asked, limit), told(records, asked).slice(0, limit));
          assert.deepEqual(told(records.toReversed(), asked, limit), told(records, asked, limit));
        },
      ),
    );
  });

  it('analyses no more than the record that changed', () => {
    let reads = 0;
    const counted = (number: number): MemoryRecord => ({
      ...aRecord({ name: `n${number}` }),
      get body() {
        reads += 1;
        return 'tabs';
      },
    });
    const records = Array.from({ length: 50 }, (_, number) => counted(number));
    const index = new RecordIndex();
    index.select(records);
    assert.equal(reads, 50);
    index.select(records.with(20, counted(50)));
    index.select(records.slice(10));
    index.select([...records]);
    assert.equal(reads, 51);
  });

  it('takes no count of one field for another, however often a word is repeated', () => {
    const repeated = aRecord({
      file: 'b.md',
      name: '-',
      description: 'tabs '.repeat(256),
      body: '-',
    });
    const once = aRecord({ file: 'a.md', name: '-', description: 'tabs', body: '-' });
    assert.equal(rankRecords([once, repeated], 'tabs')[0]?.record, repeated);
  });

  it('forgets records that nobody holds any more, and keeps right what it knows of others', async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    assert.ok(typeof collect === 'function');
    const kept = Array.from({ length: 20 }, (_, number) =>
      aRecord({ name: `kept-${number}`, description: `tabs ${number % 2 ? 'indent' : 'build'}` }),
    );
    const index = new RecordIndex();
    const select = () => index.select(kept);
    const holders = () => {
      const places: number[] = [];
      select().eachHolder('tab', (place) => places.push(place));
      return places;
    };
    const before = holders();
    const fill = (round: number) => {
      index.select(
        Array.from({ length: 500 }, (_, n) => aRecord({ name: `gone ${n} ${round} tabs` })),
      );
    };
    const select300Others = (round: number) =>
      index.select(Array.from({ length: 300 }, (_, n) => aRecord({ name: `other ${n} ${round}` })));
    for (let round = 0; round < 3; round++) {
      fill(round);
      for (let tries = 0; tries < 100 && index.size > kept.length; tries++) {
        Reflect.apply(collect, undefined, []);
        await setImmediate();
      }
      assert.equal(index.size, kept.length);
      assert.ok(index.capacity < 1_000, String(index.capacity));
      assert.deepEqual(holders(), before);
      assert.equal(select().has('gone'), false);
      assert.deepEqual(select().oneSlipFrom('indant'), ['indent']);
      // Others take the room of those that are gone, but nothing of what was known of them.
      assert.equal(select300Others(round).has('tab'), false);
    }
  });
});
