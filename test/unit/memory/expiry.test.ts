import assert from 'node:assert/strict';
import { endOf, expiredRecords, upcomingExpiries } from '../../../src/memory/expiry.ts';
import { MEMORY_TYPES, parseRecord, type MemoryRecord } from '../../../src/memory/record.ts';
import { aRecord } from '../../support/records.ts';

const now = new Date('2026-06-30T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
const project = (parts: Partial<MemoryRecord>) => aRecord({ type: 'project', ...parts });
const expired = (records: readonly MemoryRecord[], afterDays = 90) =>
  expiredRecords(records, { afterDays, now }).map(({ record, because }) => [record.name, because]);

describe('the expiry of memories', () => {
  it('takes facts that nobody touched for longer than allowed, by the last date they have', () => {
    const records = [
      project({ name: 'old', created: daysAgo(91) }),
      project({ name: 'updated', created: daysAgo(400), updated: daysAgo(89) }),
      project({ name: 'edited by hand', created: daysAgo(400), modified: now.getTime() }),
      project({ name: 'undated', modified: now.getTime() - 91 * 86_400_000 }),
      project({ name: 'new', created: daysAgo(89) }),
    ];
    assert.deepEqual(expired(records), [
      ['old', 'age'],
      ['undated', 'age'],
    ]);
  });

  it('never takes a fact for its age when that is turned off', () => {
    const record = project({ created: daysAgo(10_000) });
    for (const off of [0, -1, Number.NaN]) assert.deepEqual(expired([record], off), []);
  });

  it('takes facts and pointers whose own date has passed, also when age is turned off', () => {
    const records = MEMORY_TYPES.map((type) =>
      aRecord({ name: type, type, expires: daysAgo(2), created: daysAgo(500) }),
    );
    assert.deepEqual(expired(records, 0), [
      ['project', 'date'],
      ['reference', 'date'],
    ]);
  });

  it('never takes what is pinned', () => {
    const dates = { created: daysAgo(500), expires: daysAgo(2) };
    assert.deepEqual(expired([project({ pinned: true, ...dates })]), []);
  });

  it('keeps an old fact until the later day that the person wrote into it', () => {
    assert.deepEqual(expired([project({ created: daysAgo(500), expires: '2026-12-01' })]), []);
  });

  it('passes over dates that are none', () => {
    const records = [
      aRecord({ type: 'reference', expires: 'soon' }),
      project({ name: 'old', expires: '2026-99-99', updated: '?', created: daysAgo(91) }),
    ];
    assert.deepEqual(expired(records), [['old', 'age']]);
  });

  for (const zone of ['Asia/Tokyo', 'America/Los_Angeles']) {
    it(`lets a day without a time last until its end where the person is, in ${zone}`, () => {
      const before = process.env['TZ'];
      process.env['TZ'] = zone;
      try {
        const text = '---\ntype: project\nexpires: 2026-12-01\n---\nText';
        const record = parseRecord('/x/a.md', Buffer.from(text), 0);
        const at = (moment: Date) => expiredRecords([record], { afterDays: 0, now: moment }).length;
        assert.equal(at(new Date(2026, 11, 1, 23, 59, 59)), 0);
        assert.equal(at(new Date(2026, 11, 2, 0, 0, 1)), 1);
      } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      }
    });
  }

  it('goes by the very moment where a time is given', () => {
    for (const time of ['2026-12-01T08:30:00.000Z', '2026-12-01T00:00:00.000Z'])
      assert.equal(endOf(time), Date.parse(time));
  });

  it('tells what runs out within two weeks, soonest first', () => {
    const records = [
      project({ name: 'by-date', expires: '2026-07-10T12:00:00.000Z' }),
      project({ name: 'by-age', created: daysAgo(85) }),
      project({ name: 'later', expires: '2026-07-20' }),
      project({ name: 'gone', expires: '2026-06-01' }),
    ];
    assert.deepEqual(
      upcomingExpiries(records, { afterDays: 90, now }).map(({ record, because, at }) => [
        record.name,
        because,
        new Date(at).toISOString(),
      ]),
      [
        ['by-age', 'age', '2026-07-05T12:00:00.000Z'],
        ['by-date', 'date', '2026-07-10T12:00:00.000Z'],
      ],
    );
  });
});
