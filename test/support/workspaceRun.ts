// Calls a workspace tool over a real folder, and counts what it asks of the workspace.

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
  const over = typeof workspace === 'string' ? diskWorkspace([workspace]) : workspace;
  const tool = createWorkspaceTools({ workspace: over }).find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool.run(input, signal);
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
