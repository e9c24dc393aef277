// The agent's reading tools on a generated checkout, with as many ignored files as others.

import fs from 'node:fs';
import path from 'node:path';

import { runTool } from '../test/support/workspaceRun.ts';
import type { Results } from './bench.ts';
import { quantile, timesOf } from './median.ts';
import { makeTempFolder } from './tempFolder.ts';

const FILES = 5_000;
const FILES_A_FOLDER = 50;
const LINES = 150;
const RUNS = 5;

const CALLS = {
  'glob of every file': ['glob', { pattern: '**/*.ts' }],
  'glob of one file': ['glob', { pattern: '**/file4242.ts' }],
  'grep, a word of every file': ['grep', { pattern: 'value' }],
  'grep, a word of no file': ['grep', { pattern: 'nowhere_to_be_found' }],
  'read of one file': ['read_file', { path: 'src/folder7/file350.ts' }],
} as const;

export async function measureTools(): Promise<Results> {
  const folder = makeTempFolder();
  generate(folder);
  const results: Results = {};
  for (const [what, [name, input]] of Object.entries(CALLS)) {
    const title = `${what}, ${FILES} files`;
    const times = await timesOf(RUNS, () => runTool(folder, name, input));
    const text = await runTool(folder, name, input);
    results[`${title}: time`] = { value: quantile(times, 0.5), unit: 'ms' };
    results[`${title}: characters for the model`] = { value: text.length, unit: 'characters' };
  }
  return results;
}

function generate(root: string): void {
  fs.writeFileSync(path.join(root, '.gitignore'), 'out/\n');
  for (let number = 0; number < FILES; number++) {
    const folder = `folder${Math.floor(number / FILES_A_FOLDER)}`;
    const lines = Array.from(
      { length: LINES },
      (_, line) => `export const value${line} = ${line};`,
    );
    for (const top of ['src', 'out']) {
      const target = path.join(root, top, folder);
      if (number % FILES_A_FOLDER === 0) fs.mkdirSync(target, { recursive: true });
      fs.writeFileSync(path.join(target, `file${number}.ts`), lines.join('\n'));
    }
  }
}
