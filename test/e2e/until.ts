// For what another process does, which sends no event here.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

const LIMIT_MS = 30_000;
const PAUSE_MS = 50;

/** Waits until there is something to see. */
export async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let left = LIMIT_MS; left > 0; left -= PAUSE_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await pause();
  }
  throw new Error(`Not within ${LIMIT_MS / 1000} s: ${look.toString()}`);
}

/** Waits until what there is to see is this. */
export async function untilEqual<T>(look: () => T | Promise<T>, expected: T): Promise<void> {
  for (let left = LIMIT_MS; ; left -= PAUSE_MS) {
    const found = await look();
    if (isDeepStrictEqual(found, expected)) return;
    if (left <= 0) assert.deepEqual(found, expected);
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
