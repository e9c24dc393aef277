// What a person installs, in bytes. `npm run bench` packs it first.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { ROOT, VSIX } from '../scripts/places.ts';
import type { Results } from './bench.ts';

export function measureSizes(): Results {
  execFileSync(process.execPath, [path.join(ROOT, 'scripts', 'package.ts')], { stdio: 'ignore' });
  return {
    'the .vsix': kilobytes(VSIX),
    'the bundle in it': kilobytes(path.join(ROOT, 'dist', 'extension.cjs')),
  };
}

function kilobytes(file: string): Results[string] {
  return { value: Math.round(fs.statSync(file).size / 1_000), unit: 'kB' };
}
