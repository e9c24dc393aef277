// A value as the log tells it: each sentence of ours as its English words.

import { Sentence } from '../../src/base/sentence.ts';

export function asTold(value: unknown): unknown {
  if (value instanceof Sentence) return String(value);
  if (Array.isArray(value)) return value.map(asTold);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asTold(each)]));
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
