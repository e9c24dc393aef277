// Sends a request again without what its server refuses of it: thinking that is stale, and images. Both stay in the
// history, so that they would spoil every later request of the session.

import { errorText, type Log } from '../base/log.ts';
import { saysImage, saysStaleThinking } from './failureWords.ts';
import { ModelError, type ModelEvent, type ModelRequest } from './model.ts';
import type { RefusedImages } from './refusedImages.ts';
import type { StaleThinking } from './staleThinking.ts';

/** What was refused before. */
export interface RefusableParts {
  readonly modelId: string;
  readonly staleThinking: StaleThinking;
  readonly refusedImages: RefusedImages;
  readonly log: Log;
}

export async function* withoutRefusedParts(
  request: ModelRequest,
  { modelId, staleThinking, refusedImages, log }: RefusableParts,
  send: (request: ModelRequest) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  for (;;) {
    const messages = refusedImages.replacedIn(modelId, staleThinking.removedFrom(request.messages));
    let hasBegun = false;
    try {
      for await (const event of send({ ...request, messages })) {
        hasBegun ||= event.type !== 'retrying';
        yield event;
      }
      return;
    } catch (error) {
      // What was shown of a reply would be shown twice.
      if (hasBegun) throw error;
      if (isStaleThinking(error) && staleThinking.add(request.messages)) {
        log.info(`[models] ${modelId} takes the thinking so far no more: it is left out.`);
      } else if (isAboutImage(error) && refusedImages.add(modelId, request.messages)) {
        log.info(`[models] ${modelId} refused an image, which is left out: ${errorText(error)}`);
      } else throw error;
    }
  }
}

function isStaleThinking(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'other' && saysStaleThinking(error.message);
}

/** Servers that take no images, or not this one, say so with various statuses. */
function isAboutImage(error: unknown): boolean {
  const kinds = ['other', 'network'];
  return error instanceof ModelError && kinds.includes(error.kind) && saysImage(error.message);
}
