// The git on this machine, for tests that ask it what it makes of a folder.

import { execFileSync, spawnSync } from 'node:child_process';
import type { Context } from 'mocha';

/** Whoever runs the tests may sign their commits and have hooks of their own. */
const SETTINGS = [
  'user.name=Test',
  'user.email=test@example.invalid',
  'commit.gpgsign=false',
  'core.hooksPath=/dev/null',
].flatMap((setting) => ['-c', setting]);

const hasGit = spawnSync('git', ['--version']).status === 0;

/** Runs git in a folder and returns what it prints. Throws when git fails. */
export function git(folder: string, ...args: readonly string[]): string {
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', [...SETTINGS, ...args], options);
}

/** For a test or a hook: skips what it belongs to where there is no git, and says so. */
export function skipWithoutGit(context: Context): void {
  if (hasGit) return;
  console.warn('      No git on this machine: what it does is NOT tested.');
  context.skip();
}
