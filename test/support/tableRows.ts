// The rows of a table as tests write it: one text on each line, indented by two spaces.

export function rowsOf(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.slice(2))
    .filter((line) => line !== '');
}
