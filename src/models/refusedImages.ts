// Images that a server refuses: damaged ones, and all of them where a model sees none after all. They stay in the
// history, so that every later request of the session would be refused as well.

import type { ImageBlock, Message } from './model.ts';
import { imagesOf, withImages } from './sentImages.ts';

export interface RefusedImages {
  /**
   * Those of the newest message that has any left, since the others were taken before. False when there are none
   * that were not known as refused already.
   */
  add(modelId: string, messages: readonly Message[]): boolean;
  /** The same with a note in place of each, and the very same where there is none. */
  replacedIn(modelId: string, messages: readonly Message[]): readonly Message[];
}

const REFUSED = { type: 'text', text: '(An image stood here that the server refused.)' } as const;

/** To be kept as long as the messages are sent: else the server refuses them once more each time. */
export function createRefusedImages(): RefusedImages {
  const ofModels = new Map<string, WeakSet<ImageBlock>>();
  return {
    add(modelId, messages) {
      const refused = ofModels.get(modelId) ?? new WeakSet();
      const left = messages.map((message) => imagesOf(message).filter((one) => !refused.has(one)));
      const newest = left.findLast((images) => images.length > 0) ?? [];
      for (const image of newest) refused.add(image);
      ofModels.set(modelId, refused);
      return newest.length > 0;
    },
    replacedIn(modelId, messages) {
      const refused = ofModels.get(modelId);
      if (!refused) return messages;
      return withImages(messages, (image) => (refused.has(image) ? REFUSED : image));
    },
  };
}
