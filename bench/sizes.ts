// What a person installs, in bytes. `npm run bench` packs it first.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { ROOT, VSIX } from '../scripts/places.ts';
import type { Results } from './bench.ts';

export function measureSizes(): Results {
  execFileSync(process.execPath, [path.join(ROOT, 'scripts', 'package.ts')], { stdio: 'ignore' });
  const folder = path.join(ROOT, 'dist');
  const pieces = fs.readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  return {
    'the .vsix': kilobytes(VSIX),
    'the code in it': kilobytes(...pieces.map((name) => path.join(folder, name))),
    'the first piece of that code': kilobytes(path.join(folder, 'extension.cjs')),
  };
}

function kilobytes(...files: readonly string[]): Results[string] {
  const bytes = files.reduce((sum, file) => sum + fs.statSync(file).size, 0);
  return { value: Math.round(bytes / 1_000), unit: 'kB' };
}
