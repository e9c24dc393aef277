// For a text that is not in a file: the place it most likely meant, so that the next try can be exact.

import { linesOf, partOf } from '../../../base/lines.ts';

/** Lines of the file shown, so that they can be copied. */
const MAX_SHOWN = 12;
const MAX_LINE_CHARS = 300;
/** Below this likeness a place would mislead. */
const MIN_LIKENESS = 0.5;

/** A sentence for the model. */
export function closestPlace(text: string, wanted: string): string {
  const lines = linesOf(text);
  const wantedLines = linesOf(wanted);
  const key = wantedLines.findIndex((line) => line.trim() !== '');
  const keyLine = wantedLines[key]?.trim();
  if (keyLine === undefined) return 'It is only whitespace; include a line with words.';

  const pairs = pairsOf(keyLine);
  let best = { index: -1, likeness: 0 };
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    const likeness = trimmed === keyLine ? 1 : likenessOf(pairs, trimmed, best.likeness);
    if (likeness > best.likeness) best = { index, likeness };
    if (likeness === 1) break;
  }
  if (best.likeness < MIN_LIKENESS) return 'Nothing in the file is like it. Read the file again.';

  const start = Math.max(0, best.index - key);
  const block = lines.slice(start, start + wantedLines.length);
  const spaceOnly =
    block.map((line) => line.trim()).join('\n') ===
    wantedLines.map((line) => line.trim()).join('\n');
  return [
    spaceOnly
      ? `Only the whitespace differs at line ${start + 1}, which reads:`
      : `The closest place is line ${best.index + 1}; from line ${start + 1} the file reads:`,
    ...block.slice(0, MAX_SHOWN).map((line) => partOf(line, 0, MAX_LINE_CHARS)),
  ].join('\n');
}

/**
 * How much two lines share of their pairs of letters, 0 to 1 (Dice's coefficient). 0 also for less than `least`, which
 * most lines are by far: telling that takes a fraction of the time.
 */
function likenessOf(pairs: ReadonlySet<number>, line: string, least: number): number {
  const end = lastPair(line);
  let hits = 0;
  for (let at = 0; at < end; at += 1) if (pairs.has(pairAt(line, at))) hits += 1;
  const most = Math.min(hits, pairs.size);
  if (most === 0 || (2 * most) / (pairs.size + most) < Math.max(least, MIN_LIKENESS)) return 0;
  const others = pairsOf(line);
  let shared = 0;
  for (const pair of others) if (pairs.has(pair)) shared += 1;
  return (2 * shared) / (pairs.size + others.size);
}

function pairsOf(line: string): Set<number> {
  const pairs = new Set<number>();
  for (let at = 0; at < lastPair(line); at += 1) pairs.add(pairAt(line, at));
  return pairs;
}

function lastPair(line: string): number {
  return Math.min(line.length, MAX_LINE_CHARS) - 1;
}

/** Both in one number, which is quicker to look up than a text. */
function pairAt(line: string, at: number): number {
  return (line.charCodeAt(at) << 16) | line.charCodeAt(at + 1);
}
