// The tools a model can call, and running a call so that every failure becomes a result.

import { errorText } from '../base/log.ts';
import type { Caller } from './caller.ts';
import type { JsonSchema, ToolResultBlock, ToolUseBlock } from '../models/model.ts';

export interface Tool {
  /** As the model knows it, e.g. `read_file`. */
  readonly name: string;
  /** Written for the model: when to use it, its limits. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Changes nothing outside the agent. Read-only calls of one reply run together and need no confirmation. */
  readonly readOnly: boolean;
  /** It changes something, but what the person is told of and can undo, so that they need not be asked before. */
  readonly isUndoable?: true;
  /**
   * What a call would do to a file, for the question to the person; undefined of a tool that changes no certain file.
   * Throws what `run` would throw before it does anything, and changes nothing.
   */
  preview?(input: unknown, signal: AbortSignal, caller?: Caller): Promise<FileChange | undefined>;
  /** Whether this one call only reads, although the tool can do more. Never throws. */
  onlyReads?(input: unknown): Promise<boolean>;
  /**
   * Runs one call and returns text for the model. `input` is unchecked: the tool parses it. `caller` is left out when
   * another extension calls. Throws when the call failed; the message tells the model what to do next.
   */
  run(input: unknown, signal: AbortSignal, caller?: Caller): Promise<string>;
}

export interface FileChange {
  /** As results name the file. */
  readonly shown: string;
  /** Undefined for a file that is not there yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** The person has edits to the file that are not saved; the change saves them with it. */
  readonly savesEdits: boolean;
}

export const CANCELLED_RESULT = 'Cancelled by the user before this call finished.';
export const DECLINED_RESULT =
  'The user declined this call. Do not repeat it; ask what they would like instead.';

/** Runs one call. Never throws: a failed, unknown or cancelled call is a result marked `is_error`. */
export async function runToolCall(
  tools: readonly Tool[],
  call: ToolUseBlock,
  signal: AbortSignal,
  caller?: Caller,
): Promise<ToolResultBlock> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    return toolResult(
      call,
      `There is no tool named "${call.name}". The tools are: ${names}.`,
      true,
    );
  }
  if (signal.aborted) return toolResult(call, CANCELLED_RESULT, true);
  try {
    return toolResult(call, await tool.run(call.input, signal, caller), false);
  } catch (error) {
    return toolResult(call, signal.aborted ? CANCELLED_RESULT : errorText(error), true);
  }
}

/** The result of a call. The API refuses empty texts and half characters, so neither stands in it. */
export function toolResult(call: ToolUseBlock, text: string, isError: boolean): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: [{ type: 'text', text: text.trim() === '' ? '(no output)' : text.toWellFormed() }],
    is_error: isError,
  };
}
