// Edits of single keys of front matter that leave the lines around them, comments included, as they are.

import type { KeyPart, RecordParts, Span } from './recordParts.ts';

export interface TextEdit extends Span {
  /** What stands there afterwards. */
  readonly text: string;
}

/** The keys that a person expects first, in their order. */
const FIRST_KEYS = ['name', 'description', 'type'];

/** `printed` is YAML. */
export function replacedValue(text: string, { name, value }: KeyPart, printed: string): TextEdit {
  const gap = text.slice(name.end, value.start).endsWith(':') ? ' ' : '';
  return { ...value, text: gap + printed };
}

/** A line of its own: behind the keys that come before it, and before those that stand behind. */
export function insertedKey(
  text: string,
  { keys, head, lineEnd }: RecordParts,
  key: string,
  printed: string,
): TextEdit {
  const [first] = keys;
  const indent = first ? text.slice(first.lines.start, first.name.start) : '';
  const place = FIRST_KEYS.indexOf(key);
  const earlier = place < 0 ? keys : keys.filter(({ key }) => isBefore(key, place));
  const start = earlier.at(-1)?.lines.end ?? head.start;
  const gap = start > 0 && text[start - 1] !== '\n' ? lineEnd : '';
  return { start, end: start, text: `${gap}${indent}${key}: ${printed}${lineEnd}` };
}

export function removedKey({ lines }: KeyPart): TextEdit {
  return { ...lines, text: '' };
}

function isBefore(key: string, place: number): boolean {
  const own = FIRST_KEYS.indexOf(key);
  return own >= 0 && own < place;
}
