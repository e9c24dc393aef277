// The lines of the journal, and what follows from all of them: what is undone, which texts are our own, and what has
// changed since the memories were last looked through. Pure.

import * as z from 'zod/mini';
import { parseJson } from '../../base/parseJson.ts';
import type { FileState } from '../change.ts';
import { isRecordFile } from './recordCache.ts';

/** The file may have come with a repository, and its names become paths: of memories, and of nothing else. */
const FileName = z.string().check(z.refine(isRecordFile));
const State = z.object({ file: FileName, hash: z.string() });

const Made = z.object({
  group: z.string(),
  at: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      after: z.optional(State),
      before: z.optional(z.extend(State, { trash: FileName })),
      moved: z.optional(z.string()),
      sharing: z.optional(z.object({ shared: z.array(FileName), hidden: z.array(FileName) })),
    }),
  ),
});
const Undone = z.object({ undone: z.array(z.string()), at: z.string() });
/** The memories were looked through; `changed` names the files that have changed since, as far as is known here. */
const LookedThrough = z.object({
  changed: z.array(FileName),
  /** What is left of the lines before, when they were deleted: the files with a text of ours. */
  ours: z.optional(z.array(State)),
  at: z.string(),
});

const Line = z.union([Made, Undone, LookedThrough]);
export type Line = z.infer<typeof Line>;

/** A line that was cut off by a crash, or spoilt by hand, is as if it were not there. */
export function parseLines(text: string): readonly Line[] {
  return text.split('\n').flatMap((line) => Line.safeParse(parseJson(line)).data ?? []);
}

export function undoneIn(lines: readonly Line[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => ('undone' in line ? line.undone : [])));
}

/** Files that were written since the memories were last looked through, and by nothing that looked through them. */
export function changedIn(lines: readonly Line[]): ReadonlySet<string> {
  const undone = undoneIn(lines);
  let changed = new Set<string>();
  for (const line of lines) {
    if ('changed' in line) changed = new Set(line.changed);
    if (!('group' in line) || isConsolidation(line.group)) continue;
    for (const { id, before, after } of line.steps) {
      if (undone.has(id)) continue;
      if (before) changed.delete(before.file);
      if (after) changed.add(after.file);
    }
  }
  return changed;
}

export interface Authors {
  /** Whether this text of the file is one that we wrote, and not what a person made of it. */
  readonly isOurs: (state: FileState) => boolean;
  /** Whether we ever wrote the file. */
  readonly isKnown: (file: string) => boolean;
}

export function authorsIn(lines: readonly Line[]): Authors {
  const ours = new Set<string>();
  const files = new Set<string>();
  const foreign = new Set<string>();
  for (const line of lines) {
    for (const state of 'changed' in line ? (line.ours ?? []) : []) {
      ours.add(keyOf(state));
      files.add(state.file);
    }
    if (!('group' in line)) continue;
    for (const { before, after, moved } of line.steps) {
      if (before && !ours.has(keyOf(before))) foreign.add(before.hash);
      if (!after) continue;
      files.add(after.file);
      // Pinned, renamed, moved or brought back from the trash, it is still the text of whoever wrote it; only a
      // consolidation that a person agreed to makes it ours.
      const stays =
        before !== undefined && foreign.has(before.hash) && !isConsolidation(line.group);
      if (!moved && !stays && !foreign.has(after.hash)) ours.add(keyOf(after));
      else foreign.add(after.hash);
    }
  }
  return { isOurs: (state) => ours.has(keyOf(state)), isKnown: (file) => files.has(file) };
}

function keyOf({ file, hash }: FileState): string {
  return `${hash} ${file}`;
}

export function isConsolidation(group: string): boolean {
  return group.startsWith(CONSOLIDATION);
}

/** In front of the ids of their groups, so that they are told apart also in another window. */
export const CONSOLIDATION = 'consolidation-';
