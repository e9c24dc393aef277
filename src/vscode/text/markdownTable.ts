// A table in Markdown, of cells that are Markdown themselves. No 'vscode' import, so it is tested without a host.

/** The first column is for names and stands at the left, all others are for figures and stand at the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const rule = head.map((_, column) => (column === 0 ? ':--' : '--:'));
  return [head, rule, ...rows].map(line).join('\n');
}

function line(cells: readonly string[]): string {
  // What would end the cell is no part of a name or a figure.
  const shown = cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '));
  return `| ${shown.join(' | ')} |`;
}
