// Stage 3. Leaves one line of each old tool result: the model has read it, and can read it again where the line says.
// The newest of them stay, since the work is about them.

import { resultText } from '../standIn.ts';
import { placedResults, Shortening } from '../shortening.ts';
import { isOver, type Stage, type StageInput, type StageResult } from '../stage.ts';
import { lastAssistantIndex } from '../transcript.ts';

export const micro: Stage = { name: 'micro', run };

async function run(input: StageInput, signal: AbortSignal): Promise<StageResult | undefined> {
  if (!isOver(input)) return undefined;
  const { messages, policy, budget } = input;
  const lastReply = lastAssistantIndex(messages);
  const read = placedResults(messages).filter(({ index }) => index < lastReply);
  const old = read.slice(0, Math.max(0, read.length - policy.recentResults));

  const shortening = new Shortening(input, signal);
  for (const { block } of old) {
    if (shortening.tokens <= budget.target) break;
    if (resultText(block).length > policy.standInForResultChars)
      await shortening.shortenResult(block, 0);
  }
  return shortening.result();
}
