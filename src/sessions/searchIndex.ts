// Full-text search over the messages in the database. Writing the index costs more than writing a message, so it is
// done later, a slice at a time.

import { isOwnFailure, numberOf, textOf, type Database, type Row } from '../base/sqlite.ts';
import type { SearchHit } from './session.ts';
import {
  caseForms,
  excerptOf,
  historyCallsOf,
  queryWords,
  wordsOf,
  type Words,
} from './searchText.ts';
import { messageIfSound } from './turnChain.ts';

/** About four milliseconds, and ten when the last message is as long as a tool's result can be. None is split. */
const SLICE_CHARS = 15_000;
const SLICE_MESSAGES = 20;
/** Some milliseconds. */
const MERGED_PAGES = 20;
/** A search result stands right behind its call, or behind other results and a compaction. */
const LOOK_BACK = 4;
/** The index knows none shorter. */
const INDEXED_WORD = /.{3}/su;
const LIKE = String.raw`text LIKE ? ESCAPE '\'`;
const NONE: ReadonlySet<string> = new Set();
const NO_WORDS: Words = { speaker: 'tool', text: '' };

/** A hit, with the turn that it stands in. */
export interface StoredHit extends SearchHit {
  readonly turnId: string;
}

/** Indexes the oldest messages that are not yet. False when there are none. `onSkipped`: one cannot be indexed. */
export function indexSlice(
  database: Database,
  onSkipped: (entry: number, error: unknown) => void,
): boolean {
  return database.change(() => {
    const done = numberOf(database.get('SELECT up_to FROM indexed') ?? {}, 'up_to');
    const rows = database.all(
      `SELECT number, turn, position, body FROM entries WHERE number > ? AND kind = 'message'
       ORDER BY number LIMIT ${SLICE_MESSAGES}`,
      done,
    );
    let characters = 0;
    for (const row of rows) {
      const number = numberOf(row, 'number');
      try {
        characters += database.part(() => indexEntry(database, number, row));
      } catch (error) {
        // It must not keep those after it from being found.
        if (!isOwnFailure(error)) throw error;
        onSkipped(number, error);
      }
      database.run('UPDATE indexed SET up_to = ?', number);
      if (characters > SLICE_CHARS) break;
    }
    return rows.length > 0;
  });
}

/** The number of characters. */
function indexEntry(database: Database, number: number, row: Row): number {
  const message = messageIfSound(row, 'body');
  const hidden = message?.role === 'user' ? historyCallsBefore(database, row) : NONE;
  // One that is damaged has no words.
  const { speaker, text } = message ? wordsOf(message, hidden) : NO_WORDS;
  if (text) {
    const sql = 'INSERT INTO words (rowid, text, speaker) VALUES (?, ?, ?)';
    database.run(sql, number, text, speaker);
  }
  return text.length;
}

/**
 * Merges parts of the index, of which each slice that is added or removed makes one, where they have become many.
 * False when there is nothing to merge.
 */
export function mergeIndex(database: Database): boolean {
  return mergePages(database, MERGED_PAGES);
}

/** Makes `mergeIndex` merge all parts into one, which notes nothing any more of what was removed. */
export function beginMerge(database: Database): void {
  mergePages(database, -MERGED_PAGES);
}

function mergePages(database: Database, pages: number): boolean {
  return database.change(() => {
    const before = totalChanges(database);
    database.run(`INSERT INTO words (words, rank) VALUES ('merge', ?)`, pages);
    // One change is that of the statement itself.
    return totalChanges(database) - before >= 2;
  });
}

function totalChanges(database: Database): number {
  return numberOf(database.get('SELECT total_changes() AS changes') ?? {}, 'changes');
}

function historyCallsBefore(database: Database, row: Row): ReadonlySet<string> {
  const position = numberOf(row, 'position');
  const rows = database.all(
    `SELECT body FROM entries WHERE turn = ? AND position BETWEEN ? AND ? AND kind = 'message'`,
    numberOf(row, 'turn'),
    position - LOOK_BACK,
    position - 1,
  );
  const messages = rows.flatMap((before) => messageIfSound(before, 'body') ?? []);
  return new Set(messages.flatMap(historyCallsOf));
}

/** What was said comes before what a tool printed, and of each the newest first. */
export function searchWords(
  database: Database,
  query: string,
  { limit, sessionId }: { readonly limit: number; readonly sessionId?: string | undefined },
): readonly StoredHit[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  const long = words.filter((word) => INDEXED_WORD.test(word));
  // Of these SQLite knows the case of ASCII letters only.
  const short = words.filter((word) => !long.includes(word)).map(caseForms);
  const conditions = [
    ...(long.length > 0 ? ['words MATCH ?'] : []),
    ...short.map((forms) => `(${forms.map(() => LIKE).join(' OR ')})`),
    ...(sessionId === undefined ? [] : ['turns.session = ?']),
  ];
  const rows = database.all(
    `SELECT entries.number, entries.created, turns.session, turns.id AS turn, text, speaker
     FROM words JOIN entries ON entries.number = words.rowid JOIN turns ON turns.number = entries.turn
     WHERE ${conditions.join(' AND ')}
     ORDER BY speaker = 'tool', entries.number DESC LIMIT ?`,
    ...(long.length > 0 ? [long.map(quoted).join(' AND ')] : []),
    ...short.flat().map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
    ...(sessionId === undefined ? [] : [sessionId]),
    limit,
  );
  return rows.map((row) => hitOf(row, words));
}

function hitOf(row: Row, words: readonly string[]): StoredHit {
  return {
    number: numberOf(row, 'number'),
    sessionId: textOf(row, 'session'),
    turnId: textOf(row, 'turn'),
    at: new Date(numberOf(row, 'created')),
    from: speakerOf(textOf(row, 'speaker')),
    excerpt: excerptOf(textOf(row, 'text'), words),
  };
}

function speakerOf(text: string): SearchHit['from'] {
  return text === 'person' || text === 'assistant' ? text : 'tool';
}

/** As one phrase, in which nothing has a meaning for the search. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
