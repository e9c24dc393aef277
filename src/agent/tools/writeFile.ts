// write_file: creates or replaces a whole text file, and keeps the line ends the file had.

import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { makeChange, placeToChange, planChange, refuseUnseen } from './edit/changeFile.ts';
import { declareTool, implementFileTool } from './declareTool.ts';
import { withEndsOf } from './edit/lineEnds.ts';
import { linesOf } from '../../base/lines.ts';
import { filePathInput } from './places/paths.ts';

export const WRITE_FILE = 'write_file';

const writeFileDeclaration = declareTool({
  name: WRITE_FILE,
  description:
    'Creates a text file in the workspace, or replaces the whole of one; missing folders are made. To change a ' +
    'part of an existing file use edit_file. Read an existing file before you replace it. Binary files and ' +
    'folders are refused.',
  readOnly: false,
  input: z.strictObject({
    path: filePathInput,
    content: z.string().check(z.describe('The whole text of the file.')),
  }),
});

type WriteInput = z.infer<typeof writeFileDeclaration.input>;

export function createWriteFile(workspace: Workspace): Tool {
  return implementFileTool(
    writeFileDeclaration,
    (input, _signal, caller) => planWrite(workspace, input, caller),
    async (input, signal, caller) => {
      const planned = await planWrite(workspace, input, caller);
      signal.throwIfAborted();
      return makeChange(workspace, planned, caller);
    },
  );
}

async function planWrite(workspace: Workspace, input: WriteInput, caller?: Caller) {
  const { path } = input;
  // A byte order mark belongs to the encoding, which the file keeps.
  const content = input.content.replace(/^\ufeff/, '');
  const place = await placeToChange(workspace, path);
  const { shown } = place;
  // Throws for a binary file, which must not be replaced by text.
  const before = await workspace.readText(place.absolute);
  const count = lineCount(content);
  if (before === undefined) {
    const done = `Created ${shown} (${count}).`;
    return planChange(workspace, { place, before, after: content, done });
  }
  refuseUnseen(place, before, caller);
  const after = content.includes('\r\n') ? content : withEndsOf(before, content);
  if (after === before) {
    throw new Error(`${shown} holds exactly this text already, so there is nothing to write.`);
  }
  const done = `Overwrote ${shown} (${count}; before: ${lineCount(before)}).`;
  return planChange(workspace, { place, before, after, done });
}

function lineCount(text: string): string {
  const { length } = linesOf(text);
  return length === 1 ? '1 line' : `${length} lines`;
}
