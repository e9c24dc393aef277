// The agent's checklist. It stands in the call that wrote it, and what is to be done in it must not leave the history
// with that.

import { isDeepStrictEqual } from 'node:util';
import type { Message, ToolUseBlock } from '../models/model.ts';
import { toolCalls } from './transcript.ts';

export interface OpenTodos {
  /** The call that wrote it. */
  readonly call: ToolUseBlock;
  /** Of the calls up to that one: of two notes in a history the one with more holds. */
  readonly count: number;
  /** All of the list, each step with its status; none when nothing is to be done any more. */
  readonly lines: readonly string[];
}

/** Lines that tell of it; none while its call stands in what is kept. */
export function openTodoLines(
  { call, count, lines }: OpenTodos,
  kept: readonly Message[],
): readonly string[] {
  const stands = kept.flatMap(toolCalls).some(
    // A list that came in quotes is one long text, which may have been shortened.
    (other) =>
      other.id === call.id &&
      other.name === call.name &&
      isDeepStrictEqual(other.input, call.input),
  );
  if (stands) return [];
  // An older note may stand in a summary that is kept.
  if (lines.length === 0)
    return [`Call ${count} of ${call.name} left nothing open in your checklist.`];
  const heading = `Your checklist as call ${count} of ${call.name} left it; a later call takes its place:`;
  return [heading, ...lines.map((line) => `- ${line}`)];
}
