// The list of all changes to a folder of memories, one line each, so that the last can be taken back after a reload
// and from another window. Only ever appended to; it lies in the trash, with the texts that undoing needs.

import path from 'node:path';
import * as z from 'zod/mini';
import { appendLine, lookNow, readBytesIfPresent } from '../base/files.ts';
import type { Step } from './change.ts';

/** Changes that were made as one, and are undone as one. */
export interface ChangeGroup {
  readonly id: string;
  /** ISO date. */
  readonly at: string;
  /** Those that are not undone, in the order in which they were made. */
  readonly steps: readonly Step[];
}

const JOURNAL_FILE = 'journal.jsonl';

/** The file may have come with a repository, and its names become paths. */
const FileName = z
  .string()
  .check(z.refine((name) => name === path.basename(name) && name !== '..'));
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
      }),
    ),
  }),
  z.object({ undone: z.array(z.string()), at: z.string() }),
]);
type Line = z.infer<typeof Line>;

export class Journal {
  readonly #file: string;

  constructor(trash: string) {
    this.#file = path.join(trash, JOURNAL_FILE);
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

  async isUndone(id: string): Promise<boolean> {
    return undoneIn(await this.#read()).has(id);
  }

  /** The group with this id, or else the latest of which something is not undone. */
  async group(id?: string): Promise<ChangeGroup | undefined> {
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
    if (id !== undefined) return groups.get(id);
    return [...groups.values()].findLast(({ steps }) => steps.length > 0);
  }

  async #write(line: unknown): Promise<void> {
    await appendLine(this.#file, JSON.stringify(line));
  }

  async #read(): Promise<readonly Line[]> {
    const bytes = await readBytesIfPresent(this.#file);
    return (bytes?.toString() ?? '').split('\n').flatMap(parseLine);
  }
}

/** A line that was cut off by a crash, or spoilt by hand, is as if it were not there. */
function parseLine(text: string): readonly Line[] {
  try {
    const { data } = Line.safeParse(JSON.parse(text));
    return data ? [data] : [];
  } catch {
    // Not JSON.
    return [];
  }
}

function undoneIn(lines: readonly Line[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => ('undone' in line ? line.undone : [])));
}
