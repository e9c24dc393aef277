// The list of all changes to a folder of memories, one line each, so that the last can be taken back after a reload
// and from another window. Only ever appended to; it lies in the trash, with the texts that undoing needs.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod/mini';
import { appendLine, kindIfPresent, lookNow, readBytesIfPresent } from '../base/files.ts';
import { parseJson } from '../base/parseJson.ts';
import type { Step } from './change.ts';
import { isRecordFile } from './recordCache.ts';
import type { Trash } from './trash.ts';

/** Changes that were made as one, and are undone as one. */
export interface ChangeGroup {
  readonly id: string;
  /** ISO date. */
  readonly at: string;
  /** Those that are not undone, in the order in which they were made. */
  readonly steps: readonly Step[];
}

const JOURNAL_FILE = 'journal.jsonl';

/** The file may have come with a repository, and its names become paths: of memories, and of nothing else. */
const FileName = z.string().check(z.refine(isRecordFile));
const FileState = z.object({ file: FileName, hash: z.string() });
const Line = z.union([
  z.object({
    group: z.string(),
    at: z.string(),
    steps: z.array(
      z.object({
        id: z.string(),
        after: z.optional(FileState),
        before: z.optional(z.extend(FileState, { trash: FileName })),
        moved: z.optional(z.literal(true)),
      }),
    ),
  }),
  z.object({ undone: z.array(z.string()), at: z.string() }),
]);
type Line = z.infer<typeof Line>;

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

  /** In the order of their latest steps. */
  async #groups(): Promise<ReadonlyMap<string, ChangeGroup>> {
    const lines = await this.#read();
    const undone = undoneIn(lines);
    const groups = new Map<string, ChangeGroup>();
    for (const line of lines) {
      if (!('group' in line)) continue;
      const steps = line.steps.filter((step) => !undone.has(step.id));
      const sofar = groups.get(line.group)?.steps ?? [];
      groups.delete(line.group);
      groups.set(line.group, { id: line.group, at: line.at, steps: [...sofar, ...steps] });
    }
    return groups;
  }

  async #write(line: unknown): Promise<void> {
    await this.#trash.prepare();
    const kind = await kindIfPresent(this.#file);
    // A link may have come with a repository, and would have us write somewhere else.
    if (kind !== undefined && kind !== 'file')
      throw new Error(`${JOURNAL_FILE} is not a regular file.`);
    await appendLine(this.#file, JSON.stringify(line));
  }

  async #read(): Promise<readonly Line[]> {
    const isFile = (await this.#trash.isThere()) && (await kindIfPresent(this.#file)) === 'file';
    const bytes = isFile ? await readBytesIfPresent(this.#file) : undefined;
    return (bytes?.toString() ?? '').split('\n').flatMap(parseLine);
  }
}

/** The id of a group that a consolidation makes. */
export function newConsolidationId(): string {
  return `${CONSOLIDATION}${randomUUID()}`;
}

function isConsolidation(group: string): boolean {
  return group.startsWith(CONSOLIDATION);
}

/** In front of the ids of their groups, so that they are told apart also in another window. */
const CONSOLIDATION = 'consolidation-';

/** A line that was cut off by a crash, or spoilt by hand, is as if it were not there. */
function parseLine(text: string): readonly Line[] {
  const { data } = Line.safeParse(parseJson(text));
  return data ? [data] : [];
}

function undoneIn(lines: readonly Line[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => ('undone' in line ? line.undone : [])));
}
