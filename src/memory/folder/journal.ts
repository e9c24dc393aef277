// The list of all changes to a folder of memories, one line each, so that the last can be taken back after a reload
// and from another window. Only ever appended to; it lies in the trash, with the texts that undoing needs.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  appendLine,
  kindIfPresent,
  lookNow,
  readBytesIfPresent,
  writeFileAtomically,
} from '../../base/files.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import type { FileState, Step } from '../change.ts';
import {
  authorsIn,
  changedIn,
  CONSOLIDATION,
  isConsolidation,
  parseLines,
  undoneIn,
  type Authors,
  type Line,
} from './journalLines.ts';
import { JOURNAL_FILE, type Trash } from './trash.ts';

/** Changes that were made as one, and are undone as one. */
export interface ChangeGroup {
  readonly id: string;
  /** ISO date. */
  readonly at: string;
  /** Those that are not undone, in the order in which they were made. */
  readonly steps: readonly Step[];
  readonly undone: readonly Step[];
}

interface Position {
  /** Of lines. */
  readonly count: number;
  /** Another when the lines before were deleted. */
  readonly first: string | undefined;
}

export class Journal {
  readonly #trash: Trash;
  readonly #file: string;

  constructor(trash: Trash) {
    this.#trash = trash;
    this.#file = path.join(trash.folder, JOURNAL_FILE);
  }

  /** Another number after every change, whoever made it. */
  size(): number {
    return lookNow(this.#file)?.size ?? 0;
  }

  async append(group: string, steps: readonly Step[], now: Date): Promise<void> {
    if (steps.length > 0) await this.#write({ group, at: now.toISOString(), steps: [...steps] });
  }

  async markUndone(ids: readonly string[], now: Date): Promise<void> {
    if (ids.length > 0) await this.#write({ undone: [...ids], at: now.toISOString() });
  }

  /** The ids of all steps that are undone. */
  async undone(): Promise<ReadonlySet<string>> {
    return undoneIn(await this.#read());
  }

  /** What is not undone of the group with this id. */
  async group(id: string): Promise<ChangeGroup | undefined> {
    return (await this.#groups()).get(id);
  }

  /** The latest group of which something is not undone, but for some. */
  async last(passedOver: ReadonlySet<string> = new Set()): Promise<ChangeGroup | undefined> {
    return [...(await this.#groups()).values()].findLast(
      ({ id, steps }) => steps.length > 0 && !passedOver.has(id),
    );
  }

  /** The latest consolidation of which something is not undone. */
  async lastConsolidation(): Promise<ChangeGroup | undefined> {
    return [...(await this.#groups()).values()].findLast(
      ({ id, steps }) => steps.length > 0 && isConsolidation(id),
    );
  }

  /** All steps of a group, those included that are undone, and whether any is. */
  async stepsOf(group: string): Promise<{ steps: readonly Step[]; isUndone: boolean }> {
    const lines = await this.#read();
    const undone = undoneIn(lines);
    const steps = lines.flatMap((line) =>
      'group' in line && line.group === group ? line.steps : [],
    );
    return { steps, isUndone: steps.some(({ id }) => undone.has(id)) };
  }

  /** Who wrote the texts of the memories. */
  async authors(): Promise<Authors> {
    return authorsIn(await this.#read());
  }

  /** The files that were changed since the memories were last looked through. */
  async changed(): Promise<ReadonlySet<string>> {
    return changedIn(await this.#read());
  }

  /** Where somebody stands who begins to look through the memories. */
  async position(): Promise<Position> {
    const lines = await this.#read();
    return { count: lines.length, first: JSON.stringify(lines[0]) };
  }

  /**
   * The memories were looked through as they were at a position, but for some. What changed since is still to be looked
   * at.
   */
  async markLookedThrough(
    { count, first }: Position,
    now: Date,
    left: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const lines = await this.#read();
    // Where the trash was emptied meanwhile, nobody knows what of the rest was there before.
    const isSame = count === 0 || JSON.stringify(lines[0]) === first;
    const since = changedIn(isSame ? lines.slice(count) : lines);
    const before = [...changedIn(lines)].filter((file) => left.has(file) && !since.has(file));
    await this.#write({ changed: [...before, ...since], at: now.toISOString() });
  }

  /** Forgets all changes, but not which of the texts that stand are our own. */
  async forget(present: readonly FileState[], now: Date): Promise<void> {
    const lines = await this.#read();
    if (lines.length === 0) return;
    const { isOurs } = authorsIn(lines);
    const ours = present.filter(isOurs).map(({ file, hash }) => ({ file, hash }));
    const line = { changed: [...changedIn(lines)], ours, at: now.toISOString() };
    await this.#mustBeOurs();
    await writeFileAtomically(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** In the order of their latest steps. */
  async #groups(): Promise<ReadonlyMap<string, ChangeGroup>> {
    const lines = await this.#read();
    const undone = undoneIn(lines);
    const groups = new Map<string, ChangeGroup>();
    for (const line of lines) {
      if (!('group' in line)) continue;
      const { steps = [], undone: earlier = [] } = groups.get(line.group) ?? {};
      groups.delete(line.group);
      groups.set(line.group, {
        id: line.group,
        at: line.at,
        steps: [...steps, ...line.steps.filter(({ id }) => !undone.has(id))],
        undone: [...earlier, ...line.steps.filter(({ id }) => undone.has(id))],
      });
    }
    return groups;
  }

  async #write(line: unknown): Promise<void> {
    await this.#trash.prepare();
    await this.#mustBeOurs();
    await appendLine(this.#file, JSON.stringify(line));
  }

  async #mustBeOurs(): Promise<void> {
    const kind = await kindIfPresent(this.#file);
    // A link may have come with a repository, and would have us write somewhere else.
    if (kind !== undefined && kind !== 'file')
      throw new SentenceError(sentence`${JOURNAL_FILE} is not a regular file.`);
  }

  async #read(): Promise<readonly Line[]> {
    const isFile = (await this.#trash.isThere()) && (await kindIfPresent(this.#file)) === 'file';
    const bytes = isFile ? await readBytesIfPresent(this.#file) : undefined;
    return parseLines(bytes?.toString() ?? '');
  }
}

/** The id of a group that a consolidation makes. */
export function newConsolidationId(): string {
  return `${CONSOLIDATION}${randomUUID()}`;
}
