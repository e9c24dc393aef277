// What a .gitignore says, read as git reads it, and how it names one file. Owns the `ignore` package.

import ignore from 'ignore';
import { sentence, SentenceError } from './sentence.ts';

export const RULES_FILE = '.gitignore';
/** Git compares as the file system does, which elsewhere does not know cases. */
export const GIT_IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

export interface Verdict {
  readonly ignored: boolean;
  /** A rule takes the path back, and nothing above it is ignored. */
  readonly unignored: boolean;
}

/** Judges a path relative to the folder of the .gitignore, with `/`; that of a folder ends in `/`. */
type IgnoreRules = (relative: string) => Verdict;

/** Rules that were loosely decoded do as well: one odd byte in a comment must not stop anything. */
export function parseIgnoreRules(text: string): IgnoreRules {
  const matcher = ignore({ ignorecase: GIT_IGNORES_CASE }).add(text);
  return (relative) => matcher.test(nameInGit(relative));
}

/**
 * The line that ignores exactly one file beside the .gitignore; with `!` in front, the one that takes it back.
 * Throws for a name that no line can hold.
 */
export function ruleFor(file: string): string {
  if (/[\n\r\0/]/.test(file) || ['', '.', '..'].includes(file))
    throw new SentenceError(
      sentence`A ${RULES_FILE} cannot name ${JSON.stringify(file)}. Give the file another name.`,
    );
  // Behind the slash neither `#`, `!` nor a space at the beginning means anything; `]` does only after `[`.
  return `/${nameInGit(file).replace(/[\\*?[]| (?= *$)/g, '\\$&')}`;
}

/** A file name as git spells it: on macOS, where a disk may hold accents apart, it composes what it reads. */
export function nameInGit(file: string): string {
  return process.platform === 'darwin' ? file.normalize('NFC') : file;
}
