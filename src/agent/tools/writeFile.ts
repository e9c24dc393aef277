// write_file: creates or replaces a whole text file, and keeps the line ends the file had.

import * as z from 'zod/mini';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { declareTool, implementTool } from './declareTool.ts';
import { linesOf } from './lines.ts';
import { filePathInput, placeToWrite } from './paths.ts';

export const WRITE_FILE = 'write_file';

const writeFileDeclaration = declareTool({
  name: WRITE_FILE,
  description:
    'Creates a text file in the workspace, or replaces the whole of one; missing folders are made. To change a ' +
    'part of an existing file use edit_file. Binary files and folders are refused.',
  readOnly: false,
  input: z.strictObject({
    path: filePathInput,
    content: z.string().check(z.describe('The whole text of the file.')),
  }),
});

export function createWriteFile(workspace: Workspace): Tool {
  return implementTool(writeFileDeclaration, async ({ path, content }, signal) => {
    const place = await placeToWrite(workspace, path);
    if (place.info && place.info.kind !== 'file') {
      throw new Error(`${place.shown} is a folder or a device. Write to a file.`);
    }
    // Throws for a binary file, which must not be replaced by text.
    const before = await workspace.readText(place.absolute);
    signal.throwIfAborted();
    await workspace.writeText(
      place.absolute,
      before === undefined ? content : like(before, content),
    );
    const count = lineCount(content);
    return before === undefined
      ? `Created ${place.shown} (${count}).`
      : `Overwrote ${place.shown} (${count}; before: ${lineCount(before)}).`;
  });
}

/** The new text with the byte order mark and the line ends of the old one, unless it brings CRLF itself. */
function like(before: string, content: string): string {
  const mark = before.startsWith('\uFEFF') && !content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const useCrlf = before.includes('\r\n') && !content.includes('\r\n');
  return mark + (useCrlf ? content.replaceAll('\n', '\r\n') : content);
}

function lineCount(text: string): string {
  const { length } = linesOf(text);
  return length === 1 ? '1 line' : `${length} lines`;
}
