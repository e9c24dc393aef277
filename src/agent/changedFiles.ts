// Which files the agent wrote in a session, from the log alone: no summary has to remember them.

import { toolCalls } from '../context/transcript.ts';
import type { Message } from '../models/model.ts';
import { EDIT_FILE } from './tools/editFile.ts';
import { WRITE_FILE } from './tools/writeFile.ts';

const WRITING_TOOLS: readonly string[] = [WRITE_FILE, EDIT_FILE];

/** Follows a log that only grows. */
export class ChangedFiles {
  readonly #paths = new Map<string, string>();
  readonly #files = new Set<string>();
  #looked = 0;

  /** As the tools name them, each once, the one written last at the end. */
  in(log: readonly Message[]): readonly string[] {
    for (; this.#looked < log.length; this.#looked++) {
      const message = log[this.#looked];
      if (message) this.#look(message);
    }
    return [...this.#files];
  }

  #look(message: Message): void {
    for (const { id, name, input } of toolCalls(message)) {
      const { path } = input;
      if (WRITING_TOOLS.includes(name) && typeof path === 'string') this.#paths.set(id, path);
    }
    if (message.role === 'assistant') return;
    for (const block of message.content) {
      if (block.type !== 'tool_result' || block.is_error) continue;
      const file = this.#paths.get(block.tool_use_id);
      if (file === undefined) continue;
      // A server may use an id again, for a call of another tool.
      this.#paths.delete(block.tool_use_id);
      this.#files.delete(file);
      this.#files.add(file);
    }
  }
}
