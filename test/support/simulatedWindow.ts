// A window of the editor for three months of work: real turns, sessions, memories and learning on real folders, with
// simulated models. It can be closed and opened again on the same folders.

import path from 'node:path';
import { Learning } from '../../src/agent/learning/learning.ts';
import type { Learned } from '../../src/agent/learning/learned.ts';
import type { SessionDeps } from '../../src/agent/sessionDeps.ts';
import { SeenFilesOfSessions } from '../../src/agent/seenFiles.ts';
import { runTurn } from '../../src/agent/turn.ts';
import { silentLog, type Log } from '../../src/base/log.ts';
import { Archive } from '../../src/context/archive.ts';
import { Compactor } from '../../src/context/compactor.ts';
import { LateAnswers } from '../../src/memory/recall/lateAnswers.ts';
import { MemoryScopes } from '../../src/memory/scopes.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { ModelError, type Model, type ModelEvent } from '../../src/models/model.ts';
import type { TurnRef } from '../../src/sessions/session.ts';
import { SESSIONS_FILE, SessionStore } from '../../src/sessions/sessionStore.ts';
import { UNSET } from './contextWindows.ts';
import { call, fakeTool } from './conversation.ts';
import type { SimulatedModel } from './simulatedModel.ts';
import type { SimulatedTurn } from './simulatedPerson.ts';

/** Between two turns of a day. */
const PAUSE_MS = 20 * 60_000;
/** Far ahead, so that no date that the machine gives a file is later. */
const BEGINNING = Date.parse('2100-01-04T09:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

interface Parts {
  readonly sessions: SessionStore;
  readonly store: MemoryStore;
  readonly learning: Learning;
  readonly deps: SessionDeps;
}

export class SimulatedWindow {
  /** Lines of the log at level info and above, oldest first. */
  readonly lines: string[] = [];
  readonly #folder: string;
  readonly #utilityModel: SimulatedModel;
  #time = BEGINNING;
  #ids = 0;
  #previous: TurnRef | undefined;
  #parts: Parts;

  constructor(folder: string, utilityModel: SimulatedModel) {
    this.#folder = folder;
    this.#utilityModel = utilityModel;
    this.#parts = this.#open();
  }

  get store(): MemoryStore {
    return this.#parts.store;
  }

  get memoryFolder(): string {
    return path.join(this.#folder, '.memory');
  }

  now(): Date {
    return new Date(this.#time);
  }

  /** One more on the same memories, as in another window. */
  otherStore(): MemoryStore {
    return new MemoryStore({ folder: this.memoryFolder, log: silentLog, now: () => this.now() });
  }

  /** A new chat on the morning of a day, the first day being 1. */
  beginDay(day: number): void {
    this.#time = BEGINNING + (day - 1) * DAY_MS;
    this.#previous = undefined;
  }

  /** Closes the window and opens it again, in the same chat. */
  reload(): void {
    this.close();
    this.#parts = this.#open();
  }

  close(): void {
    this.#parts.learning.dispose();
    this.#parts.sessions.close();
  }

  /** Undefined when the window was reloaded before there was anything to tell. */
  async turn(turn: SimulatedTurn): Promise<Learned | undefined> {
    this.#time += PAUSE_MS;
    const controller = new AbortController();
    const result = await runTurn(
      this.#parts.deps,
      {
        text: turn.text,
        previous: this.#previous,
        unfinished: [],
        visibleHistory: [],
        compaction: UNSET,
        model: answering(turn, controller),
        utilityModel: this.#utilityModel,
        tools: [READ],
        folders: [this.#folder],
        recall: 'auto',
        extraction: 'auto',
        lateAnswers: new LateAnswers(),
        maxRounds: turn.toolRounds + 1,
      },
      () => undefined,
      controller.signal,
    );
    this.#previous = turn.endsChat ? undefined : result.ref;
    if (turn.ending === 'reloaded') {
      this.reload();
      return undefined;
    }
    return result.learning;
  }

  #open(): Parts {
    const log = this.#log();
    const now = () => this.now();
    const newId = () => `id-${++this.#ids}`;
    const sessions = new SessionStore({
      file: path.join(this.#folder, SESSIONS_FILE),
      log,
      newId,
      now,
    });
    const store = new MemoryStore({ folder: this.memoryFolder, log, now });
    const personal = new MemoryStore({ folder: path.join(this.#folder, 'personal'), log, now });
    const scopes = new MemoryScopes({ personal });
    scopes.setWorkspace([{ kind: 'workspace', name: 'work', store }]);
    // What failed is looked at after the next turn, and never while nobody waits for it.
    const learning = new Learning({ scopes, log, sessions, now, after: () => () => undefined });
    const deps = {
      sessions,
      compactor: new Compactor({ log }),
      seen: new SeenFilesOfSessions(),
      archive: new Archive({ root: this.#folder, pointers: 'relative' as const }),
      memory: { scopes, learning },
      log,
      now,
    };
    return { sessions, store, learning, deps };
  }

  #log(): Log {
    const keep = (line: string) => void this.lines.push(line);
    return { ...silentLog, info: keep, warn: keep, error: keep };
  }
}

const READ = fakeTool('read_file', async () => 'const answer = 42;', { readOnly: true });

/** The model that the person talks to: reads files for as many rounds as the turn has, then answers, or does not. */
function answering(turn: SimulatedTurn, controller: AbortController): Model {
  let rounds = turn.toolRounds;
  return {
    id: 'assistant',
    name: 'Assistant',
    limits: { input: 200_000, output: 32_000 },
    structuredOutput: true,
    async *stream(): AsyncIterable<ModelEvent> {
      if (rounds-- > 0) {
        const content = [call(`call-${rounds}`, 'read_file', { path: `src/${rounds}.ts` })];
        yield ended({ role: 'assistant', content }, 'tool_use');
        return;
      }
      if (turn.ending === 'failed') throw new ModelError('network', 'The connection was cut.');
      if (turn.ending === 'stopped') {
        controller.abort();
        throw new ModelError('cancelled', 'Cancelled.');
      }
      yield { type: 'text', text: turn.answer };
      const content = [{ type: 'text' as const, text: turn.answer }];
      yield ended({ role: 'assistant', content }, 'end_turn');
    },
  };
}

function ended(
  message: Extract<ModelEvent, { type: 'end' }>['message'],
  stopReason: 'end_turn' | 'tool_use',
): ModelEvent {
  return { type: 'end', message, stopReason, usage: undefined };
}
