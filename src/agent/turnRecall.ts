// The records that a turn begins with: chosen for its request, and told to the model in front of it.

import { errorText } from '../base/log.ts';
import { recallContext, recallDialogue, recallMemories } from '../memory/recall.ts';
import { ModelError, type ContextBlock, type Message } from '../models/model.ts';
import type { SessionTurn } from '../sessions/session.ts';
import type { Emit } from './events.ts';
import type { Listing, SessionDeps, SessionRequest } from './sessionDeps.ts';

/** Chooses records for the request and returns the block that stands in front of it. Never fails a turn. */
export async function recallForTurn(
  deps: SessionDeps,
  request: SessionRequest,
  history: { turn: SessionTurn; log: readonly Message[]; records: Listing },
  emit: Emit,
  signal: AbortSignal,
): Promise<ContextBlock | undefined> {
  if (!deps.memory || request.recall === 'off') return undefined;
  try {
    const records = await history.records();
    const recalled = await recallMemories(
      {
        records,
        dialogue: recallDialogue(history.log),
        model: request.utilityModel,
        log: deps.log,
      },
      signal,
    );
    if (recalled.length > 0) emit({ type: 'recalled', records: recalled });
    const standing = standingRecords(history.turn.working());
    const [folder] = request.folders;
    return recallContext({ recalled, standing, existing: records, folder, now: deps.now() });
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cancelled')) {
      deps.log.error(`[recall] ${errorText(error)}`);
    }
    return undefined;
  }
}

/** The records that already stand in the working history: path to content hash, the latest wins. */
function standingRecords(working: readonly Message[]): ReadonlyMap<string, string> {
  const standing = new Map<string, string>();
  for (const message of working) {
    for (const block of message.content) {
      if (block.type !== 'context') continue;
      for (const [path, hash] of Object.entries(block.records)) standing.set(path, hash);
    }
  }
  return standing;
}
