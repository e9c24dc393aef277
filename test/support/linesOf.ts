// A table of texts as tests write it: one on each line, indented by two spaces.

export function linesOf(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.slice(2))
    .filter((line) => line !== '');
}
