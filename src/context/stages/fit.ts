// Stage 4. Takes what is large wherever it stands, the largest first: results that the model has not read yet, too,
// and long texts in the calls themselves. The model sees how each begins.

import { measureBlock } from '../measure.ts';
import { answeredCalls, placedResults, Shortening } from '../shortening.ts';
import { isOver, type Stage, type StageInput, type StageResult } from '../stage.ts';

export const fit: Stage = { name: 'fit', run };

async function run(input: StageInput, signal: AbortSignal): Promise<StageResult | undefined> {
  if (!isOver(input)) return undefined;
  const { messages, policy, budget } = input;
  const results = placedResults(messages).map(({ block }) => block);
  const bySize = [...results, ...answeredCalls(messages)]
    .map((block) => ({ block, tokens: measureBlock(block) }))
    .toSorted((a, b) => b.tokens - a.tokens);

  const shortening = new Shortening(input, signal);
  for (const { block } of bySize) {
    if (shortening.tokens <= budget.target) break;
    if (block.type === 'tool_use') await shortening.shortenCall(block, policy.fitPreviewChars);
    else await shortening.shortenResult(block, policy.fitPreviewChars);
  }
  return shortening.result();
}
