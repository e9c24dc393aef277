// What comes back of a sub-agent's work: its answer, or how far it came, the files it wrote, and where its whole
// course can be looked up.

import { errorText, type Log } from '../../base/log.ts';
import type { Archive } from '../../context/archive.ts';
import { messageText, type Message } from '../../models/model.ts';
import { ChangedFiles } from '../changedFiles.ts';
import type { Outcome } from '../loop.ts';
import { printable } from '../tools/places/pathProblem.ts';

/** About 5,000 tokens: a task is given away so that little of it comes back. */
const LONGEST_ANSWER = 20_000;
/** Of work that has no answer: enough to see how far it came. */
const LONGEST_LAST_WORDS = 4_000;
/** More are in the transcript. */
const MAX_FILES = 50;

const LOOK_FIRST = 'Look at what was done before you go on.';
const GO_ON = 'Then give what is left as a smaller task, or do it yourself.';

interface EndedTask {
  readonly outcome: Outcome;
  /** By the person, with the turn that gave it. */
  readonly isStopped: boolean;
  readonly messages: readonly Message[];
  /** The absolute path of the transcript. Rejects when it could not be written. */
  readonly transcript: () => Promise<string>;
}

/**
 * Throws what is told of a task that was not brought to its end. Not so of one that was stopped: of a call that fails
 * then, nothing but that is told, and what the task had done by then would not be known.
 */
export async function taskResult(task: EndedTask, archive: Archive, log: Log): Promise<string> {
  const { outcome, isStopped, messages } = task;
  const notes = [...filesNote(messages), await courseNote(task, archive, log)].join(' ');
  if (outcome.kind !== 'completed') {
    const why = isStopped ? 'it was stopped by the user.' : reason(outcome);
    const course = [
      `The task was not brought to its end: ${why}`,
      ...lastWordsNote(messages),
      `[${notes}]`,
    ];
    if (isStopped) return [...course, LOOK_FIRST].join('\n\n');
    throw new Error([...course, `${LOOK_FIRST} ${GO_ON}`].join('\n\n'));
  }
  const answer = finalWords(messages);
  if (answer.length <= LONGEST_ANSWER) return `${answer}\n\n[${notes}]`;
  const cut = `Cut here, after ${LONGEST_ANSWER} of ${answer.length} characters.`;
  return `${answer.slice(0, LONGEST_ANSWER)}\n\n[${cut} ${notes}]`;
}

/** The work was done all the same when its course could not be written. */
async function courseNote({ transcript }: EndedTask, archive: Archive, log: Log): Promise<string> {
  try {
    return `Its whole course is in ${archive.pointer(await transcript())}.`;
  } catch (error) {
    log.error(`[task] ${errorText(error)}`);
    return `Its course could not be archived: ${errorText(error)}`;
  }
}

function reason(outcome: Exclude<Outcome, { kind: 'completed' }>): string {
  switch (outcome.kind) {
    case 'roundLimit':
      return `it used all of its ${outcome.rounds} replies.`;
    case 'failed':
      return outcome.error.message;
    case 'cancelled':
      return 'its model stopped.';
  }
}

/** All replies behind the last results: one that was cut at the output limit goes on in the next. */
function finalWords(messages: readonly Message[]): string {
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  return messages.slice(start).map(messageText).join('').trim();
}

function lastWordsNote(messages: readonly Message[]): readonly string[] {
  const spoken = messages.filter(({ role }) => role === 'assistant').map(messageText);
  const words = spoken.findLast((text) => text.trim() !== '')?.trim();
  if (words === undefined) return [];
  const shown = words.length > LONGEST_LAST_WORDS ? `…${words.slice(-LONGEST_LAST_WORDS)}` : words;
  return [`Its last words:\n${shown}`];
}

/** By its tools for files; what its commands wrote nobody counts. */
function filesNote(messages: readonly Message[]): readonly string[] {
  const files = new ChangedFiles().in(messages).map(printable);
  if (files.length === 0) return [];
  const left = files.length - MAX_FILES;
  const more = left > 0 ? ` and ${left} more` : '';
  return [`Files that it wrote: ${files.slice(-MAX_FILES).join(', ')}${more}.`];
}
