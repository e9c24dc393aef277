// Puts a new body in the place of an old one. Lines that both have, before and behind the change, and the blank
// lines around it stay byte for byte as a person wrote them.

import { tidyBody } from './fieldText.ts';

interface Line {
  readonly text: string;
  readonly end: string;
}

/** `rest` is what stands behind the front matter, `body` is tidy, `lineEnd` is for lines that are new. */
export function replaceBody(rest: string, body: string, lineEnd: string): string {
  if (tidyBody(rest) === '') return `\n${body}\n`.replaceAll('\n', lineEnd);
  const lead = /^(?:[ \t]*(?:\r\n?|\n))*/.exec(rest)?.[0] ?? '';
  const core = rest.slice(lead.length).trimEnd();
  const trail = rest.slice(lead.length + core.length);
  const before = linesOf(core, lineEnd);
  const after = body.split('\n').map((text) => ({ text, end: lineEnd }));
  const head = countEqual(before, after);
  const tail = countEqual(before.slice(head).toReversed(), after.slice(head).toReversed());
  const lines = [
    ...before.slice(0, head),
    ...after.slice(head, after.length - tail),
    ...before.slice(before.length - tail),
  ];
  const text = lines.map((line, at) => line.text + (at < lines.length - 1 ? line.end : ''));
  // Blanks behind the last word belong to its line, and go with it.
  return lead + text.join('') + (tail > 0 ? trail : trail.replace(/^[^\r\n]+/, ''));
}

/** The last line gets the usual end, for when another comes behind it. */
function linesOf(text: string, lineEnd: string): readonly Line[] {
  const parts = text.split(/(\r\n?|\n)/);
  const lines: Line[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const end = parts[at + 1] ?? '\r';
    // A lone carriage return would melt into a line feed that comes to stand behind it.
    lines.push({ text: parts[at] ?? '', end: end === '\r' ? lineEnd : end });
  }
  return lines;
}

function countEqual(some: readonly Line[], others: readonly Line[]): number {
  const first = some.findIndex(({ text }, at) => text !== others[at]?.text);
  return first < 0 ? some.length : first;
}
