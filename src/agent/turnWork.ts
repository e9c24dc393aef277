// What a turn did with its tools. It stays when the turn is left out of the conversation since a model refused it, so
// the next one is told of it.

import { controlText, type ContextBlock, type Message } from '../models/model.ts';
import { ChangedFiles } from './changedFiles.ts';
import { printable } from './tools/places/pathProblem.ts';

export interface TurnWork {
  /** Those that it wrote. */
  readonly files: readonly string[];
}

/** Undefined when no tool was run. */
export function workIn(messages: readonly Message[]): TurnWork | undefined {
  const hasResults = messages.some(({ content }) =>
    content.some((block) => block.type === 'tool_result'),
  );
  return hasResults ? { files: new ChangedFiles().in(messages) } : undefined;
}

/** For the model, in front of a request. */
export function leftOutNote(files: readonly string[] = []): readonly ContextBlock[] {
  if (files.length === 0) return [];
  const note = `A request before this one is left out of this conversation, since it could not be answered. Files were written for it, which stay as they are: ${files.map(printable).join(', ')}. Read them again before you change them.`;
  return [controlText(note)];
}
