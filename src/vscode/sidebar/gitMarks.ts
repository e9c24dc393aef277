// Which memories git takes, for their marks in the tree. Git is asked once after each change, and never waited for
// long: rows come without new marks then, and the marks follow.

import { setTimeout } from 'node:timers/promises';
import { errorText, type Log } from '../../base/log.ts';
import type { MemoryList } from '../../memory/folder/recordCache.ts';
import type { Scope } from '../../memory/scopes.ts';
import type { ScopeListing } from './memoryNodes.ts';

/** Not noticed when a tree opens; git usually takes a tenth of it. */
const PATIENCE_MS = 100;

interface GitMarksOptions {
  /** Those of the files in the folder that git takes. */
  readonly ask: (folder: string, files: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Git has answered after rows were made without its answer. */
  readonly onLate: () => void;
  readonly log: Log;
}

export class GitMarks {
  readonly #options: GitMarksOptions;
  /** By folder of the memories: what git said last. */
  readonly #known = new Map<string, ReadonlySet<string>>();
  #isOutdated = true;
  #asking: Promise<void> | undefined;
  #isAwaited = false;

  constructor(options: GitMarksOptions) {
    this.#options = options;
  }

  /** Something has changed: git is asked anew when the marks are next needed. */
  outdate(): void {
    this.#isOutdated = true;
  }

  async mark(
    listings: readonly { readonly scope: Scope; readonly list: MemoryList }[],
  ): Promise<readonly ScopeListing[]> {
    // When git is at it already, the late answer asks anew.
    if (this.#isOutdated && !this.#asking) {
      this.#isOutdated = false;
      this.#asking = this.#askAbout(listings).finally(() => (this.#asking = undefined));
    }
    if (this.#asking) await this.#beforePatienceEnds(this.#asking);
    return listings.map(({ scope, list }) => ({
      scope,
      list,
      shared: this.#known.get(scope.store.folder) ?? new Set(),
    }));
  }

  async #beforePatienceEnds(answer: Promise<void>): Promise<void> {
    const isLate = await Promise.race([
      answer.then(() => false),
      setTimeout(PATIENCE_MS, true, { ref: false }),
    ]);
    if (!isLate || this.#isAwaited) return;
    this.#isAwaited = true;
    void answer.then(() => {
      this.#isAwaited = false;
      this.#options.onLate();
    });
  }

  /** Never rejects: a mark is no reason to show nothing. */
  async #askAbout(
    listings: readonly { readonly scope: Scope; readonly list: MemoryList }[],
  ): Promise<void> {
    const { ask, log } = this.#options;
    const inGit = listings.filter(
      ({ scope, list }) => scope.kind === 'workspace' && list.records.length > 0,
    );
    await Promise.all(
      inGit.map(async ({ scope: { store }, list }) => {
        try {
          const files = list.records.map(({ file }) => file);
          this.#known.set(store.folder, await ask(store.folder, files));
        } catch (error) {
          log.warn(`[tree] Which memories Git takes is not known: ${errorText(error)}`);
        }
      }),
    );
  }
}
