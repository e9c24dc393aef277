// Proposed memories that wait for the person's review: one Markdown file each in `.memory/.proposed`. What the person
// rejected is kept apart there, so that it is not proposed again.

import type { Fields } from './policy.ts';

/** What a memory is to become: new, or a new text in the place of an existing one. */
export interface NewProposal {
  readonly kind: 'add' | 'update';
  readonly fields: Fields;
  /** Of an update: the record, as it was when the update was proposed. */
  readonly target?: { readonly file: string; readonly hash: string };
  /** The words it rests on, and whose they are. */
  readonly quote: string;
  readonly from: 'person' | 'assistant';
}

export interface Proposal extends NewProposal {
  /** File name in the folder of proposals. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  /** ISO date on which it was proposed. */
  readonly at: string;
}

export class Proposals {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Those that wait, oldest first. */
  async list(): Promise<readonly Proposal[]> {
    return [];
  }

  /** Keeps those that are not waiting or rejected already; returns what was kept. */
  async add(_proposals: readonly NewProposal[]): Promise<readonly Proposal[]> {
    return [];
  }

  /** Of those that wait and those that were rejected: what need not be proposed again. */
  async known(): Promise<readonly Fields[]> {
    return [];
  }

  /** The person does not want it, now or later. */
  async reject(_proposal: Proposal): Promise<void> {}

  /** Takes back `reject`. */
  async takeBack(_proposal: Proposal): Promise<void> {}

  /** It became a memory, or is of no use any more. */
  async remove(_proposal: Proposal): Promise<void> {}

  /** Returns the function that unsubscribes. A listener is called after each change here, and must not throw. */
  onDidChange(_listener: () => void): () => void {
    return () => {};
  }
}
