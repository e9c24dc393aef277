// The faults of a model's replies, for any model: what the person sees, what the session holds, and that the next
// turn works.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { FakeMessagesApi } from '../support/fakeMessagesApi.ts';
import { holdBefore, text } from '../support/messageEvents.ts';
import { heldConversation } from './conversation.ts';
import type { FaultOutcome, ModelUnderTest } from './modelUnderTest.ts';
import { faultOf, UNWRITTEN, type FaultName } from './replyFaults.ts';
import type { UsedWindow } from './useWindow.ts';

/** One test a fault that the model can know. Each begins a chat of its own. */
export function replyFaults(used: UsedWindow, model: ModelUnderTest): void {
  for (const [fault, outcome] of Object.entries(model.outcomes)) {
    it(`${fault} ${outcome.does}`, () => checkFault(used, fault as FaultName, outcome));
  }
}

async function checkFault(
  { api, window: { chat }, workspace }: UsedWindow,
  fault: FaultName,
  { asks = 1, shows, holds, error, button }: FaultOutcome,
): Promise<void> {
  const { replies, waits } = faultOf(fault);
  const hold = waits && holdBefore(waits.before);
  const [first, ...others] = replies.slice(0, asks);
  assert.ok(first);
  api.push(hold ? { ...first, hold } : first, ...others);
  const answer = await chat.send('@memory hello');
  if (hold) {
    await hold.reached;
    await answer.getByText(waits.for).first().waitFor();
    hold.open();
  }
  if (error) await chat.errorIn(answer).waitFor();
  const shown = await chat.answerMarkdown(answer);
  assert.equal(words(shown), words(`${shows ?? ''} ${button ?? ''}`));
  if (error) assert.match(await chat.errorIn(answer).innerText(), error);
  else assert.equal(await chat.errorIn(answer).count(), 0);
  const buttons = await answer.locator('.chat-command-button').allInnerTexts();
  assert.deepEqual(buttons, button === undefined ? [] : [button]);
  const reply = shows === undefined ? [] : [`assistant: ${shows}`];
  await untilNextTurn({ api, chat }, holds ?? ['user: hello', ...reply]);
  assert.equal(fs.existsSync(path.join(workspace, UNWRITTEN)), false, 'half a call was run');
}

/** Asks once more. `held` is what the session holds before that; of a result the beginning is enough. */
export async function untilNextTurn(
  { api, chat }: { api: FakeMessagesApi; chat: UsedWindow['window']['chat'] },
  held: readonly string[],
): Promise<void> {
  api.push({ blocks: [text('Going on.')] });
  assert.match(await chat.ask('@memory and now?'), /^Going on\.$/);
  const lines = heldConversation(lastRequest(api).body);
  const expected = [...held, 'user: and now?'];
  assert.deepEqual(
    lines.map((line, index) => (isResult(line) ? line.slice(0, expected[index]?.length) : line)),
    expected,
  );
  api.assertDone();
}

export function lastRequest(api: FakeMessagesApi): FakeMessagesApi['messageRequests'][number] {
  const request = api.messageRequests.at(-1);
  assert.ok(request, 'nothing was asked');
  return request;
}

function isResult(line: string): boolean {
  return /^(failed|result): /.test(line);
}

/** As the chat's Markdown may have other spaces. */
function words(shown: string): string {
  return shown.replaceAll(/\s+/gu, ' ').trim();
}
