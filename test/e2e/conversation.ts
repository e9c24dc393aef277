// The conversation that a model was sent, checked for what every model demands, and as lines to compare.

import assert from 'node:assert/strict';

import type { FakeMessagesApi, RawBlock } from '../support/fakeMessagesApi.ts';
import { text } from '../support/messageEvents.ts';
import { assertStrict } from '../support/strictMessages.ts';
import type { Workbench } from './workbench.ts';

export interface Talk {
  readonly api: FakeMessagesApi;
  readonly chat: Workbench['chat'];
}

/** How the agent asks a model to go on, which nobody said. */
const GO_ON = /^Your reply was (cut|empty)/;
const START_OF_PROMPT = /^You are Memory Agent/;
/** Where results have no mark for a failure, their words say it. */
const FAILED = 'The call failed: ';

/** Asks once more. `held` is what the session holds before that; of a result the beginning is enough. */
export async function checkNextTurn(talk: Talk, held: readonly string[]): Promise<void> {
  const lines = await nextConversation(talk);
  const expected = [...held, 'user: and now?'];
  assert.deepEqual(
    lines.map((line, index) => (isResult(line) ? line.slice(0, expected[index]?.length) : line)),
    expected,
  );
}

/** Asks once more, and returns what the model was sent. */
export async function nextConversation({ api, chat }: Talk): Promise<string[]> {
  api.push({ blocks: [text('Going on.')] });
  assert.match(await chat.ask('@memory and now?'), /^Going on\.$/);
  api.assertDone();
  return sentConversation(api);
}

/** With the last request. */
export function sentConversation(api: FakeMessagesApi): string[] {
  const { body } = lastRequest(api);
  assertStrict(body);
  return body.messages.flatMap(({ role, content }) =>
    content.flatMap((block) => line(role, block)),
  );
}

export function lastRequest(api: FakeMessagesApi): FakeMessagesApi['messageRequests'][number] {
  const request = api.messageRequests.at(-1);
  assert.ok(request, 'nothing was asked');
  return request;
}

function line(role: string, block: RawBlock): string[] {
  switch (block.type) {
    case 'tool_use':
      return [`${role} calls ${String(block['name'])}`];
    case 'tool_result': {
      const said = resultText(block);
      const failed = block['is_error'] === true || said.startsWith(FAILED);
      return [`${failed ? 'failed' : 'result'}: ${said.replace(FAILED, '')}`];
    }
    case 'text': {
      const words = block.text ?? '';
      // Without a system role the prompt leads the first message.
      if (START_OF_PROMPT.test(words)) return [];
      return [GO_ON.test(words) ? `${role} is asked by us to go on` : `${role}: ${words}`];
    }
    default:
      throw new Error(`A block of the type ${block.type} was sent.`);
  }
}

function resultText({ content }: RawBlock): string {
  return (content as readonly RawBlock[]).map(({ text }) => text ?? '').join('');
}

function isResult(line: string): boolean {
  return /^(failed|result): /.test(line);
}
