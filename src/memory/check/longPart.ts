// What of a text stands behind the limit of its field, counted as the store counts: by whole characters.

import { tidyBody } from '../fieldText.ts';
import type { RecordProblem } from './problem.ts';

type TooLong = Extract<RecordProblem, { kind: 'tooLong' }>;

/** None or one. Of a body only the first line behind the limit, as thousands of marked ones tell no more. */
export function longPart(field: TooLong['field'], text: string, limit: number): readonly TooLong[] {
  if (text.length <= limit) return [];
  const isBody = field === 'body';
  const length = Array.from(isBody ? tidyBody(text) : text).length;
  if (length <= limit) return [];
  const start = offsetOf(text, limit, isBody ? (/^\s*\n/.exec(text)?.[0].length ?? 0) : 0);
  const line = isBody ? (/^[^\r\n]*/.exec(text.slice(start))?.[0].length ?? 0) : text.length;
  const end = Math.min(text.length, start + Math.max(line, 1));
  return [{ kind: 'tooLong', field, length, limit, start, end }];
}

/** Where so many characters end. A line end is one, whatever it is made of. */
function offsetOf(text: string, characters: number, from: number): number {
  let at = from;
  for (let left = characters; left > 0 && at < text.length; left--) {
    const isPair = (text.codePointAt(at) ?? 0) > 0xff_ff || text.startsWith('\r\n', at);
    at += isPair ? 2 : 1;
  }
  return Math.min(at, text.length - 1);
}
