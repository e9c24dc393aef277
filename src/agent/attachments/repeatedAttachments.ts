// An attachment that stands in the working history already, as when VS Code attaches the same instructions to every
// request, is named instead of sent again. After a compaction has taken it out it is sent in full.

import type { AttachmentBlock, ImageBlock, Message } from '../../models/model.ts';
import { withBody } from './attachmentBlock.ts';

type Block = AttachmentBlock | ImageBlock;

/** To name a shorter one would save nothing. */
const LEAST_CHARS = 500;
/** A compaction of this very turn may take out what is meant. */
const UNCHANGED =
  '[Unchanged since it was attached above in this conversation. If it stands there no more, read it again.]';

export function withoutRepeats(
  blocks: readonly Block[],
  working: readonly Message[],
): readonly Block[] {
  // By head, so by name; the last one counts, since a text may have changed and changed back.
  const standing = new Map<string, string>();
  for (const { content } of working) {
    for (const block of content) {
      if (block.type !== 'attachment') continue;
      const named = withBody(block, UNCHANGED).text;
      if (block.text !== named) standing.set(named, block.text);
    }
  }
  return blocks.map((block) => {
    if (block.type !== 'attachment' || block.text.length < LEAST_CHARS) return block;
    const named = withBody(block, UNCHANGED);
    return standing.get(named.text) === block.text ? named : block;
  });
}
