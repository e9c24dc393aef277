// The tools for the files and the shell of a workspace, in the one order they are ever shown to a model: a
// changed order would break the cached prefix of every session.

import type { Tool } from './tools.ts';
import { createBash, type BashOptions } from './tools/bash.ts';
import { createEditFile } from './tools/editFile.ts';
import { createGlob } from './tools/glob.ts';
import { createGrep } from './tools/grep.ts';
import { createReadFile } from './tools/readFile.ts';
import { createWriteFile } from './tools/writeFile.ts';

export function createWorkspaceTools(options: BashOptions): readonly Tool[] {
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
