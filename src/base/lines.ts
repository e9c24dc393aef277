// The lines of a text, and long ones cut so that no half character is left.

/** Characters above it are a pair of units in a string. */
const LAST_OF_ONE_UNIT = 0xffff;

/** Without their ends. A last line end begins no further line, and a byte order mark belongs to none. */
export function linesOf(text: string): string[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  // A pattern that splits would take twice the time, and grep comes here for every file.
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** The line, or its beginning and how much is missing. */
export function cutLine(line: string, maxChars: number): string {
  const more = line.length - maxChars;
  return more <= 0 ? line : `${partOf(line, 0, maxChars)} [... ${more} more characters]`;
}

/** The line in pieces that give it back when joined, none of them with half a character. */
export function wrapLine(line: string, maxChars: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > maxChars) {
    const end = start + maxChars;
    const cutsPair = (line.codePointAt(end - 1) ?? 0) > LAST_OF_ONE_UNIT;
    pieces.push(line.slice(start, cutsPair ? end - 1 : end));
    start = cutsPair ? end - 1 : end;
  }
  return [...pieces, line.slice(start)];
}

export function partOf(line: string, start: number, end: number): string {
  return line.slice(start, end).toWellFormed();
}
