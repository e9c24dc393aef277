// edit_file: replaces one exact piece of a text file, or all its places. Everything else stays as it is, byte
// for byte, so an edit can never spoil what the model has not looked at.

import * as z from 'zod/mini';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { closestPlace } from './closestPlace.ts';
import { declareTool, filledText, implementTool } from './declareTool.ts';
import { notFound } from './notFound.ts';
import { filePathInput, placeToWrite } from './paths.ts';

/** Line numbers told when a text occurs in several places. */
const MAX_PLACES_TOLD = 20;

export const EDIT_FILE = 'edit_file';

const editFileDeclaration = declareTool({
  name: EDIT_FILE,
  description:
    'Replaces text in an existing file of the workspace. old_text must be exactly as in the file, whitespace ' +
    'included (line ends may differ), and occur once: include enough lines around it, or set replace_all. ' +
    'Read the file first.',
  readOnly: false,
  input: z.strictObject({
    path: filePathInput,
    old_text: filledText('The exact text to replace.'),
    new_text: z.string().check(z.describe('What stands there afterwards; empty to delete.')),
    replace_all: z.optional(
      z.boolean().check(z.describe('Replace every occurrence. Default: false.')),
    ),
  }),
});

export function createEditFile(workspace: Workspace): Tool {
  return implementTool(editFileDeclaration, async (input, signal) => {
    const place = await placeToWrite(workspace, input.path);
    if (place.info && place.info.kind !== 'file') throw new Error(`${place.shown} is not a file.`);
    const text = await workspace.readText(place.absolute);
    if (text === undefined) throw new Error(await notFound(workspace, place, signal));

    if (withLf(input.old_text) === withLf(input.new_text)) {
      throw new Error('old_text and new_text are the same, so there is nothing to change.');
    }
    const places = [...text.matchAll(toleratingLineEnds(input.old_text))];
    const lines = places.map((match) => lineAt(text, match.index));
    if (places.length === 0) {
      throw new Error(`old_text is not in ${place.shown}. ${closestPlace(text, input.old_text)}`);
    }
    if (places.length > 1 && input.replace_all !== true) {
      throw new Error(
        `old_text occurs ${places.length} times in ${place.shown}, at ${told(lines)}. ` +
          'Include more lines around the one you mean, or set replace_all.',
      );
    }
    const replacement = withLf(input.new_text).replaceAll('\n', usesCrlf(text) ? '\r\n' : '\n');
    const edited = text.replaceAll(toleratingLineEnds(input.old_text), () => replacement);
    signal.throwIfAborted();
    await workspace.writeText(place.absolute, edited);
    const count = places.length === 1 ? '1 place' : `${places.length} places`;
    return `Replaced ${count} in ${place.shown}, at ${told(lines)}.`;
  });
}

function toleratingLineEnds(text: string): RegExp {
  const lines = withLf(text).split('\n');
  return new RegExp(
    lines.map((line) => line.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('\r?\n'),
    'g',
  );
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** What most lines of the file end in. */
function usesCrlf(text: string): boolean {
  const crlf = text.split('\r\n').length - 1;
  return crlf > (text.split('\n').length - 1) / 2;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}

function told(lines: readonly number[]): string {
  const more = lines.length - MAX_PLACES_TOLD;
  const numbers = lines.slice(0, MAX_PLACES_TOLD).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${numbers}${more > 0 ? ` and ${more} more` : ''}`;
}
