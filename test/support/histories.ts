// Histories in numbers: any that a session can come to, for tests of what must hold for all of them, and long ones.

import {
  array,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  type Arbitrary,
} from 'fast-check';
import type {
  AssistantBlock,
  ImageBlock,
  Message,
  ToolResultBlock,
  UserBlock,
  UserMessage,
} from '../../src/models/model.ts';
import { userText } from '../../src/models/model.ts';
import { call, calls, results } from './conversation.ts';

const LONG_TURN_RESULT = 600;
const LONG_TURN_LARGE_RESULT = 12_000;
const LARGE_EVERY = 25;

/** One request and the rounds that answer it: a call and a result of 600 characters, each 25th of 12,000. */
export function longTurn(messages: number): Message[] {
  const turn: Message[] = [userText('Mend every test of the project.')];
  for (let round = 1; turn.length + 1 < messages; round++) {
    const size = round % LARGE_EVERY === 0 ? LONG_TURN_LARGE_RESULT : LONG_TURN_RESULT;
    turn.push(calls(call(`call_${round}`, 'read_file', { path: `src/part${round}.ts` })));
    turn.push(results([`call_${round}`, filled(size, `part ${round}`)]));
  }
  return turn;
}

/** A text of so many characters that no other label has. */
export function filled(characters: number, label: string): string {
  const line = `${label}: some words of a line\n`;
  return line.repeat(Math.ceil(characters / line.length)).slice(0, characters);
}

export interface HistoryLimits {
  readonly turns: number;
  readonly rounds: number;
}

/** With parallel calls, spread results, images, thinking, empty texts, notices, and an end at any point of a turn. */
export function histories(limits: HistoryLimits): Arbitrary<Message[]> {
  const turns = array(turnShape(limits.rounds), {
    minLength: 1,
    maxLength: limits.turns,
    size: 'max',
  });
  return record({ turns, end: constantFrom('request', 'results', 'answer') }).map(build);
}

interface CallShape {
  readonly size: number;
  readonly hasImage: boolean;
  readonly inputSize: number;
  /** Whether its result stands in a message of its own. */
  readonly isSpread: boolean;
  readonly isWide: boolean;
}

interface RoundShape {
  readonly calls: readonly CallShape[];
  readonly text: string | null;
  readonly isThinking: boolean;
  readonly hasNotice: boolean;
}

interface TurnShape {
  readonly request: number;
  readonly hasContext: boolean;
  readonly hasImage: boolean;
  /** The person spoke while the results of the turn before were still to be read. */
  readonly isJoined: boolean;
  readonly rounds: readonly RoundShape[];
}

const SIZES = oneof(
  { weight: 6, arbitrary: integer({ min: 0, max: 300 }) },
  { weight: 3, arbitrary: integer({ min: 301, max: 3_000 }) },
  { weight: 1, arbitrary: integer({ min: 3_001, max: 50_000 }) },
);

const SELDOM = integer({ min: 0, max: 9 }).map((number) => number === 0);

const CALL: Arbitrary<CallShape> = record({
  size: SIZES,
  hasImage: SELDOM,
  inputSize: oneof(
    { weight: 9, arbitrary: integer({ min: 0, max: 80 }) },
    { weight: 1, arbitrary: SIZES },
  ),
  isSpread: SELDOM,
  isWide: SELDOM,
});

const ROUND: Arbitrary<RoundShape> = record({
  calls: array(CALL, { minLength: 1, maxLength: 4 }),
  text: option(constantFrom('', 'Let me look.', 'まず読みます。')),
  isThinking: boolean(),
  hasNotice: SELDOM,
});

function turnShape(rounds: number): Arbitrary<TurnShape> {
  return record({
    request: oneof(
      { weight: 9, arbitrary: integer({ min: 1, max: 200 }) },
      { weight: 1, arbitrary: integer({ min: 1, max: 20_000 }) },
    ),
    hasContext: boolean(),
    hasImage: SELDOM,
    isJoined: SELDOM,
    rounds: array(ROUND, { maxLength: rounds, size: 'max' }),
  });
}

function build({ turns, end }: { turns: readonly TurnShape[]; end: string }): Message[] {
  const messages: Message[] = [];
  let number = 0;
  turns.forEach((turn, index) => {
    const isLast = index === turns.length - 1;
    addRequest(messages, turn, index);
    if (isLast && end === 'request') return;
    for (const round of turn.rounds) messages.push(...roundOf(round, () => number++));
    if (isLast && end === 'results') return;
    messages.push({ role: 'assistant', content: [text(`Answer ${index}.`)] });
  });
  return messages;
}

function addRequest(messages: Message[], turn: TurnShape, index: number): void {
  const content: UserBlock[] = [];
  if (turn.hasContext) content.push(context(`Recalled for request ${index}.`));
  if (turn.hasImage) content.push(IMAGE);
  content.push(text(filled(turn.request, `request ${index}`)));
  // The answer to the turn before was stopped, and its last results were joined to what came next.
  const [last, reading] = [messages.at(-2), messages.at(-1)];
  if (turn.isJoined && last?.role === 'user' && reading?.role === 'assistant') {
    messages.splice(-2, 2, { role: 'user', content: [...last.content, ...content] });
  } else {
    messages.push({ role: 'user', content });
  }
}

function roundOf(round: RoundShape, next: () => number): Message[] {
  const asked: AssistantBlock[] = [];
  if (round.isThinking) {
    asked.push({ type: 'thinking', thinking: 'Which file is it?', signature: 'c2lnbmVk' });
    asked.push({ type: 'redacted_thinking', data: 'aGlkZGVu' });
  }
  if (round.text !== null) asked.push(text(round.text));
  const together: ToolResultBlock[] = [];
  const spread: UserMessage[] = [];
  for (const shape of round.calls) {
    const id = `call_${next()}`;
    asked.push(call(id, 'write_file', { path: `${id}.ts`, content: filled(shape.inputSize, id) }));
    const printed = filled(shape.size, shape.isWide ? `第${id}行` : id);
    const result: ToolResultBlock = {
      type: 'tool_result',
      tool_use_id: id,
      content: [text(printed), ...(shape.hasImage ? [IMAGE] : [])],
      is_error: shape.size % 7 === 0,
    };
    if (shape.isSpread) spread.push({ role: 'user', content: [result] });
    else together.push(result);
  }
  const messages: Message[] = [{ role: 'assistant', content: asked }];
  if (together.length > 0) messages.push({ role: 'user', content: together });
  messages.push(...spread);
  if (round.hasNotice) messages.push({ role: 'user', content: [context('A file changed.')] });
  return messages;
}

const IMAGE: ImageBlock = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
};

function text(words: string) {
  return { type: 'text', text: words } as const;
}

function context(words: string) {
  return { type: 'context', text: words, records: {} } as const;
}
