// Calls a workspace tool over a real folder, and counts what it asks of the workspace.

import type { Caller } from '../../src/agent/caller.ts';
import { SeenFiles } from '../../src/agent/seenFiles.ts';
import type { FileChange, Tool } from '../../src/agent/tools.ts';
import { createWorkspaceTools } from '../../src/agent/workspaceTools.ts';
import type { Workspace } from '../../src/agent/workspace.ts';
import { diskWorkspace } from './diskWorkspace.ts';

const NEVER = new AbortController().signal;

/** Runs a tool by name on folders of the disk. Throws what the tool throws. */
export async function runTool(
  workspace: Workspace | string,
  name: string,
  input: unknown,
  signal: AbortSignal = NEVER,
): Promise<string> {
  return toolOver(workspace, name).run(input, signal);
}

/** A conversation over folders of the disk, which keeps in mind what it has read. */
export function conversationOver(workspace: Workspace | string) {
  const caller: Caller = { seen: new SeenFiles(), emit: () => {} };
  return {
    run: (name: string, input: unknown): Promise<string> =>
      toolOver(workspace, name).run(input, NEVER, caller),
    /** What the person would be shown before. */
    preview: async (name: string, input: unknown): Promise<FileChange | undefined> =>
      toolOver(workspace, name).preview?.(input, NEVER, caller),
  };
}

function toolOver(workspace: Workspace | string, name: string): Tool {
  const over = typeof workspace === 'string' ? diskWorkspace([workspace]) : workspace;
  const tool = createWorkspaceTools({ workspace: over }).find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** A workspace over the disk that notes each file it reads. */
export function countingWorkspace(folder: string): Workspace & { readonly reads: string[] } {
  const disk = diskWorkspace([folder]);
  const reads: string[] = [];
  return {
    ...disk,
    reads,
    readText(file) {
      reads.push(file);
      return disk.readText(file);
    },
  };
}
