// One turn in memory: the histories of its session up to it, and what is changed of them. Lists grow at their end
// only, so that whoever measures them measures each message once.

import { userText, type Message } from '../models/model.ts';
import type {
  AnsweredRequest,
  CompactionMark,
  LogEntry,
  SessionTurn,
  SessionUsage,
  SessionView,
  TurnRef,
} from './session.ts';
import { learnedUpTo, markLearned, type Learning } from './learnedTurns.ts';

export interface TurnState {
  readonly ref: TurnRef;
  /** The turn that it goes on from. */
  readonly previous: string | undefined;
  readonly request: string | undefined;
  readonly created: Date;
  /** Counts the turns that this window has seen. */
  readonly order: number;
  readonly learning: Learning;
  readonly entries: LogEntry[];
  readonly log: Message[];
  working: Message[];
  /** Where each message of `working` is stored, so that a compaction mark need not repeat it. */
  places: string[];
  /** Of the next thing that is stored of this turn. */
  position: number;
  /** Where the turn's own messages begin. Before them stands what it was given when it began. */
  startedAt: number;
  systemPrompt: string | undefined;
  lastCompaction: CompactionMark | undefined;
  lastRequest: AnsweredRequest | undefined;
  /** One object for all turns of a session. */
  readonly total: UsageTotal;
  /** One that was cut off may still be written, by another window. */
  status: 'running' | 'ended' | 'cutOff';
}

/** The estimate that is stored of a request whose input was not the history of the turn. */
export const NOT_OF_HISTORY = 0;

export type UsageTotal = { -readonly [Key in keyof SessionUsage]: SessionUsage[Key] };

/** What is to be stored of a turn. Positions count all that is stored of it. */
export type TurnChange =
  | {
      readonly kind: 'message';
      readonly position: number;
      readonly message: Message;
      readonly working: Message;
    }
  | { readonly kind: 'working'; readonly position: number; readonly message: Message }
  | {
      readonly kind: 'compaction';
      readonly position: number;
      readonly compaction: StoredCompaction;
    }
  | { readonly kind: 'system'; readonly text: string | undefined }
  /** Of this turn, and of those before it that were not looked at by themselves. */
  | { readonly kind: 'learned'; readonly turns: readonly Learning[] }
  | { readonly kind: 'answered'; readonly request: AnsweredRequest }
  | { readonly kind: 'ended' };

/** A working history: the places of messages that are stored, and those that are new. */
interface StoredCompaction {
  /** Left out where a history was taken over that had never been compacted. */
  readonly mark?: CompactionMark | undefined;
  readonly working: readonly (string | Message)[];
}

/** Names what is stored of a turn. Of a message it is the id in the log, and the place of its working form. */
export function placeOf(turnId: string, position: number): string {
  return `${turnId}:${position}`;
}

/** Of a message that is stored in a compaction mark. */
export function placeInMark(markPlace: string, index: number): string {
  return `${markPlace}:${index}`;
}

/** A turn that goes on from another, or begins a session. It is given its first `startedAt` messages afterwards. */
export function branchOf(
  before: TurnState | undefined,
  start: Pick<TurnState, 'ref' | 'request' | 'created' | 'order' | 'total' | 'startedAt'> & {
    readonly requestLearned: boolean;
  },
): TurnState {
  const { requestLearned, ...own } = start;
  const length = (before?.log.length ?? 0) + own.startedAt;
  return {
    ...own,
    previous: before?.ref.turnId,
    learning: {
      turnId: own.ref.turnId,
      before: before?.learning,
      // What comes from the chat's text was looked at when it was said.
      learnedUpTo: requestLearned ? length + 1 : before ? undefined : length,
      requestLearned,
    },
    entries: [...(before?.entries ?? [])],
    log: [...(before?.log ?? [])],
    working: [...(before?.working ?? [])],
    places: [...(before?.places ?? [])],
    position: 0,
    systemPrompt: before?.systemPrompt,
    lastCompaction: before?.lastCompaction,
    lastRequest: before?.lastRequest,
    status: 'running',
  };
}

/**
 * A turn that is written: each change is told to `store` when the state has it. `storedLearned`: how many messages of
 * its log were looked at, as the database has it.
 */
