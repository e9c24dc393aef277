// Writes to disk, verbatim, what leaves the working history, and names the place left in its stead. The name of a
// text is made from what it says, so that each is written once, ever, and no two share a name.
// What recall put in front of a request is not part of it: an archive holds what was said and done.

import path from 'node:path';
import type { Message } from '../models/model.ts';

interface ArchiveOptions {
  /** Absolute path. */
  readonly root: string;
  /** Relative ones hold when the workspace moves or is opened remotely; `root` must be its folder then. */
  readonly pointers: 'relative' | 'absolute';
}

/** A message of a session's log, by an id that no other has. */
export interface LoggedMessage {
  readonly id: string;
  readonly message: Message;
}

/** Archives below one folder. */
export class Archive {
  readonly #root: string;
  readonly #pointers: ArchiveOptions['pointers'];

  constructor(options: ArchiveOptions) {
    this.#root = options.root;
    this.#pointers = options.pointers;
  }

  /** How the model is told of an archived file. */
  pointer(file: string): string {
    if (this.#pointers === 'absolute') return file;
    return path.relative(this.#root, file).split(path.sep).join('/');
  }

  /** Adds to the session's one transcript what is not in it yet, as JSON lines. Returns the absolute path. */
  async saveTranscript(sessionId: string, log: readonly LoggedMessage[]): Promise<string> {
    throw new Error(`not built: ${sessionId} ${log.length} ${this.#root}`);
  }

  /** Saves a text that is cut out of a tool result or of a call's input. Returns the absolute path. */
  async saveText(text: string): Promise<string> {
    throw new Error(`not built: ${text.length}`);
  }
}
