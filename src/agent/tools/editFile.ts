// edit_file: replaces one exact piece of a text file, or all its places. Everything else stays as it is, byte
// for byte, so an edit can never spoil what the model has not looked at.

import * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { makeChange, placeToChange, planChange, refuseUnseen } from './edit/changeFile.ts';
import { closestPlace } from './edit/closestPlace.ts';
import { declareTool, filledText, implementFileTool } from './declareTool.ts';
import { withLf } from './edit/lineEnds.ts';
import { notFound } from './places/notFound.ts';
import { filePathInput } from './places/paths.ts';
import { placesTold, replaceIn } from './edit/replaceIn.ts';

export const EDIT_FILE = 'edit_file';

const editFileDeclaration = declareTool({
  name: EDIT_FILE,
  description:
    'Replaces text in an existing file of the workspace. old_text must be exactly as in the file, whitespace ' +
    'included (line ends may differ), and occur once: include enough lines around it, or set replace_all. ' +
    'Read the file first, unless the user attached all of it, and again when something else than you has ' +
    'changed it.',
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

type EditInput = z.infer<typeof editFileDeclaration.input>;

export function createEditFile(workspace: Workspace): Tool {
  return implementFileTool(
    editFileDeclaration,
    (input, signal, caller) => planEdit(workspace, input, { signal, caller }),
    async (input, signal, caller) => {
      const planned = await planEdit(workspace, input, { signal, caller });
      signal.throwIfAborted();
      return makeChange(workspace, planned, caller);
    },
  );
}

interface Call {
  readonly signal: AbortSignal;
  readonly caller: Caller | undefined;
}

async function planEdit(workspace: Workspace, input: EditInput, { signal, caller }: Call) {
  const place = await placeToChange(workspace, input.path);
  const { shown } = place;
  const before = await workspace.readText(place.absolute);
  if (before === undefined) throw new Error(await notFound(workspace, place, signal));
  refuseUnseen(place, before, caller);
  if (withLf(input.old_text) === withLf(input.new_text)) {
    throw new Error('old_text and new_text are the same, so there is nothing to change.');
  }
  const replaced = replaceIn(before, input.old_text, input.new_text);
  if (replaced.count === 0) {
    throw new Error(`old_text is not in ${shown}. ${closestPlace(before, input.old_text)}`);
  }
  if (replaced.count > 1 && input.replace_all !== true) {
    throw new Error(
      `old_text occurs ${replaced.count} times in ${shown}, at ${placesTold(replaced)}. ` +
        'Include more lines around the one you mean, or set replace_all.',
    );
  }
  const count = replaced.count === 1 ? '1 place' : `${replaced.count} places`;
  const done = `Replaced ${count} in ${shown}, at ${placesTold(replaced)}.`;
  return planChange(workspace, { place, before, after: replaced.text, done });
}
