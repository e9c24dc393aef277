// All memories that count in a window: those of each workspace folder, and the personal ones, which belong to the
// person and to no repository. A record is changed in the store that it lies in.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { joinedSentences, sentence, SentenceError, sentenceOf } from '../base/sentence.ts';
import type { Change, NewChange, RevisedChange } from './change.ts';
import type { ChangeGroup } from './folder/journal.ts';
import type { MemoryRecord, NewRecord, RecordChanges } from './record.ts';
import type { MemoryList } from './folder/recordCache.ts';
import type { MemoryStore } from './store.ts';

export interface Scope {
  readonly kind: 'workspace' | 'personal';
  /** Of the workspace folder; empty for the personal one. */
  readonly name: string;
  readonly store: MemoryStore;
}

export class MemoryScopes {
  readonly #personal: Scope;
  readonly #activeFolder: () => string | undefined;
  readonly #listeners = new Set<() => void>();
  #workspace: readonly Scope[] = [];
  #unsubscribe: readonly (() => void)[];

  constructor(options: {
    readonly personal: MemoryStore;
    /** The `.memory` folder of the workspace folder that the person works in just now, by its absolute path. */
    readonly activeFolder?: () => string | undefined;
  }) {
    this.#personal = { kind: 'personal', name: '', store: options.personal };
    this.#activeFolder = options.activeFolder ?? (() => undefined);
    this.#unsubscribe = this.#subscribe();
  }

  /** Those of the workspace first, in the order of its folders; the personal one last. */
  get all(): readonly Scope[] {
    return [...this.#workspace, this.#personal];
  }

  get workspace(): readonly Scope[] {
    return this.#workspace;
  }

  get personal(): Scope {
    return this.#personal;
  }

  /** Where a new record goes: to the folder that the person works in, and without one to the personal memories. */
  get home(): Scope {
    const active = this.#activeFolder();
    const [first = this.#personal] = this.#workspace;
    return this.#workspace.find(({ store }) => store.folder === active) ?? first;
  }

  /** The folders of the workspace have changed. */
  setWorkspace(scopes: readonly Scope[]): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#workspace = scopes;
    this.#unsubscribe = this.#subscribe();
    this.#tell();
  }

  /** The memories of all scopes as they stand on disk now, in the order of `all`. */
  async list(): Promise<MemoryList> {
    const lists = await Promise.all(this.all.map(({ store }) => store.list()));
    return {
      records: lists.flatMap(({ records }) => records),
      damaged: lists.flatMap(({ damaged }) => damaged),
    };
  }

  /** Of a record or a damaged one, by where it lies. */
  scopeOf(located: { readonly path: string }): Scope | undefined {
    const folder = path.dirname(located.path);
    return this.all.find(({ store }) => store.folder === folder);
  }

  /** Of a record or a damaged one, by where it lies. Throws when that is open no more. */
  storeOf(record: { readonly file: string; readonly path: string }): MemoryStore {
    const scope = this.scopeOf(record);
    if (scope) return scope.store;
    throw new SentenceError(sentence`${record.file} belongs to a folder that is no longer open.`);
  }

  create(record: NewRecord): Promise<NewChange> {
    return this.home.store.create(record);
  }

  /** Changes with the same `group` are undone as one. */
  async update(
    record: MemoryRecord,
    changes: RecordChanges,
    group?: string,
  ): Promise<RevisedChange> {
    return this.storeOf(record).update(record, changes, group);
  }

  async remove(record: MemoryRecord, reason: string): Promise<Change> {
    return this.storeOf(record).remove(record, reason);
  }

  async undo(change: Change): Promise<void> {
    return this.storeOf(change.record).undo(change);
  }

  /** Moves a record to another scope, byte for byte, as one change to undo. Throws StaleRecordError. */
  async move(
    record: MemoryRecord,
    to: Scope,
    group: string = randomUUID(),
  ): Promise<readonly [Change, Change]> {
    const from = this.storeOf(record);
    const added = await to.store.adopt(record, await from.read(record), group);
    try {
      return [added, await from.remove(record, 'moved', group)];
    } catch (error) {
      // It stays where it was, once.
      await to.store.abandon(added);
      throw error;
    }
  }

  /** What was changed last in any scope and is not undone, but for some. */
  async lastChange(passedOver: ReadonlySet<string> = new Set()): Promise<ChangeGroup | undefined> {
    const lasts = await Promise.all(this.all.map(({ store }) => store.lastGroup(passedOver)));
    const last = latest(lasts);
    if (!last) return undefined;
    const parts = await this.#partsOf(last.id);
    return isHalf(parts)
      ? this.lastChange(new Set([...passedOver, last.id]))
      : { ...last, steps: parts.flatMap(({ part }) => part.steps) };
  }

  /** What the last consolidation changed, in whatever window, as far as it is not undone. */
  async lastConsolidation(): Promise<ChangeGroup | undefined> {
    const lasts = await Promise.all(this.all.map(({ store }) => store.consolidations.last()));
    const last = latest(lasts);
    if (!last) return undefined;
    const parts = await this.#partsOf(last.id);
    return { ...last, steps: parts.flatMap(({ part }) => part.steps) };
  }

  /** Takes back as much of a change as is still as it was, in all scopes. Throws naming the rest. */
  async undoChange({ id }: Pick<ChangeGroup, 'id'>): Promise<void> {
    // In the order against that of `move`: what was removed comes back before its copy goes.
    const parts = (await this.#partsOf(id))
      .filter(({ part }) => part.steps.length > 0)
      .toSorted((a, b) => copies(a.part) - copies(b.part));
    const failures: unknown[] = [];
    for (const { store, part } of parts) {
      // Where something did not come back, the copies that were made of it are all there is.
      const steps = part.steps.filter(({ moved }) => !moved || failures.length === 0);
      await store.undoGroup({ ...part, steps }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new SentenceError(joinedSentences(failures.map(sentenceOf)));
  }

  /** Reads what changed outside, in every scope. */
  async refresh(): Promise<void> {
    await Promise.all(this.all.map(({ store }) => store.refresh()));
  }

  /** Returns the function that unsubscribes. A listener is called after each change in any scope. */
  onDidChange(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async #partsOf(id: string): Promise<readonly Part[]> {
    const parts: Part[] = [];
    for (const { store } of this.all) {
      const part = await store.changeGroup(id);
      if (part) parts.push({ store, part });
    }
    return parts;
  }

  #subscribe(): readonly (() => void)[] {
    return this.all.map(({ store }) => store.onDidChange(() => this.#tell()));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What a store did of a group. */
interface Part {
  readonly store: MemoryStore;
  readonly part: ChangeGroup;
}

/** A record came from a folder that is open in another window: taken away here, it would be nowhere. */
function isHalf(parts: readonly Part[]): boolean {
  return parts.length === 1 && parts.some(({ part }) => part.steps.some(({ moved }) => moved));
}

function latest(groups: readonly (ChangeGroup | undefined)[]): ChangeGroup | undefined {
  return groups
    .filter((group) => group !== undefined)
    .reduce<ChangeGroup | undefined>(
      (latest, group) => (latest && latest.at >= group.at ? latest : group),
      undefined,
    );
}

/** How many files were new. */
function copies({ steps }: ChangeGroup): number {
  return steps.filter(({ before }) => before === undefined).length;
}
