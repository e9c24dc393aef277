// Which rows the person has opened and closed, kept for the workspace: VS Code forgets it with the window.
// No 'vscode' import.

/** In the workspace's state: row id to whether it is open. */
const KEY = 'memoryAgent.openRows';

/** Rows of folders that are long gone are dropped; each folder of a workspace has six at most. */
const MAX_ROWS = 200;

/** A memento of VS Code. */
interface Kept {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export class OpenRows {
  readonly #memento: Kept | undefined;
  /** The newest last. */
  readonly #isOpen: Map<string, boolean>;

  /** Without a place to keep it nothing outlives the window. */
  constructor(memento?: Kept) {
    this.#memento = memento;
    this.#isOpen = new Map(entriesOf(memento?.get(KEY)));
  }

  /** Undefined where the person has done neither. */
  isOpen(id: string): boolean | undefined {
    return this.#isOpen.get(id);
  }

  async keep(id: string, isOpen: boolean): Promise<void> {
    if (this.#isOpen.get(id) === isOpen) return;
    this.#isOpen.delete(id);
    this.#isOpen.set(id, isOpen);
    const kept = [...this.#isOpen].slice(-MAX_ROWS);
    await this.#memento?.update(KEY, Object.fromEntries(kept));
  }
}

function entriesOf(stored: unknown): readonly (readonly [string, boolean])[] {
  if (typeof stored !== 'object' || stored === null) return [];
  return Object.entries(stored).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
}
