// The store of memories with few records and with many: listing them, writing one more, making the index.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { silentLog } from '../src/base/log.ts';
import { indexText } from '../src/memory/memoryIndex.ts';
import { printRecord } from '../src/memory/record.ts';
import { MemoryStore } from '../src/memory/store.ts';
import type { Results } from './bench.ts';
import { fileCounts, type FileCounts } from './fileCounts.ts';
import { quantile, timesOf } from './median.ts';

const SIZES = [10, 100, 1_000, 10_000];
const RUNS = 20;
const COLD_RUNS = 3;

export async function measureStore(): Promise<Results> {
  const results: Results = {};
  for (const size of SIZES) Object.assign(results, await measureSize(size));
  return results;
}

async function measureSize(size: number): Promise<Results> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-bench-'));
  try {
    const folder = path.join(root, '.memory');
    writeRecords(folder, size);
    const open = () => new MemoryStore({ folder, log: silentLog });
    const store = open();
    const { records } = await store.list();
    await store.rebuildIndex();

    let number = 0;
    const write = () => store.create({ ...record(size + number), name: `new-${number++}` });
    const cold = await timesOf(COLD_RUNS, () => open().list());
    const warm = await timesOf(RUNS, () => store.list());
    const writes = await timesOf(RUNS, write);
    const index = await timesOf(RUNS, async () => indexText(records));
    const title = (what: string) => `${what}, ${size} memories`;
    return {
      [title('listing, nothing known')]: time(cold),
      [title('listing again')]: time(warm),
      ...counted(title('listing again'), await fileCounts(() => store.list())),
      [title('writing one more')]: time(writes),
      ...counted(title('writing one more'), await fileCounts(write)),
      [title('making the index')]: time(index),
      [title('the index')]: { value: Buffer.byteLength(indexText(records)), unit: 'bytes' },
    };
  } finally {
    fs.rmSync(root, { recursive: true });
  }
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
