// What differs between two texts of very many changes, in time that grows with their length alone: lines that stand
// once in each text hold them together, and what is between two of them has been replaced. Not always the shortest
// difference, but a true one.

/** Lines `oldStart` up to `oldEnd` gave way to lines `newStart` up to `newEnd`, counted from 0. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** In their order. Between two changes stands at least one line that stays. */
export function anchoredChanges(old: readonly string[], now: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  let [oldStart, newStart] = [0, 0];
  const end = { old: old.length, now: now.length };
  for (const anchor of [...longestRise(linesInBoth(old, now)), end]) {
    const gap = { oldStart, oldEnd: anchor.old, newStart, newEnd: anchor.now };
    changes.push(...changesIn(gap, old, now));
    [oldStart, newStart] = [anchor.old + 1, anchor.now + 1];
  }
  return changes;
}

/** Where a line stands in each text. */
interface Anchor {
  readonly old: number;
  readonly now: number;
}

function changesIn(gap: LineChange, old: readonly string[], now: readonly string[]): LineChange[] {
  let { oldStart, oldEnd, newStart, newEnd } = gap;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === now[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  if (oldStart === oldEnd && newStart === newEnd) return [];
  const rest = { oldStart, oldEnd, newStart, newEnd };
  return oldEnd - oldStart === newEnd - newStart ? changesInPlace(rest, old, now) : [rest];
}

/** Of as many lines as before, most stand where they stood, as when a word was replaced everywhere. */
function changesInPlace(
  { oldStart, oldEnd, newStart }: LineChange,
  old: readonly string[],
  now: readonly string[],
): LineChange[] {
  const changes: LineChange[] = [];
  const shift = newStart - oldStart;
  let start = oldStart;
  for (let at = oldStart; at <= oldEnd; at += 1) {
    if (at < oldEnd && old[at] !== now[at + shift]) continue;
    if (at > start) {
      changes.push({ oldStart: start, oldEnd: at, newStart: start + shift, newEnd: at + shift });
    }
    start = at + 1;
  }
  return changes;
}

/** The lines that each text has exactly once, in the order of the new one. */
function linesInBoth(old: readonly string[], now: readonly string[]): Anchor[] {
  const oldPlaces = placesOfSingle(old);
  return [...placesOfSingle(now)].flatMap(([line, place]) => {
    const oldPlace = oldPlaces.get(line);
    return oldPlace === undefined ? [] : [{ old: oldPlace, now: place }];
  });
}

function placesOfSingle(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, place);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** As many of them as possible whose order is the same in both texts. */
function longestRise(anchors: readonly Anchor[]): Anchor[] {
  interface Step {
    readonly anchor: Anchor;
    readonly before: Step | undefined;
  }
  /** For each length of a rise, the one that ends soonest. */
  const ends: Step[] = [];
  for (const anchor of anchors) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((ends[middle]?.anchor.old ?? 0) < anchor.old) low = middle + 1;
      else high = middle;
    }
    ends[low] = { anchor, before: ends[low - 1] };
  }
  const rise: Anchor[] = [];
  for (let step = ends.at(-1); step; step = step.before) rise.push(step.anchor);
  return rise.toReversed();
}
