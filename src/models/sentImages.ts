// Which images of a conversation go with a request. In the place of each of the others stands a note, so that the
// model knows that there was one.

import type { ImageBlock, Message, TextBlock } from './model.ts';

/** With more in one request the API takes only small ones. */
const MOST_IMAGES = 20;
/** Of base64, in all: the API takes requests of 32 MB, and refuses larger ones whatever else is in them. */
const MOST_CHARS = 20 * 1024 * 1024;

const OLDER_IMAGE = note('(An older image stood here.)');
const UNSEEN_IMAGE = note('(An image stands here that you cannot be shown.)');

/** The newest are those that the conversation is about. The cache breaks only where one more comes in. */
export function withNewestImages(messages: readonly Message[]): readonly Message[] {
  const images = messages.flatMap(imagesOf);
  let chars = 0;
  const last = images.findLastIndex(({ source }, index) => {
    chars += source.data.length;
    return images.length - index > MOST_IMAGES || chars > MOST_CHARS;
  });
  let older = last + 1;
  return older === 0
    ? messages
    : withImages(messages, (image) => (older-- > 0 ? OLDER_IMAGE : image));
}

/** For a model that sees none: it would refuse the conversation of one that did. */
export function withoutImages(messages: readonly Message[]): readonly Message[] {
  return withImages(messages, () => UNSEEN_IMAGE);
}

type Replace = (image: ImageBlock) => ImageBlock | TextBlock;

/** Messages without an image stay the very same. */
export function withImages(messages: readonly Message[], replace: Replace): readonly Message[] {
  return messages.map((message) => {
    if (message.role === 'assistant' || imagesOf(message).length === 0) return message;
    const content = message.content.map((block) => {
      if (block.type === 'image') return replace(block);
      if (block.type !== 'tool_result') return block;
      return {
        ...block,
        content: block.content.map((part) => (part.type === 'image' ? replace(part) : part)),
      };
    });
    return { role: 'user', content };
  });
}

export function imagesOf({ content }: Message): readonly ImageBlock[] {
  return content.flatMap((block) => {
    if (block.type === 'image') return [block];
    return block.type === 'tool_result'
      ? block.content.filter((part) => part.type === 'image')
      : [];
  });
}

function note(text: string): TextBlock {
  return { type: 'text', text };
}
