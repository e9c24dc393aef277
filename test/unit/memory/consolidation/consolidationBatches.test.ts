import assert from 'node:assert/strict';
import { alikeBatches } from '../../../../src/memory/consolidation/consolidationBatches.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import { aRecord } from '../../../support/records.ts';

describe('alikeBatches', () => {
  const print = ({ name, description, body }: MemoryRecord) => `${name} ${description} ${body}`;

  /** Each about one of some topics. */
  function recordsOf(count: number, topics: number): readonly MemoryRecord[] {
    return Array.from({ length: count }, (_, n) => {
      const name = `record-${n}`;
      return aRecord({
        name,
        description: `About topic${n % topics}`,
        body: `It says ${n}. `.repeat(20),
      });
    });
  }

  it('puts each record into one batch that fits into a question, in moderate time', () => {
    const records = recordsOf(1000, 50);
    const start = performance.now();
    const batches = [...alikeBatches({ seeds: records, records, print })];
    // Quadratic in the records it would take minutes.
    assert.ok(performance.now() - start < 5000);
    assert.deepEqual(new Set(batches.flat()), new Set(records));
    assert.equal(batches.flat().length, records.length);
    for (const batch of batches)
      assert.ok(batch.reduce((sum, record) => sum + print(record).length, 0) <= 20_000);
  });

  it('begins with the seeds, and gives nothing that is like none of them once there is no room', () => {
    const records = recordsOf(400, 4);
    const seed = records[2]!;
    const [batch, ...more] = [...alikeBatches({ seeds: [seed], records, print })];
    assert.deepEqual(more, []);
    assert.equal(batch?.[0], seed);
    assert.deepEqual(
      new Set(batch.map(({ description }) => description)),
      new Set([seed.description]),
    );
  });
});
