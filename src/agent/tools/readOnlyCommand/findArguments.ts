// The arguments of find: where it looks, and an expression of tests. Only tests are known, and what prints; nothing
// that deletes, runs a program, writes a file or follows links.

const ALONE = primaries(
  'print print0 ls empty not a o and or prune quit true false depth mount xdev readable writable executable',
);
const WITH_VALUE = primaries(
  'name iname path ipath wholename iwholename regex iregex type maxdepth mindepth size printf newermt ' +
    'mtime mmin ctime cmin atime amin perm user group links',
);
/** The times of a file are looked at. */
const WITH_PATH = new Set(['-newer', '-anewer', '-cnewer']);
const BRACKETS = new Set(['(', ')', '!']);

/** The paths that it looks at. Undefined when something in the arguments is not understood. */
export function findPaths(args: readonly string[]): readonly string[] | undefined {
  const start = args.findIndex((arg) => arg.startsWith('-') || BRACKETS.has(arg));
  const expression = start < 0 ? [] : args.slice(start);
  const paths = start < 0 ? [...args] : args.slice(0, start);
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at] ?? '';
    if (ALONE.has(word) || BRACKETS.has(word)) continue;
    const value = expression[++at];
    if (value === undefined) return undefined;
    if (WITH_PATH.has(word)) paths.push(value);
    else if (!WITH_VALUE.has(word)) return undefined;
  }
  return paths;
}

function primaries(names: string): ReadonlySet<string> {
  return new Set(names.split(' ').map((name) => `-${name}`));
}
