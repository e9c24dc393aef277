// How much of a session an extraction has looked at, turn by turn. An older request that is edited begins a branch, so
// each turn knows for itself what was looked at up to it.

import type { LogEntry } from './session.ts';

/** What an extraction has looked at. It links the turns of a chain, which are not kept in memory for it. */
export interface Learning {
  readonly turnId: string;
  readonly before: Learning | undefined;
  /** Of the log; undefined while no extraction has looked at this turn. */
  learnedUpTo: number | undefined;
  /** An extraction has looked at the request. */
  requestLearned: boolean;
}

/** Asked when it is needed, since the turn before may still be learned from while this one begins. */
export function learnedUpTo(learning: Learning): number {
  // A loop: a chat may have more turns than functions can call each other.
  for (let each: Learning | undefined = learning; each; each = each.before)
    if (each.learnedUpTo !== undefined) return each.learnedUpTo;
  return 0;
}

/**
 * So many messages of the log were looked at, and with them the words of the turns before this one that were not
 * looked at by themselves. Returns what has changed.
 */
export function markLearned(
  { learning, entries }: { readonly learning: Learning; readonly entries: readonly LogEntry[] },
  upTo: number,
): readonly Learning[] {
  const turns: Learning[] = [];
  let end = upTo;
  for (
    let each: Learning | undefined = learning;
    each && (each === learning || !each.requestLearned);
    each = each.before
  ) {
    each.learnedUpTo = end;
    each.requestLearned = true;
    turns.push(each);
    const lead = `${each.turnId}:`;
    const start = entries.findIndex(({ id }) => id.startsWith(lead));
    // A turn may have added nothing: a compaction between two others.
    end = start < 0 ? Math.min(end, entries.length) : start;
  }
  return turns;
}
