// Text without half characters. A cut may fall inside a surrogate pair, and JSON carries the half as it is, but
// the API refuses it: the request, and every later one whose history holds it.

import { isJsonObject } from './model.ts';

/** A copy of a JSON value in which U+FFFD stands for each half character, also in keys and deep inside. */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: unknown) => wellFormed(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]),
  );
}
