// What an imported memory is called and described as, where its file says neither, and how a line is made short.

import { headline, oneLine } from './fieldText.ts';
import { markdownLines } from './importMarkdown.ts';
import { MAX_DESCRIPTION } from './record.ts';

/** One line for the list: the heading, and the first line that says something. */
export function descriptionOf(body: string, heading = ''): string {
  const title = oneLine(heading);
  const lines = markdownLines(body);
  const ownTitle =
    title === '' ? (lines.find((line) => line.heading)?.heading?.title ?? '') : title;
  const first = lines
    .filter((line) => !line.heading)
    .map(({ text }) => oneLine(headline(text.trim())))
    .find((line) => /[\p{L}\p{N}]/u.test(line));
  const line = [oneLine(ownTitle), first ?? ''].filter((part) => part !== '').join(': ');
  return shortened(line, MAX_DESCRIPTION);
}

/** At most so many characters: cut at a word, where one ends near, with an ellipsis. */
export function shortened(line: string, limit: number): string {
  const characters = Array.from(line);
  if (characters.length <= limit) return line;
  const cut = characters.slice(0, limit - 1).join('');
  // Scripts without spaces have no such place.
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
