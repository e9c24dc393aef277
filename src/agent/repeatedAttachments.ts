// An attachment that stands in the working history already, as when VS Code attaches the same instructions to every
// request, is named instead of sent again. After a compaction has taken it out it is sent in full.

import type { AttachmentBlock, ImageBlock, Message } from '../models/model.ts';
import { attachmentBlock } from './attachmentBlock.ts';

type Block = AttachmentBlock | ImageBlock;

/** To name a shorter one would save nothing. */
const LEAST_CHARS = 500;

export function withoutRepeats(
  blocks: readonly Block[],
  working: readonly Message[],
): readonly Block[] {
  const standing = new Set(
    working.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'attachment' ? [block.text] : [])),
    ),
  );
  return blocks.map((block) =>
    block.type === 'attachment' && block.text.length >= LEAST_CHARS && standing.has(block.text)
      ? attachmentBlock({
          name: block.name,
          body: '[Unchanged since it was attached above in this conversation.]',
        })
      : block,
  );
}
