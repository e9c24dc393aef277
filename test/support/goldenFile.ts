// A value beside its recorded twin: `UPDATE_GOLDEN=1` records it anew, and the difference is read in review.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const FIXTURES = path.resolve('test/fixtures');

/** `name` is relative to the fixtures, without `.json`. */
export function assertGolden(name: string, value: unknown): void {
  const file = path.join(FIXTURES, `${name}.json`);
  if (process.env['UPDATE_GOLDEN'] === '1') fs.writeFileSync(file, jsonOf(value));
  assert.deepEqual(JSON.parse(jsonOf(value)), JSON.parse(fs.readFileSync(file, 'utf8')));
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
