// The store of memories with few records and with many: listing them, writing one more, making the index.

import fs from 'node:fs';
import path from 'node:path';

import { silentLog } from '../src/base/log.ts';
import { indexText } from '../src/memory/folder/memoryIndex.ts';
import { printRecord, type MemoryRecord } from '../src/memory/record.ts';
import { MemoryStore } from '../src/memory/store.ts';
import type { Results } from './bench.ts';
import { fileCounts, type FileCounts } from './fileCounts.ts';
import { quantile, timesOf } from './median.ts';
import { makeTempFolder } from './tempFolder.ts';

const SIZES = [10, 100, 1_000, 10_000];
const RUNS = 20;
const COLD_RUNS = 3;

export async function measureStore(): Promise<Results> {
  const results: Results = {};
  for (const size of SIZES) Object.assign(results, await measureSize(size));
  return results;
}

async function measureSize(size: number): Promise<Results> {
  const root = makeTempFolder();
  const folder = path.join(root, '.memory');
  writeRecords(folder, size);
  const open = () => new MemoryStore({ folder, log: silentLog });
  const store = open();
  const { records } = await store.list();
  await store.rebuildIndex();

  const written: MemoryRecord[] = [];
  const write = async () => {
    const name = `new-${written.length}`;
    written.push((await store.create({ ...record(size + written.length), name })).record);
  };
  const change = async () => {
    const last = written.pop() ?? fail();
    written.push((await store.update(last, { body: `${last.body}!` })).record);
  };
  const remove = () => store.remove(written.pop() ?? fail(), 'bench');
  const results: Results = {};
  for (const [what, runs, work] of [
    ['listing, nothing known', COLD_RUNS, () => open().list()],
    ['listing again', RUNS, () => store.list()],
    ['writing one more', RUNS, write],
    ['changing one', RUNS, change],
    ['deleting one', RUNS / 2, remove],
  ] as const) {
    const title = `${what}, ${size} memories`;
    results[title] = time(await timesOf(runs, work));
    // What was just written is read once more, since the disk's clock is too coarse to tell a second write.
    await store.list();
    Object.assign(results, counted(title, await fileCounts(work)));
  }
  const index = await timesOf(RUNS, async () => indexText(records));
  return {
    ...results,
    [`making the index, ${size} memories`]: time(index),
    [`the index, ${size} memories`]: {
      value: Buffer.byteLength(indexText(records)),
      unit: 'bytes',
    },
  };
}

function fail(): never {
  throw new Error('No memory was written before.');
}

function time(times: readonly number[]): Results[string] {
  return { value: quantile(times, 0.5), unit: 'ms' };
}

function counted(title: string, counts: FileCounts): Results {
  return {
    [`${title}: files read`]: { value: counts.filesRead, unit: 'files' },
    [`${title}: files looked at`]: { value: counts.filesLookedAt, unit: 'files' },
    [`${title}: written`]: { value: counts.bytesWritten, unit: 'bytes' },
    [`${title}: waits for the disk`]: { value: counts.syncs, unit: 'syncs' },
  };
}

function writeRecords(folder: string, count: number): void {
  fs.mkdirSync(folder);
  for (let number = 0; number < count; number++) {
    const text = printRecord(record(number), new Date(Date.UTC(2026, 0, 1, 0, number)));
    fs.writeFileSync(path.join(folder, `fact-${number}.md`), text);
  }
}

function record(number: number) {
  return {
    name: `fact-${number}`,
    description: `Service ${number} is deployed from its own pipeline`,
    type: 'project',
    body: `Service ${number} has a pipeline of its own, since its team releases daily.\n\nIt listens on port ${8_000 + number}.`,
  } as const;
}
