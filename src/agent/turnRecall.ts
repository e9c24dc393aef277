// The records that a turn begins with: chosen for its request, and told to the model in front of it.

import { errorText } from '../base/log.ts';
import { recallDialogue, recallMemories, unexpired } from '../memory/recall/recall.ts';
import { recallContext, recallNews } from '../memory/recall/recallContext.ts';
import { recallReceipt } from '../memory/recall/recallReceipt.ts';
import { reviewRecall, type ApproveRecall } from '../memory/recall/recallReview.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { ModelError, type ContextBlock, type Message } from '../models/model.ts';
import type { SessionTurn } from '../sessions/session.ts';
import type { Emit } from './events.ts';
import { scopeNames } from './scopeNames.ts';
import type { Listing, SessionDeps, SessionRequest } from './sessionDeps.ts';

interface RecallHistory {
  readonly turn: SessionTurn;
  readonly log: readonly Message[];
  readonly records: Listing;
}

/** Chooses records for the request and returns the block that stands in front of it. Never fails a turn. */
export async function recallForTurn(
  deps: SessionDeps,
  request: SessionRequest,
  history: RecallHistory,
  emit: Emit,
  signal: AbortSignal,
): Promise<ContextBlock | undefined> {
  if (!deps.memory || request.recall === 'off') return undefined;
  try {
    return await recallFrom(deps.memory.scopes, { deps, request, history, emit }, signal);
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cancelled')) {
      deps.log.error(`[recall] ${errorText(error)}`);
    }
    return undefined;
  }
}

async function recallFrom(
  scopes: MemoryScopes,
  given: {
    readonly deps: SessionDeps;
    readonly request: SessionRequest;
    readonly history: RecallHistory;
    readonly emit: Emit;
  },
  signal: AbortSignal,
): Promise<ContextBlock | undefined> {
  const { deps, request, history, emit } = given;
  const { lateAnswers, approveRecall: approve = approveNothing } = request;
  const isReviewed = request.recall === 'review';
  const now = deps.now();
  const records = unexpired(await history.records(), now);
  const dialogue = recallDialogue(history.log);
  // Words decide: the catalogue for a model would be sent before the person has seen any of it.
  const model = isReviewed ? undefined : request.utilityModel;
  const chosen = await recallMemories(
    { records, dialogue, model, lateAnswers, log: deps.log },
    signal,
  );
  const standing = standingRecords(history.turn.working());
  const { recall, existing } = isReviewed
    ? await reviewRecall({ recall: chosen, existing: records, standing, approve }, signal)
    : { recall: chosen, existing: records };

  const { recalled } = recall;
  const told = { folder: request.folders[0], scopeOf: scopeNames(scopes), now };
  // A name is not sent unseen either.
  const leftOut = isReviewed ? [] : recall.leftOut;
  const block = recallContext({ ...told, recalled, leftOut, standing, existing });
  if (recall.total > 0) {
    const { changed } = recallNews({ recalled, standing, existing });
    const late = { lateAnswers: lateAnswers?.count ?? 0 };
    const receipt = recallReceipt({ ...told, ...late, recall, changed, standing, block });
    emit({ type: 'recalled', receipt });
  }
  return block;
}

/** Without a way to ask the person nothing is sent. */
const approveNothing: ApproveRecall = async () => [];

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
