// The tools for the files and the shell of a workspace, in the one order they are ever shown to a model: a
// changed order would break the cached prefix of every session.

import type { ShellOptions } from '../base/shell.ts';
import type { Tool } from './tools.ts';
import { createBash } from './tools/bash.ts';
import { createEditFile } from './tools/editFile.ts';
import { createGlob } from './tools/glob.ts';
import { createGrep } from './tools/grep.ts';
import { createReadFile } from './tools/readFile.ts';
import { createWriteFile } from './tools/writeFile.ts';
import type { Workspace } from './workspace.ts';

interface WorkspaceToolsOptions {
  readonly workspace: Workspace;
  readonly shell?: ShellOptions;
}

export function createWorkspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  const { workspace } = options;
  return [
    createReadFile(workspace),
    createWriteFile(workspace),
    createEditFile(workspace),
    createGlob({ workspace }),
    createGrep({ workspace }),
    createBash(options),
  ];
}
