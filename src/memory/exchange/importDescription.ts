// How an imported memory is described, where its file does not say it.

import { headline, oneLine, shortened } from '../fieldText.ts';
import { markdownLines } from './importMarkdown.ts';
import { MAX_DESCRIPTION } from '../record.ts';

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
