// What is wrong with the memories in open editors, as they stand there, saved or not. The memories beside them are
// listed once and anew only after a store has changed, never for a key that is pressed.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { Neighbours } from '../../memory/check/neighbours.ts';
import type { RecordProblem } from '../../memory/check/problem.ts';
import { checkRecord } from '../../memory/check/recordCheck.ts';
import type { MemoryList } from '../../memory/folder/recordCache.ts';
import type { DamagedRecord, MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import type { MemoryStore } from '../../memory/store.ts';
import { scopeOfRecord } from './memoryDocuments.ts';

interface Listing {
  readonly neighbours: Neighbours;
  readonly damaged: readonly DamagedRecord[];
}

interface Checked {
  readonly version: number;
  readonly listing: Listing;
  readonly problems: readonly RecordProblem[];
}

export class OpenChecks {
  readonly #scopes: MemoryScopes;
  readonly #log: Log;
  readonly #listings = new Map<MemoryStore, Promise<Listing>>();
  readonly #checked = new WeakMap<vscode.TextDocument, Checked>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** The memories on disk are others, so all that was said of open ones may be wrong. */
  readonly onDidChange = this.#changed.event;
  readonly #unsubscribe: () => void;

  constructor(scopes: MemoryScopes, log: Log) {
    this.#scopes = scopes;
    this.#log = log;
    this.#unsubscribe = scopes.onDidChange(() => {
      this.#listings.clear();
      this.#changed.fire();
    });
  }

  /** Undefined for a document that is no memory. */
  async problemsOf(document: vscode.TextDocument): Promise<readonly RecordProblem[] | undefined> {
    const listing = await this.#listingFor(document);
    if (!listing) return undefined;
    const known = this.#checked.get(document);
    if (known?.version === document.version && known.listing === listing) return known.problems;
    const { version, uri } = document;
    const problems = checkRecord({
      path: uri.fsPath,
      text: document.getText(),
      neighbours: listing.neighbours,
      now: new Date(),
    });
    this.#checked.set(document, { version, listing, problems });
    return problems;
  }

  /** The memory that stands at the place of a document on disk, as it was last saved. */
  async savedRecord(document: vscode.TextDocument): Promise<MemoryRecord | undefined> {
    const listing = await this.#listingFor(document);
    return listing?.neighbours.records.find(({ path }) => path === document.uri.fsPath);
  }

  /** Why the file that was saved is no memory, where it is none. */
  async savedDamage(document: vscode.TextDocument): Promise<DamagedRecord | undefined> {
    const listing = await this.#listingFor(document);
    return listing?.damaged.find(({ path }) => path === document.uri.fsPath);
  }

  /** The other memories of the scope of a document; none for one that is no memory. */
  async othersThan(document: vscode.TextDocument): Promise<readonly MemoryRecord[]> {
    const listing = await this.#listingFor(document);
    return (listing?.neighbours.records ?? []).filter(({ path }) => path !== document.uri.fsPath);
  }

  isMemory(document: vscode.TextDocument): boolean {
    return scopeOfRecord(this.#scopes, document) !== undefined;
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
  }

  async #listingFor(document: vscode.TextDocument): Promise<Listing | undefined> {
    const scope = scopeOfRecord(this.#scopes, document);
    if (!scope) return undefined;
    const { store } = scope;
    const known = this.#listings.get(store) ?? this.#list(store);
    this.#listings.set(store, known);
    return known;
  }

  /** A folder that cannot be listed is told in the tree; what is wrong with a text itself is still told here. */
  async #list(store: MemoryStore): Promise<Listing> {
    let list: MemoryList = { records: [], damaged: [] };
    try {
      list = await store.list();
    } catch (error) {
      this.#log.warn(`[editing] The memories beside it cannot be listed: ${errorText(error)}`);
    }
    return { neighbours: new Neighbours(list.records), damaged: list.damaged };
  }
}
