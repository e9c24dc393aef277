// Which file a command was called for. What VS Code passes depends on where the command was run from.

/**
 * The absolute path in what a command was given: a row of the tree, or the path itself. Undefined for a group and for
 * anything else. A row may be older than its file: the caller looks the path up.
 */
export function pathOfArgument(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('record' in value) return pathIn(value.record);
  if ('damaged' in value) return pathIn(value.damaged);
  return undefined;
}

function pathIn(value: unknown): string | undefined {
  const hasPath = typeof value === 'object' && value !== null && 'path' in value;
  return hasPath && typeof value.path === 'string' ? value.path : undefined;
}
