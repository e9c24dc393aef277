// Which text of a file a conversation has seen, so that no edit is made to one that has changed since: by the person,
// by a command, by another window. Lives as long as the window.

import { createHash } from 'node:crypto';

/** A file as the tools know it, links resolved, and all of its text. */
export interface WholeFile {
  readonly real: string;
  readonly text: string;
}

/** Conversations kept in mind; older ones read again before they write. */
const MOST_SESSIONS = 100;

export class SeenFiles {
  readonly #hashes = new Map<string, string>();

  /** The conversation was shown, or itself wrote, this text of a file. */
  note(absolute: string, text: string): void {
    this.#hashes.set(absolute, hashOf(text));
  }

  /** How a text stands to what was seen of the file. */
  compare(absolute: string, text: string): 'unseen' | 'same' | 'changed' {
    const seen = this.#hashes.get(absolute);
    if (seen === undefined) return 'unseen';
    return seen === hashOf(text) ? 'same' : 'changed';
  }
}

/** Of all conversations of a window. */
export class SeenFilesOfSessions {
  readonly #sessions = new Map<string, SeenFiles>();

  of(sessionId: string): SeenFiles {
    const seen = this.#sessions.get(sessionId) ?? new SeenFiles();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, seen);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return seen;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
