// The arguments of a command, told apart by the list of flags that are known to do no harm. A flag that is not in
// the list is not understood, however harmless.

/** Flags as a program takes them, and nothing beyond. */
export interface KnownFlags {
  /** Letters; one with a value is followed by `:`, and by `@` when the value is a path: `lan:f@`. */
  readonly short?: string;
  /** Names; `=` after one takes a value, `@` one that is a path, `?` one that is left out or joined by `=`. */
  readonly long?: string;
  /** `-5` is a number of something. */
  readonly takesNumber?: true;
  /** Letters are not joined, neither with each other nor with a value. */
  readonly keepsLettersApart?: true;
}

export interface Arguments {
  readonly flags: readonly string[];
  /** All that is no flag. */
  readonly operands: readonly string[];
  /** What flags are given. */
  readonly values: readonly string[];
  /** Values that are paths, and all that would be paths to a program that takes no flags after an operand. */
  readonly paths: readonly string[];
}

type Kind = 'alone' | 'value' | 'path' | 'joined';
const KINDS: Readonly<Record<string, Kind>> = {
  ':': 'value',
  '=': 'value',
  '@': 'path',
  '?': 'joined',
};

/** Undefined when something in the arguments is not understood. */
export function readArguments(args: readonly string[], known: KnownFlags): Arguments | undefined {
  const flags: string[] = [];
  const operands: string[] = [];
  const values: string[] = [];
  const paths: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      const rest = args.slice(at + 1);
      // What would be a flag with a pattern as its value is a pattern of files here.
      if (rest.some((each) => each.startsWith('--') && each.includes('*'))) return undefined;
      if (operands.length > 0) paths.push(arg);
      operands.push(...rest);
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg);
      continue;
    }
    if (operands.length > 0) paths.push(arg);
    if (known.takesNumber && /^-\d+$/.test(arg)) continue;
    const found = arg.startsWith('--') ? longFlag(arg, known) : shortFlags(arg, known);
    if (!found) return undefined;
    flags.push(...found.names);
    let { value } = found;
    if (value === undefined && (found.kind === 'value' || found.kind === 'path')) {
      value = args[++at];
      // Whether the program would take it for a value or a flag is not left to guessing.
      if (value === undefined || (value.startsWith('-') && !/^-\d+$/.test(value))) return undefined;
      if (operands.length > 0) paths.push(value);
    }
    if (value === undefined) continue;
    values.push(value);
    if (found.kind === 'path') paths.push(value);
  }
  return { flags, operands, values, paths };
}

interface Found {
  readonly names: readonly string[];
  readonly kind: Kind;
  readonly value: string | undefined;
}

function longFlag(arg: string, { long = '' }: KnownFlags): Found | undefined {
  const [, name = '', , value] = /^--([^=]+)(=(.*))?$/s.exec(arg) ?? [];
  const entry = long.split(' ').find((each) => each.replace(/[=@?]$/, '') === name);
  if (entry === undefined || name === '') return undefined;
  const kind = KINDS[entry.slice(-1)] ?? 'alone';
  if (kind === 'alone' && value !== undefined) return undefined;
  return { names: [`--${name}`], kind, value };
}

function shortFlags(arg: string, { short = '', keepsLettersApart }: KnownFlags): Found | undefined {
  const letters = arg.slice(1);
  if (keepsLettersApart && letters.length > 1) return undefined;
  const names: string[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charAt(at);
    const place = /[A-Za-z0-9]/.test(letter) ? short.indexOf(letter) : -1;
    if (place < 0) return undefined;
    names.push(`-${letter}`);
    const kind = KINDS[short[place + 1] ?? ''] ?? 'alone';
    if (kind === 'alone') continue;
    const joined = letters.slice(at + 1);
    return { names, kind, value: joined === '' ? undefined : joined };
  }
  return { names, kind: 'alone', value: undefined };
}
