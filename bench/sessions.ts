// The database of sessions: going on from a long one after a reload, adding to it, searching in it.

import path from 'node:path';

import { userText, type Message } from '../src/models/model.ts';
import type { TurnRef } from '../src/sessions/session.ts';
import { SESSIONS_FILE, SessionStore } from '../src/sessions/sessionStore.ts';
import { call, calls, results, says } from '../test/support/conversation.ts';
import { filled } from '../test/support/histories.ts';
import type { Results } from './bench.ts';
import { quantile, timesOf, timesOfEach } from './median.ts';
import { makeTempFolder } from './tempFolder.ts';

const LONG_SESSION = 1_000;
const SEARCHED = 10_000;
const SIZES = { '1 kB': 1_000, '100 kB': 100_000 };
const RUNS = 20;
const APPENDS = 100;
/** A request, its rounds of a call and a result each, and the answer. */
const ROUNDS_A_TURN = 4;
const MESSAGES_A_TURN = 2 + 2 * ROUNDS_A_TURN;
const RESULT_CHARS = 600;

export async function measureSessions(): Promise<Results> {
  const folder = makeTempFolder();
  return {
    ...(await measureReload(path.join(folder, 'long', SESSIONS_FILE))),
    ...(await measureAppend(path.join(folder, 'append', SESSIONS_FILE))),
    ...(await measureSearch(path.join(folder, 'search', SESSIONS_FILE))),
  };
}

/** Turns of several rounds until there are so many messages. Returns the last turn. */
export async function writeSession(
  store: SessionStore,
  messages: number,
): Promise<TurnRef | undefined> {
  let previous: TurnRef | undefined;
  for (let number = 0; number < messages / MESSAGES_A_TURN; number++) {
    const turn = await store.begin({ previous, request: requestOf(number) });
    for (const message of turnMessages(number)) turn.append(message);
    turn.end();
    previous = turn.ref;
  }
  return previous;
}

function requestOf(number: number): string {
  return `Mend the tests of service ${number}.`;
}

function turnMessages(number: number): Message[] {
  const rounds = Array.from({ length: ROUNDS_A_TURN }, (_, round): Message[] => {
    const id = `call_${number}_${round}`;
    const text = filled(RESULT_CHARS, `service ${number}, part ${round}`);
    return [calls(call(id, 'read_file', { path: `src/${id}.ts` })), results([id, text])];
  });
  return [userText(requestOf(number)), ...rounds.flat(), says(`The tests of ${number} pass.`)];
}

async function measureReload(file: string): Promise<Results> {
  const before = new SessionStore({ file });
  const previous = await writeSession(before, LONG_SESSION);
  before.close();
  const opened: SessionStore[] = [];
  const times = await timesOfEach(RUNS, async () => {
    const store = new SessionStore({ file });
    opened.push(store);
    return () => store.begin({ previous, request: 'Go on.' });
  });
  for (const store of opened) store.close();
  const name = `first turn begun after a reload, ${LONG_SESSION} messages`;
  return { [name]: { value: quantile(times, 0.5), unit: 'ms' } };
}

async function measureAppend(file: string): Promise<Results> {
  const store = new SessionStore({ file });
  const turn = await store.begin();
  const measured: Results = {};
  for (const [size, characters] of Object.entries(SIZES)) {
    let number = 0;
    const times = await timesOf(APPENDS, async () =>
      turn.append(says(filled(characters, `text ${number++}`))),
    );
    measured[`message of ${size} appended`] = { value: quantile(times, 0.5, 100), unit: 'ms' };
    measured[`message of ${size} appended: p95`] = {
      value: quantile(times, 0.95, 100),
      unit: 'ms',
    };
  }
  turn.end();
  store.close();
  return measured;
}

async function measureSearch(file: string): Promise<Results> {
  const store = new SessionStore({ file });
  await writeSession(store, SEARCHED);
  // The first search waits until all is indexed.
  await store.search('nothing');
  const measured: Results = {};
  for (const [what, query] of [
    ['a word of many messages', 'service'],
    ['two words of few messages', 'service 777'],
    ['a word of none', 'nowhere'],
  ] as const) {
    const times = await timesOf(RUNS, () => store.search(query));
    measured[`search for ${what}, ${SEARCHED} messages`] = {
      value: quantile(times, 0.5),
      unit: 'ms',
    };
  }
  store.close();
  return measured;
}
