// A task that the model gives to a sub-agent: a conversation of its own, with its own window and budget, of which
// only the answer comes back. It is no session of the person's: nothing in it is their words, so it is neither
// learned from nor found by a search, and only its transcript is kept.

import { AtMost } from '../../base/atMost.ts';
import { controlText, userText } from '../../models/model.ts';
import type { SessionTurn } from '../../sessions/session.ts';
import { SessionStore } from '../../sessions/sessionStore.ts';
import type { Caller, RunTask, Task } from '../caller.ts';
import { ContextWindow } from '../contextWindow.ts';
import type { Emit } from '../events.ts';
import { runLoop } from '../loop.ts';
import { SeenFiles } from '../seenFiles.ts';
import type { SessionDeps, SessionRequest } from '../sessionDeps.ts';
import { taskPrompt } from './taskPrompt.ts';
import { taskResult } from './taskResult.ts';
import { transcribed } from './taskTranscript.ts';
import { SAVE_TOOL } from '../tools/saveMemory.ts';
import { TASK_TOOL } from '../tools/task.ts';
import { TODO_TOOL } from '../tools/todoWrite.ts';

/** A search takes ten or twenty rounds. What takes more than this is no single task, and nobody watches it. */
const MAX_ROUNDS = 50;
/** More would soon meet the rate limits of a provider, and ask the person more than they can follow. */
const TASKS_AT_ONCE = 4;

/** Nobody lets a task go on, so what it found by then would be lost. */
const LAST_REPLY =
  'Your next reply is the last one, and you would not see what calls in it return. Answer now with what you have, and say what is left.';

const NOT_IN_TASKS: readonly string[] = [
  // Sub-agents of sub-agents would multiply, and nobody could follow them.
  TASK_TOOL,
  // The checklist is that of the conversation.
  TODO_TOOL,
  // The person has said nothing in a task.
  SAVE_TOOL,
];

interface TurnOfTasks extends SessionRequest {
  readonly maxRounds: number;
}

/** For the tasks of one turn, which pays for them. */
export function taskRunner(
  deps: SessionDeps,
  request: TurnOfTasks,
  { turn, emit }: { readonly turn: SessionTurn; readonly emit: Emit },
): RunTask {
  const places = new AtMost(TASKS_AT_ONCE);
  return (task, signal) => {
    const { title } = task;
    const emitInTask: Emit = (event) => emit({ type: 'inTask', title, event });
    return places.run(() => runTask(deps, request, { task, emit: emitInTask, turn }, signal));
  };
}

interface GivenTask {
  readonly task: Task;
  readonly emit: Emit;
  /** That gives it. */
  readonly turn: SessionTurn;
}

async function runTask(
  deps: SessionDeps,
  request: TurnOfTasks,
  { task, emit, turn: giving }: GivenTask,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const { compactor, archive, log, now } = deps;
  const { model, folders, compaction: settings, utilityModel: summariser } = request;
  const tools = request.tools.filter(({ name }) => !NOT_IN_TASKS.includes(name));
  const maxRounds = Math.min(MAX_ROUNDS, request.maxRounds);
  const begun = await new SessionStore().begin();
  const { turn: own, written } = await transcribed(
    begun,
    archive,
    userText(task.prompt.toWellFormed()),
  );
  const turn = toldOfItsEnd(paidBy(giving, own), maxRounds);
  const window = new ContextWindow({
    turn,
    model,
    tools,
    systemPrompt: async () => taskPrompt({ folders, platform: process.platform, tools, maxRounds }),
    compactor,
    settings,
    archive,
    summariser,
    beforeLeaving: async () => undefined,
    emit,
    log,
    now,
  });
  const caller: Caller = { seen: new SeenFiles(), emit, task: task.title };
  try {
    const outcome = await runLoop({ model, tools, turn, window, maxRounds, emit, caller }, signal);
    const ended = { outcome, isStopped: signal.aborted, messages: turn.log(), transcript: written };
    return await taskResult(ended, archive, log);
  } finally {
    turn.end();
    compactor.forget(turn.ref.sessionId);
    archive.closeTranscript(turn.ref.sessionId);
  }
}

function paidBy(giving: SessionTurn, turn: SessionTurn): SessionTurn {
  return {
    ...turn,
    answered(answer) {
      turn.answered(answer);
      giving.answeredAside(answer);
    },
  };
}

/** The model reads it, but nobody said it: the transcript does not hold it. */
function toldOfItsEnd(turn: SessionTurn, maxRounds: number): SessionTurn {
  return {
    ...turn,
    append(message, working) {
      turn.append(message, working);
      const isLast = repliesIn(turn) === maxRounds - 1;
      if (isLast && message.role === 'user')
        turn.appendWorking({ role: 'user', content: [controlText(LAST_REPLY)] });
    },
  };
}

function repliesIn(turn: SessionTurn): number {
  return turn.log().filter(({ role }) => role === 'assistant').length;
}
