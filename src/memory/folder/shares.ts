// "Share with Git" and "Keep Private" as changes of a folder of memories: in their turn, and to be taken back like any
// other.

import { randomUUID } from 'node:crypto';
import type { Sharing } from '../change.ts';
import type { ChangeQueue, OpenChange } from './changeQueue.ts';
import { keepPrivate, shareWithGit } from './gitSharing.ts';

export class Shares {
  readonly #folder: string;
  readonly #queue: ChangeQueue;

  constructor({ folder, queue }: { readonly folder: string; readonly queue: ChangeQueue }) {
    this.#folder = folder;
    this.#queue = queue;
  }

  /** Changes with the same `group` are undone as one. */
  share(file: string, group: string): ReturnType<typeof shareWithGit> {
    return this.#queue.make(async (open) => {
      const result = await shareWithGit(this.#folder, file);
      if (result.isChanged) note(open, { shared: [file], hidden: [] });
      return result;
    }, group);
  }

  keepPrivate(file: string, group: string): ReturnType<typeof keepPrivate> {
    return this.#queue.make(async (open) => {
      const result = await keepPrivate(this.#folder, file);
      if (result.isChanged) note(open, { shared: [], hidden: [file] });
      return result;
    }, group);
  }
}

function note({ steps }: OpenChange, sharing: Sharing): void {
  steps.push({ id: randomUUID(), sharing });
}
