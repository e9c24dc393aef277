// What edit_file and write_file share: no change is made to a text that the conversation has not seen as it stands,
// and the result tells what became of the file besides.

import { lineDiff } from '../../../base/lineDiff.ts';
import { isWriteProtected } from '../../../base/writeProtection.ts';
import type { Caller } from '../../caller.ts';
import type { FileChange } from '../../tools.ts';
import type { Workspace } from '../../workspace.ts';
import { placeToWrite, type Place } from '../places/paths.ts';
import { MAX_FILE_BYTES } from '../readFile.ts';

/** What a formatter changed further is told up to this length; after that, reading the file says it better. */
const MAX_DIFF_CHARS = 2_000;

/** A change that is checked and not yet made. */
interface PlannedChange extends FileChange {
  readonly place: Place;
  /** What the model is told when it is made. */
  readonly done: string;
}

export async function placeToChange(workspace: Workspace, written: string): Promise<Place> {
  const place = await placeToWrite(workspace, written);
  if (place.info && place.info.kind !== 'file') {
    throw new Error(`${place.shown} is not a file. Name one.`);
  }
  if (place.info && (await isWriteProtected(place.absolute))) {
    throw new Error(
      `${place.shown} is write-protected, so it is left as it is. Ask the user what they would like.`,
    );
  }
  if (place.info && place.info.size > MAX_FILE_BYTES) {
    throw new Error(
      `${place.shown} has ${place.info.size} bytes, too many to read or change. Use bash on it.`,
    );
  }
  return place;
}

/** Throws what keeps a change from being made, as far as that can be known before the person is asked. */
export async function planChange(
  workspace: Workspace,
  { place, before, after, done }: Omit<PlannedChange, 'shown' | 'savesEdits'>,
): Promise<PlannedChange> {
  const odd = UNWRITABLE.find(({ character }) => character.test(after));
  if (odd) {
    const line = after.slice(0, after.search(odd.character)).split('\n').length;
    throw new Error(`Line ${line} of ${place.shown} would hold ${odd.name}`);
  }
  await workspace.refuseUnwritable(place.absolute, after);
  const unsaved = workspace.unsavedTexts();
  const savesEdits = unsaved.has(place.absolute) || unsaved.has(place.real);
  return { place, shown: place.shown, before, after, savesEdits, done };
}

/** What would make the file another than it was meant to be. */
const UNWRITABLE = [
  // Saved, it would be a question mark.
  { character: /\p{Surrogate}/u, name: 'half a character. Write the whole one.' },
  { character: /\0/, name: 'a NUL character, and so be no text. Do without it, or use bash.' },
];

/** Throws when the conversation of the caller has not read this text of the file, or written it. */
export function refuseUnseen({ real, shown }: Place, text: string, caller?: Caller): void {
  switch (caller?.seen.compare(real, text)) {
    case 'unseen':
      throw new Error(
        `${shown} is there already, and you have not read it. Read it first, then change it.`,
      );
    case 'changed':
      throw new Error(
        `${shown} has changed since you read it, perhaps by the user. Read it again, then make ` +
          'your change to what it says now.',
      );
    case 'same':
    case undefined:
  }
}

export async function makeChange(
  workspace: Workspace,
  { place, before, after, done }: PlannedChange,
  caller?: Caller,
): Promise<string> {
  const { text, savedEdits } = await workspace.writeText(place.absolute, { before, after });
  caller?.seen.note(place.real, text);
  const edits = savedEdits ? ['It had unsaved changes of the user, which are saved with it.'] : [];
  return [done, ...edits, ...changedFurther(after, text)].join(' ');
}

function changedFurther(written: string, text: string): string[] {
  const diff = lineDiff(written, text).text;
  if (diff === '') return [];
  if (diff.length > MAX_DIFF_CHARS) {
    return ['The editor changed it in many more places on saving. Read it again.'];
  }
  return [`The editor changed it further on saving, as a formatter does:\n${diff}`];
}
