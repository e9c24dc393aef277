// The transcript of one session: JSON lines, one a message, that only ever grow. What is in it is read from the
// file itself, since other windows write to it and a person may delete it at any time.

import { readBytesNow } from '../base/files.ts';
import { parseJson } from '../base/parseJson.ts';
import { appendNow, createFileNow, plainFileNow } from '../base/writeNow.ts';
import {
  isJsonObject,
  type AssistantBlock,
  type Message,
  type UserBlock,
} from '../models/model.ts';

/** A message of a session's log, by an id that no other has. */
export interface LoggedMessage {
  readonly id: string;
  readonly message: Message;
}

export class TranscriptFile {
  readonly #file: string;
  /** Of the messages in it, as long as it has the size that it was left with. */
  readonly #ids = new Set<string>();
  #size = 0;
  /** A crash, or a full disk, cut off its last line. */
  #isTorn = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Adds the messages that are not in it, in one write; nothing else of this process can come in between. */
  append(log: readonly LoggedMessage[]): void {
    const look = plainFileNow(this.#file);
    if ((look?.size ?? 0) !== this.#size) this.#read(look ? readBytesNow(this.#file) : undefined);
    const lines = new Map<string, string>();
    for (const { id, message } of log) if (!this.#ids.has(id)) lines.set(id, lineOf(id, message));
    if (look && lines.size === 0) return;
    const bytes = Buffer.from((this.#isTorn ? '\n' : '') + [...lines.values()].join(''));
    if (look) appendNow(this.#file, bytes);
    // Another window has made it since.
    else if (!createFileNow(this.#file, bytes)) return this.append(log);
    for (const id of lines.keys()) this.#ids.add(id);
    this.#size += bytes.length;
    this.#isTorn = false;
  }

  #read(bytes: Buffer = Buffer.alloc(0)): void {
    const text = bytes.toString();
    this.#ids.clear();
    for (const line of text.split('\n')) {
      const value = parseJson(line);
      if (isJsonObject(value) && typeof value['id'] === 'string') this.#ids.add(value['id']);
    }
    this.#size = bytes.length;
    this.#isTorn = text !== '' && !text.endsWith('\n');
  }
}

type Block = UserBlock | AssistantBlock;

/** Verbatim but for what a turn added for the model, which a log does not hold. */
function lineOf(id: string, { role, content }: Message): string {
  const blocks: readonly Block[] = content;
  // Hardly ever is there anything to leave out, and a copy of each list takes as long as all the rest.
  const said = blocks.some(isAdded) ? blocks.flatMap(withoutAdded) : blocks;
  return `${JSON.stringify({ id, role, content: said })}\n`;
}

function isAdded(block: Block): boolean {
  return block.type === 'context' || (block.type === 'tool_result' && block.archived !== undefined);
}

function withoutAdded(block: Block): Block[] {
  if (block.type === 'context') return [];
  if (block.type !== 'tool_result') return [block];
  const { type, tool_use_id, content, is_error } = block;
  return [{ type, tool_use_id, content, is_error }];
}
