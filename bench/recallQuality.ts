// How well the ranking finds the right memory, on labelled sets where there are any: RECALL_DATA names the folder.
// A set is `{ set, docs, groups, queries }`, as its readers below say. Nothing of the sets is part of this project.

import fs from 'node:fs';
import path from 'node:path';

import * as z from 'zod/mini';
import { rankRecords } from '../src/memory/words/lexical.ts';
import { MEMORY_TYPES, type MemoryRecord } from '../src/memory/record.ts';
import type { Results } from './bench.ts';

/** A person looks at so many. */
const SHOWN = 5;
/** A right record further down counts for nearly nothing in the mean reciprocal rank. */
const DEPTH = 100;

const LabelledSet = z.object({
  set: z.string(),
  docs: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      type: z.enum(MEMORY_TYPES),
      body: z.string(),
    }),
  ),
  /** The candidates of a query are the documents of its group. */
  groups: z.record(z.string(), z.object({ docs: z.array(z.string()) })),
  queries: z.array(z.object({ text: z.string(), g: z.string(), rel: z.array(z.string()) })),
});
type LabelledSet = z.infer<typeof LabelledSet>;

export function measureRecallQuality(): Results {
  const folder = process.env['RECALL_DATA'];
  if (!folder) {
    return {
      'recall quality': { value: 0, unit: 'sets measured, since RECALL_DATA names no folder' },
    };
  }
  const results: Results = {};
  const hits: number[] = [];
  for (const file of fs.readdirSync(folder).toSorted()) {
    if (!file.endsWith('.json')) continue;
    const labelled = LabelledSet.parse(
      JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')),
    );
    const ranks = ranksOf(labelled);
    const hit = mean(ranks.map((rank) => (rank <= SHOWN ? 100 : 0)));
    hits.push(hit);
    results[`recall, ${labelled.set}: a right record among the first ${SHOWN}`] = {
      value: rounded(hit, 1),
      unit: `% of ${ranks.length} requests`,
    };
    results[`recall, ${labelled.set}: mean reciprocal rank`] = {
      value: rounded(mean(ranks.map((rank) => 1 / rank)), 3),
      unit: '',
    };
  }
  results[`recall, all sets: a right record among the first ${SHOWN}`] = {
    value: rounded(mean(hits), 1),
    unit: '%, the plain mean of the sets',
  };
  return results;
}

/** Where the first right record came for each request that has one, from 1; Infinity for nowhere. */
function ranksOf({ docs, groups, queries }: LabelledSet): readonly number[] {
  const records = new Map(docs.map((doc) => [doc.id, asRecord(doc)]));
  const candidates = new Map(
    Object.entries(groups).map(([group, { docs: ids }]) => [
      group,
      ids.flatMap((id) => records.get(id) ?? []),
    ]),
  );
  return queries
    .filter(({ rel }) => rel.length > 0)
    .map(({ text, g, rel }) => {
      const right = new Set(rel.map((id) => records.get(id)));
      const ranked = rankRecords(candidates.get(g) ?? [], text, DEPTH);
      const index = ranked.findIndex(({ record }) => right.has(record));
      return index < 0 ? Infinity : index + 1;
    });
}

function asRecord(doc: LabelledSet['docs'][number]): MemoryRecord {
  const file = `${doc.id}.md`;
  return { ...doc, file, path: `/${file}`, hash: doc.id, pinned: false, modified: 0 };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length;
}

function rounded(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}
