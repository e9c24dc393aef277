// What is wrong with a path as text, whatever stands there, and how a path that a model wrote is repeated to it.

import path from 'node:path';
import { cutLine } from '../../../base/lines.ts';

/** Control characters, line ends, and marks that turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const EVERY_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');
/** Besides those: without any width. Not the joiners and selectors of a form, which emoji and Persian are written with. */
const UNSEEN =
  /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?$/i;
/** As many as Linux takes; longer ones are no paths but something else that was put in their place. */
const MAX_PATH_CHARS = 4_096;
/** What no common disk stores in one name, in bytes. */
const MAX_NAME_BYTES = 255;
const MAX_SHOWN_CHARS = 200;

/** A sentence, or undefined. `folders`: those of the workspace, whose computers may be asked. */
export function pathProblem(
  written: string,
  platform: NodeJS.Platform,
  folders: readonly string[] = [],
): string | undefined {
  const onWindows = platform === 'win32';
  const segments = written.split(onWindows ? /[\\/]/ : '/');
  if (written.includes('\0')) return 'The path holds a NUL character.';
  const tooLong = segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES);
  if (tooLong || written.length > MAX_PATH_CHARS)
    return `${quoted(written)} is too long for a path.`;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(written)) {
    return `${quoted(written)} is an address. Write the path of a file.`;
  }
  if (segments.includes('..')) {
    return `${quoted(written)} holds "..". Write the path from the workspace folder down.`;
  }
  if (segments[0] === '~') {
    return `${quoted(written)} starts with "~", which is not a workspace folder.`;
  }
  return onWindows ? windowsProblem(written, segments, folders) : undefined;
}

function windowsProblem(
  written: string,
  segments: readonly string[],
  folders: readonly string[],
): string | undefined {
  if (/^[\\/]{2}[?.]([\\/]|$)/.test(written)) {
    return `${quoted(written)} goes past the file system. Write a plain path.`;
  }
  const share = shareOf(written);
  // Even a look at it would sign in to a computer that somebody else chose.
  if (share !== undefined && !folders.some((folder) => shareOf(folder) === share)) {
    return `${quoted(written)} is on another computer, outside the workspace.`;
  }
  if (/^[a-z]:$/i.test(written)) return `${quoted(written)} is a drive. Name a folder on it.`;
  const odd = segments.find(
    (segment, index) =>
      DEVICE_NAME.test(segment) ||
      // "name:stream" is a hidden part of a file; a trailing dot or space is dropped by the system.
      (segment.includes(':') && !(index === 0 && /^[a-z]:$/i.test(segment))) ||
      (segment !== '.' && /[. ]$/.test(segment)) ||
      /[<>"|?*\p{Cc}]/u.test(segment),
  );
  return odd === undefined ? undefined : `${quoted(odd)} is not a file name that Windows can have.`;
}

function shareOf(written: string): string | undefined {
  if (!/^[\\/]{2}/.test(written)) return undefined;
  return path.win32.parse(path.win32.normalize(written)).root.toLowerCase();
}

/**
 * Why nothing new is to be made under names that the system would take: what somebody else could not check out, and
 * what nobody could see.
 */
export function newNameProblem(names: readonly string[]): string | undefined {
  const device = names.find((name) => DEVICE_NAME.test(name));
  if (device !== undefined) {
    return `${quoted(device)} is a device name on Windows. Choose another name.`;
  }
  const unseen = names.find((name) => UNPRINTABLE.test(name) || UNSEEN.test(name));
  if (unseen !== undefined) {
    return `${quoted(unseen)} holds a character that cannot be seen. Choose another name.`;
  }
  const odd = ODD_NAMES.flatMap(({ form, reason }) => {
    const name = names.find((each) => form.test(each));
    return name === undefined ? [] : [`${quoted(name)} ${reason}`];
  });
  return odd[0];
}

/** Slips of a small model, which would make a file that nobody finds. */
const ODD_NAMES = [
  { form: /\\/, reason: 'holds a backslash. Write / between folders.' },
  { form: /^["'`]|["'`]$/, reason: 'is in quotes. Write the path without them.' },
  { form: /:\d+$/, reason: 'ends in a line number. Write the path alone.' },
  { form: /^ |[. ]$/, reason: 'begins or ends in a space, or ends in a dot. Choose another name.' },
];

/** A name on one line, whatever it holds: a line break in it could pass for a further line of a result. */
export function printable(name: string): string {
  return name.replaceAll(
    EVERY_UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What a model wrote, in quotes, cut where it would fill the result. */
export function quoted(written: string): string {
  return `"${cutLine(printable(written), MAX_SHOWN_CHARS)}"`;
}
