// Writes to disk, verbatim, what leaves the working history, and names the place left in its stead.
// What recall put in front of a request is not part of it: an archive holds what was said and done.

import path from 'node:path';
import { makePrivateFolder, writeFileAtomically } from '../base/files.ts';
import { ignoreInGit } from '../base/ignoredFolder.ts';
import type { Message } from '../models/model.ts';

const TRANSCRIPTS = '.transcripts';
const TOOL_RESULTS = path.join('.task_outputs', 'tool-results');

interface ArchiveOptions {
  /** Absolute path. */
  readonly root: string;
  /** Relative ones hold when the workspace moves or is opened remotely; `root` must be its folder then. */
  readonly pointers: 'relative' | 'absolute';
  readonly newId: () => string;
}

/** Archives below one folder. Every file is written once, under a name that no other has. */
export class Archive {
  readonly #root: string;
  readonly #pointers: ArchiveOptions['pointers'];
  readonly #newId: () => string;

  constructor(options: ArchiveOptions) {
    this.#root = options.root;
    this.#pointers = options.pointers;
    this.#newId = options.newId;
  }

  /** How the model is told of an archived file. */
  pointer(file: string): string {
    if (this.#pointers === 'absolute') return file;
    return path.relative(this.#root, file).split(path.sep).join('/');
  }

  /** Saves messages as JSON lines. Returns the absolute path. */
  async saveTranscript(messages: readonly Message[]): Promise<string> {
    const lines = messages.map((message) => JSON.stringify(withoutContext(message)) + '\n');
    return this.#save(TRANSCRIPTS, `${this.#newId()}.jsonl`, lines.join(''));
  }

  /** Saves the full text of one tool result. Returns the absolute path. */
  async saveToolResult(text: string): Promise<string> {
    return this.#save(TOOL_RESULTS, `${this.#newId()}.txt`, text);
  }

  async #save(folder: string, name: string, text: string): Promise<string> {
    const absolute = path.join(this.#root, folder);
    await makePrivateFolder(absolute);
    // Archives hold whatever tools printed, so they must not end in a commit.
    await ignoreInGit(path.join(this.#root, folder.split(path.sep)[0] ?? folder));
    const file = path.join(absolute, name);
    await writeFileAtomically(file, text);
    return file;
  }
}

function withoutContext(message: Message): Message {
  if (message.role === 'assistant') return message;
  return { role: 'user', content: message.content.filter((block) => block.type !== 'context') };
}
