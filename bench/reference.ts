// The same work done by the reference, learn-claude-code, in the same run, where there is a checkout of it: REFERENCE_DIR names
// the folder of https://github.com/shareAI-lab/learn-claude-code. Nothing of it is part of this project.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

import * as z from 'zod/mini';
import type { Message } from '../src/models/model.ts';
import { longTurn } from '../test/support/histories.ts';
import type { Results } from './bench.ts';
import { compactionName, estimateName, HISTORY_SIZES, microName } from './context.ts';
import { makeTempFolder } from './tempFolder.ts';

/** Its time grows with the square of the history: 5,001 messages would take more than a minute. */
const MICRO_SIZES = [201, 1_001];
const ESTIMATE_SIZES = [5_001];

const Times = z.object({
  estimate: z.array(z.number()),
  micro: z.array(z.number()),
  prepare: z.array(z.number()),
});

/** Nothing where there is no checkout, or no Python. `ours` holds what was measured of our own code. */
export async function measureReference(ours: Results): Promise<Results> {
  const checkout = process.env['REFERENCE_DIR'];
  if (!checkout) return {};
  const folder = makeTempFolder();
  const times = timesOfReference(path.resolve(checkout), folder);
  if (!times) return {};
  const results: Results = {};
  const add = (name: string, milliseconds: number | undefined, our: string) => {
    const time = milliseconds ?? Number.NaN;
    results[`the reference: ${name}`] = { value: Math.round(time * 10) / 10, unit: 'ms' };
    const times = time / (ours[our]?.value ?? Number.NaN);
    results[`the reference: ${name}, against ours`] = {
      value: times < 10 ? Math.round(times * 10) / 10 : Math.round(times),
      unit: 'times as long',
    };
  };
  HISTORY_SIZES.forEach((size, index) =>
    add(`compaction, ${size} messages`, times.prepare[index], compactionName(size)),
  );
  MICRO_SIZES.forEach((size, index) =>
    add(`stage 3 alone, ${size} messages`, times.micro[index], microName(size)),
  );
  const [, stage3] = times.micro;
  const whole = (stage3 ?? Number.NaN) / (ours[compactionName(1_001)]?.value ?? Number.NaN);
  results['the reference: stage 3 alone, 1001 messages, against our whole compaction'] = {
    value: Math.round(whole),
    unit: 'times as long',
  };
  ESTIMATE_SIZES.forEach((size, index) =>
    add(`estimate of ${size} messages, unchanged`, times.estimate[index], estimateName(size)),
  );
  return results;
}

function timesOfReference(checkout: string, folder: string): z.infer<typeof Times> | undefined {
  const request = {
    estimate: { histories: ESTIMATE_SIZES.map(history), runs: 5 },
    micro: { histories: MICRO_SIZES.map(history), runs: 3 },
    prepare: { histories: HISTORY_SIZES.map(history), runs: 5 },
  };
  const program = path.join(import.meta.dirname, 'reference.py');
  const { status, stdout, stderr, error } = spawnSync('python3', [program, checkout, folder], {
    input: JSON.stringify(request),
    encoding: 'utf8',
  });
  if (error) {
    console.warn(`The reference is left out, since python3 did not start: ${error.message}`);
    return undefined;
  }
  if (status !== 0) throw new Error(`The reference in ${checkout} failed: ${stderr}`);
  return Times.parse(JSON.parse(stdout));
}

/** The same history as ours, with the texts of results as plain strings, as its tools leave them. */
function history(size: number): object[] {
  return longTurn(size).map((message: Message) => ({
    role: message.role,
    content: message.content.map((block) => {
      if (block.type !== 'tool_result') return block;
      const { type, tool_use_id, content } = block;
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return { type, tool_use_id, content: text };
    }),
  }));
}
