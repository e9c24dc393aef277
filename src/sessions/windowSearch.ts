// Search over the turns that are in memory, for when there is no database to search in.

import { excerptOf, historyCallsOf, patternOf, queryWords, wordsOf } from './searchText.ts';
import type { StoredHit } from './searchIndex.ts';
import type { FoundMessage, LogEntry } from './session.ts';
import type { TurnState } from './turnState.ts';

/** More than a turn ever stores, so that one number tells turn and position. */
const MOST_ENTRIES = 1_000_000;

type Turns = ReadonlyMap<string, TurnState>;

/** What `searchWords` finds, of the messages of these turns. */
export function findInWindow(
  turns: Turns,
  query: string,
  sessionId: string | undefined,
): readonly StoredHit[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  const patterns = words.map(patternOf);
  const hits: StoredHit[] = [];
  for (const turn of turns.values()) {
    if (sessionId !== undefined && turn.ref.sessionId !== sessionId) continue;
    const hidden = new Set(turn.log.flatMap(historyCallsOf));
    for (const { id, message } of ownEntries(turn)) {
      const { speaker, text } = wordsOf(message, hidden);
      if (!patterns.every((pattern) => pattern.test(text))) continue;
      const { sessionId, turnId } = turn.ref;
      const excerpt = excerptOf(text, words);
      hits.push({
        number: numberOf(turn, id),
        sessionId,
        turnId,
        at: turn.created,
        from: speaker,
        excerpt,
      });
    }
  }
  // The smallest number is the newest.
  return hits.toSorted((a, b) => rank(a) - rank(b) || a.number - b.number);
}

/** What was said comes before what a tool printed. */
function rank({ from }: StoredHit): number {
  return from === 'tool' ? 1 : 0;
}

/** The message of a hit. */
export function messageInWindow(turns: Turns, number: number): FoundMessage | undefined {
  for (const turn of turns.values()) {
    const entry = ownEntries(turn).find(({ id }) => numberOf(turn, id) === number);
    if (entry) return { sessionId: turn.ref.sessionId, at: turn.created, message: entry.message };
  }
  return undefined;
}

/** The entries that the turn itself added stand at the end. */
function ownEntries(turn: TurnState): readonly LogEntry[] {
  const first = turn.entries.findIndex(({ id }) => isOf(turn, id));
  return first < 0 ? [] : turn.entries.slice(first);
}

function isOf({ ref }: TurnState, entryId: string): boolean {
  return entryId.startsWith(`${ref.turnId}:`);
}

/** Negative, so that it is none of the database. */
function numberOf(turn: TurnState, entryId: string): number {
  const position = Number(entryId.slice(turn.ref.turnId.length + 1));
  return -(turn.order * MOST_ENTRIES + position + 1);
}