export function sessionTurnOf(
  state: TurnState,
  store: (change: TurnChange) => void,
  storedLearned: () => number,
): SessionTurn {
  return {
    ...viewOf(state),
    setSystemPrompt(text) {
      state.systemPrompt = text;
      store({ kind: 'system', text });
    },
    append(message, working = message) {
      store(appendMessage(state, message, working));
    },
    appendWorking(message) {
      const position = state.position++;
      pushWorking(state, placeOf(state.ref.turnId, position), message);
      store({ kind: 'working', position, message });
    },
    learned: () => Math.max(learnedUpTo(state.learning), storedLearned()),
    markLearned(upTo = state.log.length) {
      store({ kind: 'learned', turns: markLearned(state, upTo) });
    },
    compacted(messages, mark) {
      store(compact(state, messages, mark));
    },
    answered(answer) {
      const request = countable(answer);
      state.lastRequest = request;
      addUsage(state.total, request);
      store({ kind: 'answered', request });
    },
    answeredAside(answer) {
      const request = countable({ ...answer, estimate: NOT_OF_HISTORY });
      addUsage(state.total, request);
      store({ kind: 'answered', request });
    },
    end() {
      state.status = 'ended';
      store({ kind: 'ended' });
    },
  };
}

export function viewOf(state: TurnState): SessionView {
  return {
    ref: state.ref,
    log: () => state.log,
    entries: () => state.entries,
    working: () => state.working,
    systemPrompt: () => state.systemPrompt,
    lastCompaction: () => state.lastCompaction,
    lastRequest: () => state.lastRequest,
    usage: () => ({ ...state.total }),
  };
}

/** What the person said in a turn that was cut off before it had written that. */
export function unwrittenRequest(state: TurnState): readonly Message[] {
  const { status, position, startedAt, request } = state;
  return status !== 'ended' && position === startedAt && request ? [userText(request)] : [];
}

/** Adds a message of this turn. */
export function appendMessage(state: TurnState, message: Message, working: Message): TurnChange {
  const position = state.position++;
  pushMessage(state, placeOf(state.ref.turnId, position), message, working);
  return { kind: 'message', position, message, working };
}

/** Adds a message that is stored at `place`. */
export function pushMessage(
  state: TurnState,
  place: string,
  message: Message,
  working: Message,
): void {
  state.log.push(message);
  state.entries.push({ id: place, message });
  pushWorking(state, place, working);
}

/** Adds to the working history only. */
export function pushWorking(state: TurnState, place: string, message: Message): void {
  state.working.push(message);
  state.places.push(place);
}

export function setWorking(
  state: TurnState,
  messages: readonly Message[],
  places: readonly string[],
): void {
  // A new list: whoever has the old one goes on reading it.
  state.working = [...messages];
  state.places = [...places];
}

/**
 * The turn as it is stored at once, by the messages of its log and this: its working history at the next position.
 * The state has it when `apply` is called.
 */
export function takeOver(
  state: TurnState,
  stored: ReadonlyMap<Message, string>,
): {
  readonly position: number;
  readonly startedAt: number;
  readonly compaction: StoredCompaction;
  readonly apply: () => void;
} {
  const { position, working: messages, lastCompaction: mark } = state;
  const startedAt = state.startedAt === position ? position + 1 : state.startedAt;
  const { places, working } = placed(messages, placeOf(state.ref.turnId, position), stored);
  const apply = (): void => {
    state.position = position + 1;
    state.startedAt = startedAt;
    state.places = places;
  };
  return { position, startedAt, compaction: { mark, working }, apply };
}

function compact(state: TurnState, messages: readonly Message[], mark: CompactionMark): TurnChange {
  const position = state.position++;
  const stored = new Map(state.working.map((each, index) => [each, state.places[index] ?? '']));
  const { places, working } = placed(messages, placeOf(state.ref.turnId, position), stored);
  state.lastCompaction = mark;
  setWorking(state, messages, places);
  return { kind: 'compaction', position, compaction: { mark, working } };
}

/** Where each message stands when those that are not `stored` are stored in the mark, and what the mark says. */
function placed(
  messages: readonly Message[],
  markPlace: string,
  stored: ReadonlyMap<Message, string>,
): { places: string[]; working: StoredCompaction['working'] } {
  return {
    places: messages.map((message, index) => stored.get(message) ?? placeInMark(markPlace, index)),
    working: messages.map((message) => stored.get(message) ?? message),
  };
}

export function noUsage(): UsageTotal {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, requests: 0 };
}

/** Whatever a server says that it used, in numbers that can be added and stored. */
function countable({ model, estimate, usage }: AnsweredRequest): AnsweredRequest {
  return {
    model,
    estimate: Number.isFinite(estimate) ? estimate : 0,
    usage: {
      input: countOf(usage.input),
      output: countOf(usage.output),
      cacheRead: countOf(usage.cacheRead),
      cacheWrite: countOf(usage.cacheWrite),
    },
  };
}

function countOf(tokens: number): number {
  if (!Number.isFinite(tokens)) return 0;
  return Math.min(Math.max(Math.round(tokens), 0), Number.MAX_SAFE_INTEGER);
}

function addUsage(total: UsageTotal, { usage }: AnsweredRequest): void {
  total.input += usage.input;
  total.output += usage.output;
  total.cacheRead += usage.cacheRead;
  total.cacheWrite += usage.cacheWrite;
  total.requests += 1;
}
