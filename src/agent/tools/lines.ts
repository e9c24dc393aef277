// The lines of a text, and long ones cut so that no half character is left.

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

export function partOf(line: string, start: number, end: number): string {
  return line.slice(start, end).toWellFormed();
}
