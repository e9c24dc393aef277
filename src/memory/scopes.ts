// All memories that count in a window: those of each workspace folder, and the personal ones, which belong to the
// person and to no repository. A record is changed in the store that it lies in.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { OnProgress, Settled } from '../base/atMost.ts';
import { sentence, SentenceError, throwAny } from '../base/sentence.ts';
import { AlreadyUndoneError } from './change.ts';
import type { Change, NewChange, RemovedChange, RevisedChange } from './change.ts';
import type { ChangeGroup } from './folder/journal.ts';
import type { MemoryRecord, NewRecord, RecordChanges } from './record.ts';
import type { MemoryList } from './folder/recordCache.ts';
import { moveBetween, stepElsewhere, takeBackParts, type Part } from './moves.ts';
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
    throw notOpen(record);
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

  /** Moves a record to another scope, byte for byte, as one change to undo. Throws StaleRecordError. */
  async move(
    record: MemoryRecord,
    to: Scope,
    group: string = randomUUID(),
  ): Promise<readonly [NewChange, RemovedChange]> {
    const { done, failures } = await this.moveAll([record], to, group);
    const [move] = done;
    if (!move) throw failures[0]?.error;
    return move;
  }

  /** Of several, those that cannot be changed stay as they are, and do not hold up the others. */
  updateAll(records: readonly MemoryRecord[], changes: RecordChanges, group: string) {
    return this.#inEach(records, ({ several }, some) => several.update(some, changes, group));
  }

  removeAll(records: readonly MemoryRecord[], reason: string, group: string) {
    return this.#inEach(records, ({ several }, some) => several.remove(some, reason, group));
  }

  moveAll(records: readonly MemoryRecord[], { store: to }: Scope, group: string) {
    return this.#inEach(records, (from, some) => moveBetween(from, to, some, group));
  }

  /** What was changed last in any scope and is not undone, but for some. */
  async lastChange(passedOver: ReadonlySet<string> = new Set()): Promise<ChangeGroup | undefined> {
    const lasts = await Promise.all(this.all.map(({ store }) => store.lastGroup(passedOver)));
    const last = latest(lasts);
    if (!last) return undefined;
    const parts = await this.#partsOf(last.id);
    return stepElsewhere(parts)
      ? this.lastChange(new Set([...passedOver, last.id]))
      : { ...last, steps: parts.flatMap(({ steps }) => steps) };
  }

  /** What the last consolidation changed, in whatever window, as far as it is not undone. */
  async lastConsolidation(): Promise<ChangeGroup | undefined> {
    const lasts = await Promise.all(this.all.map(({ store }) => store.consolidations.last()));
    const last = latest(lasts);
    if (!last) return undefined;
    const parts = await this.#partsOf(last.id);
    return { ...last, steps: parts.flatMap(({ steps }) => steps) };
  }

  /**
   * Takes back as much of a change as is still as it was, in all scopes. Throws naming the rest, and AlreadyUndoneError
   * when nothing was left to take back.
   */
  async undoChange({ id }: Pick<ChangeGroup, 'id'>, onProgress?: OnProgress): Promise<void> {
    const parts = await this.#partsOf(id);
    if (parts.length === 0)
      throw new SentenceError(
        sentence`It cannot be undone here any more: its folder is not open, or the trash was emptied.`,
      );
    if (parts.every(({ steps }) => steps.length === 0))
      throw new AlreadyUndoneError(sentence`It is already undone.`);
    const elsewhere = stepElsewhere(parts);
    if (elsewhere)
      throw new SentenceError(
        sentence`${(elsewhere.after ?? elsewhere.before)?.file ?? ''} was moved to or from a folder that is not open here. Open that folder too, then undo it.`,
      );
    throwAny((await takeBackParts(parts, onProgress)).map(({ error }) => error));
  }

  /** Takes changes back, and gives those that stay as they are, with why. */
  async undoAll(
    changes: readonly Change[],
    onProgress?: OnProgress,
  ): Promise<readonly { readonly change: Change; readonly error: unknown }[]> {
    const away = changes.filter(({ record }) => !this.scopeOf(record));
    const halves = new Set(away.map(({ step }) => step.moved));
    const here = changes.filter(
      ({ record, step }) => this.scopeOf(record) && (!step.moved || !halves.has(step.moved)),
    );
    const parts = [...Map.groupBy(here, ({ record }) => this.storeOf(record))];
    const kept = await takeBackParts(
      parts.map(([store, some]) => ({ store, steps: some.map(({ step }) => step) })),
      onProgress,
    );
    const errors = new Map(kept.map(({ step, error }) => [step.id, error]));
    for (const { step, record } of away) errors.set(step.id, notOpen(record));
    return changes.flatMap((change) =>
      errors.has(change.step.id) ? [{ change, error: errors.get(change.step.id) }] : [],
    );
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

  /** Does the work for the records of each store, one store after the other. */
  async #inEach<T>(
    records: readonly MemoryRecord[],
    work: (store: MemoryStore, some: readonly MemoryRecord[]) => Promise<Settled<MemoryRecord, T>>,
  ): Promise<Settled<MemoryRecord, T>> {
    const ends: Settled<MemoryRecord, T>[] = [];
    for (const [store, some] of Map.groupBy(records, (record) => this.storeOf(record))) {
      const failed = (error: unknown) => ({
        done: [],
        failures: some.map((item) => ({ item, error })),
      });
      ends.push(await work(store, some).catch(failed));
    }
    return {
      done: ends.flatMap(({ done }) => done),
      failures: ends.flatMap(({ failures }) => failures),
    };
  }

  async #partsOf(id: string): Promise<readonly (Part & ChangeGroup)[]> {
    const parts: (Part & ChangeGroup)[] = [];
    for (const { store } of this.all) {
      const group = await store.changeGroup(id);
      if (group) parts.push({ ...group, store });
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

function latest(groups: readonly (ChangeGroup | undefined)[]): ChangeGroup | undefined {
  return groups
    .filter((group) => group !== undefined)
    .reduce<ChangeGroup | undefined>(
      (latest, group) => (latest && latest.at >= group.at ? latest : group),
      undefined,
    );
}

function notOpen({ file }: { readonly file: string }): SentenceError {
  return new SentenceError(sentence`${file} belongs to a folder that is no longer open.`);
}
