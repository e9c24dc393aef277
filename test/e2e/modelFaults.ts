// The faults of a model's replies, for any model: what the person sees, what the session holds, and that the next
// turn works.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { holdBefore } from '../support/messageEvents.ts';
import { checkNextTurn } from './conversation.ts';
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
  { asks = 1, shows, holds, error, offers = [] }: FaultOutcome,
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
  assert.equal(words(shown), words([shows ?? '', ...offers].join(' ')));
  if (error) assert.match(await chat.errorIn(answer).innerText(), error);
  else assert.equal(await chat.errorIn(answer).count(), 0);
  const buttons = await answer.locator('.chat-command-button').allInnerTexts();
  assert.deepEqual(buttons, offers);
  const reply = shows === undefined ? [] : [`assistant: ${shows}`];
  await checkNextTurn({ api, chat }, holds ?? ['user: hello', ...reply]);
  assert.equal(fs.existsSync(path.join(workspace, UNWRITTEN)), false, 'half a call was run');
}

/** As the chat's Markdown may have other spaces. */
function words(shown: string): string {
  return shown.replaceAll(/\s+/gu, ' ').trim();
}
