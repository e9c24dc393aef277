// Stage 1. Keeps the newest batch of tool results, however much the tools of one round printed, from filling the
// window by itself: the largest go first, and the model sees how each begins.

import { resultText } from '../standIn.ts';
import { placedResults, Shortening } from '../shortening.ts';
import type { Stage, StageInput, StageResult } from '../stage.ts';
import { lastAssistantIndex } from '../transcript.ts';

export const toolResultBudget: Stage = { name: 'toolResultBudget', run };

async function run(input: StageInput, signal: AbortSignal): Promise<StageResult | undefined> {
  const { messages, policy } = input;
  const lastReply = lastAssistantIndex(messages);
  const batch = placedResults(messages)
    .filter(({ index }) => index > lastReply)
    .map(({ block }) => ({ block, characters: resultText(block).length }));
  let total = batch.reduce((sum, { characters }) => sum + characters, 0);

  const shortening = new Shortening(input, signal);
  // However small each is: ten of 29,000 characters fill the window as well.
  for (const { block, characters } of batch.toSorted((a, b) => b.characters - a.characters)) {
    if (total <= policy.batchChars) break;
    const short = await shortening.shortenResult(block, policy.largePreviewChars);
    if (short) total += resultText(short).length - characters;
  }
  return shortening.result();
}
