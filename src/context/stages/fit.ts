// Stage 4. Takes what is large wherever it stands, the largest first: results that are still whole, and long texts in
// the calls themselves. The model sees how each begins. What it has not read yet comes last, and only when it must.

import { measureBlock } from '../measure.ts';
import { answeredCalls, placedResults, Shortening } from '../shortening.ts';
import { isOver, type Stage, type StageInput, type StageResult } from '../stage.ts';
import { lastAssistantIndex } from '../transcript.ts';
import type { ToolResultBlock, ToolUseBlock } from '../../models/model.ts';

export const fit: Stage = { name: 'fit', run };

async function run(input: StageInput, signal: AbortSignal): Promise<StageResult | undefined> {
  if (!isOver(input)) return undefined;
  const { messages, budget } = input;
  const shortening = new Shortening(input, signal);
  const shorten = async (blocks: readonly Block[], most: number) => {
    for (const block of bySize(blocks)) {
      if (shortening.tokens <= most) return;
      const { fitPreviewChars } = input.policy;
      if (block.type === 'tool_use') await shortening.shortenCall(block, fitPreviewChars);
      else await shortening.shortenResult(block, fitPreviewChars);
    }
  };
  const lastReply = lastAssistantIndex(messages);
  const results = placedResults(messages);
  const read = results.filter(({ index }) => index < lastReply).map(({ block }) => block);
  const unread = results.filter(({ index }) => index > lastReply).map(({ block }) => block);
  await shorten([...read, ...answeredCalls(messages)], budget.target);
  await shorten(unread, budget.limit);
  return shortening.result();
}

type Block = ToolResultBlock | ToolUseBlock;

function bySize(blocks: readonly Block[]): readonly Block[] {
  return blocks
    .map((block) => ({ block, tokens: measureBlock(block) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .map(({ block }) => block);
}
