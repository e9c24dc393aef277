import assert from 'node:assert/strict';
import { lastDay } from '../../../../src/memory/extraction/lastDay.ts';

describe('the last day of what was asked for', () => {
  const now = new Date('2026-11-30T12:00:00');

  it('is a day from today to a year ahead', () => {
    for (const day of ['2026-11-30', '2026-12-04', '2027-11-30'])
      assert.equal(lastDay(` ${day}\n`, now), day);
  });

  it('is none that is over, far ahead, or no day at all', () => {
    for (const given of [
      undefined,
      '',
      'Friday',
      '2026-12',
      '2026-12-04T10:00:00Z',
      '04.12.2026',
      '2026-11-29',
      '2027-12-02',
      '2027-02-30',
      '2027-13-01',
      '0000-00-00',
    ])
      assert.equal(lastDay(given, now), undefined, given);
  });
});
