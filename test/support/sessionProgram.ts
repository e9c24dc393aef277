// The program of a session process: a window without an editor, with one store. Each line on stdin is a command, each
// on stdout its answer. Its argument: the file of the database.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { DatabaseSync } from 'node:sqlite';
import { messageText, userText } from '../../src/models/model.ts';
import type { SessionTurn, TurnStart } from '../../src/sessions/session.ts';
import { SessionStore } from '../../src/sessions/sessionStore.ts';

export type SessionCommand =
  | ({ readonly do: 'begin' } & TurnStart)
  /** Of the turn that was begun last, one after the other. */
  | { readonly do: 'append'; readonly texts: readonly string[] }
  /** Without an end, telling each text when it is stored. */
  | { readonly do: 'appendUntilKilled' }
  | { readonly do: 'log' }
  | { readonly do: 'end' }
  /** Keeps all others from writing. */
  | { readonly do: 'hold' }
  /** Keeps all others from reading too. */
  | { readonly do: 'holdAll' }
  /** So long after the answer. */
  | { readonly do: 'releaseLater'; readonly afterMs: number }
  | { readonly do: 'release' };

export interface SessionAnswer {
  readonly turn?: SessionTurn['ref'];
  readonly texts?: readonly string[];
  readonly problems: readonly string[];
}

const file = process.argv[2] ?? '';
const problems: string[] = [];
const store = new SessionStore({ file, onProblem: ({ kind }) => problems.push(kind) });
let turn: SessionTurn | undefined;
let holder: DatabaseSync | undefined;

for await (const line of createInterface({ input: process.stdin }))
  answer(await run(JSON.parse(line) as SessionCommand));

async function run(command: SessionCommand): Promise<Omit<SessionAnswer, 'problems'>> {
  switch (command.do) {
    case 'begin':
      turn = await store.begin(command);
      return { turn: turn.ref };
    case 'append':
      for (const text of command.texts) turn?.append(userText(text));
      return {};
    case 'appendUntilKilled':
      for (let count = 0; ; count++) {
        const text = `${count} ${'x'.repeat(2_000)}`;
        turn?.append(userText(text));
        answer({ texts: [text] });
      }
    case 'log':
      return { texts: turn?.log().map(messageText) ?? [] };
    case 'end':
      turn?.end();
      return {};
    case 'hold':
      await hold('BEGIN EXCLUSIVE');
      return {};
    case 'holdAll':
      await hold('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
      return {};
    case 'releaseLater':
      setTimeout(() => holder?.close(), command.afterMs);
      return {};
    case 'release':
      holder?.close();
      return {};
  }
}

async function hold(sql: string): Promise<void> {
  // Not every process of a test has it.
  const { DatabaseSync } = await import('node:sqlite');
  holder = new DatabaseSync(file, { timeout: 5_000 });
  holder.exec(sql);
}

function answer(result: Omit<SessionAnswer, 'problems'>): void {
  writeSync(1, `${JSON.stringify({ ...result, problems: problems.splice(0) })}\n`);
}
