// When a session is learned from: after each turn, whatever became of it, and before something leaves its history.

import type { SessionTurn } from '../../sessions/session.ts';
import type { Learned } from './learned.ts';
import type { LearningRequest, OpenMemory } from './learning.ts';
import type { SessionDeps, SessionRequest } from '../sessionDeps.ts';

interface TurnToLearn extends SessionRequest {
  readonly onLearningStep?: NonNullable<LearningRequest['onStep']>;
}

/** Where nothing is to be learned, what was said is not looked at later either, when it is switched on. */
export function forgoLearning(deps: SessionDeps, request: TurnToLearn, turn: SessionTurn): void {
  if (!meansOf(deps, request)) turn.markLearned();
}

/** Ends after the turn, in the background, and never rejects. Undefined when nothing is to be learned. */
export function learnFromTurn(
  deps: SessionDeps,
  request: TurnToLearn,
  turn: SessionTurn,
): Promise<Learned> | undefined {
  const means = meansOf(deps, request);
  if (means) return means.learning.learn({ ...means.request, turn });
  turn.markLearned();
  // What an earlier turn left over was said when it was on, and is not to be sent any more.
  if (request.extraction === 'off') void deps.memory?.learning.forgo();
  return undefined;
}

/** For what awaits it before a compaction. Never rejects. */
export async function learnBeforeLeaving(
  deps: SessionDeps,
  request: TurnToLearn,
  turn: SessionTurn,
  signal: AbortSignal,
): Promise<void> {
  const means = meansOf(deps, request);
  await means?.learning.lookBeforeLeaving({ ...means.request, turn }, signal);
}

/** Undefined when nothing is saved unasked: without a folder, personal memories are what the person puts there. */
function meansOf(
  { memory }: SessionDeps,
  { extraction, utilityModel, onLearningStep }: TurnToLearn,
):
  (Pick<OpenMemory, 'learning'> & { readonly request: Omit<LearningRequest, 'turn'> }) | undefined {
  if (!memory?.scopes.workspace.length || extraction === 'off') return undefined;
  const request = {
    model: utilityModel,
    mode: extraction,
    ...(onLearningStep ? { onStep: onLearningStep } : {}),
  };
  return { learning: memory.learning, request };
}
