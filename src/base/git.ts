// Asks the git on this machine, and only ever asks: nothing is written, fetched or prompted for, and no program
// that a repository names is run.

import { execFile } from 'node:child_process';
import os from 'node:os';
import { nameInGit, RULES_FILE } from './ignoreRules.ts';

/** An answer takes milliseconds; a list of what is tracked on a slow network disk may take a second. */
const TIME_LIMIT_MS = 5_000;
/** Of output: 100,000 long paths. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Settings of a repository that would run a program of its choice. */
const SAFE_SETTINGS = [
  // Empty, since before 2.36 `false` was taken for the name of a program.
  'core.fsmonitor=',
  'core.hooksPath=/dev/null',
  // A folder among the files of a project can look like a repository, with settings that came with the project.
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting]);

/** On Windows a program is looked for in the working folder first, so that must never be a project's. */
const NEUTRAL_FOLDER = process.platform === 'win32' ? os.homedir() : '/';

/** Say where git and its settings are; all others may be left from a git that started the editor. */
const KEPT_VARIABLES = new Set([
  'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]);

/**
 * What git tracks in a folder and below, relative to it, with `/`. Undefined when git gives no answer: it is not
 * installed, does not trust the repository or is too slow, or the folder lies in no repository.
 */
export async function trackedFiles(folder: string): Promise<ReadonlySet<string> | undefined> {
  const names = await askGit(folder, ['ls-files', '-z']);
  return names && new Set(names);
}

/**
 * The rule that keeps git from seeing a file, as `<where>:<line>:<pattern>`. Undefined when none does, when it is
 * one of the folder's own .gitignore, when git tracks the file all the same, and when it gives no answer.
 */
export async function ignoringRule(folder: string, file: string): Promise<string | undefined> {
  // The dot keeps a colon at the beginning of a name from meaning something to git.
  const input = `./${nameInGit(file)}\0`;
  const answer = await askGit(folder, ['check-ignore', '--verbose', '-z', '--stdin'], input);
  const [source, line, pattern] = answer ?? [];
  // A rule that takes the file back is named as well.
  if (!source || !pattern || pattern.startsWith('!')) return undefined;
  const [prefix] = (await askGit(folder, ['rev-parse', '--show-prefix'])) ?? [];
  if (source === prefix?.replace(/\n$/, RULES_FILE)) return undefined;
  return `${source}:${line}:${pattern}`;
}

/** What git prints, split at NUL, or undefined when it fails. */
function askGit(
  folder: string,
  args: readonly string[],
  input = '',
): Promise<readonly string[] | undefined> {
  const all = ['--no-pager', ...SAFE_SETTINGS, '-C', folder, ...args];
  const options = {
    cwd: NEUTRAL_FOLDER,
    env: gitEnvironment(),
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    const child = execFile('git', all, options, (error, stdout) => {
      // Why it fails is the same to the caller, who must do without git then. When nothing is ignored that
      // counts as a failure too, with nothing to tell.
      resolve(error ? undefined : stdout.split('\0').filter((part) => part !== ''));
    });
    // A git that is not there, or gone before it has read, is told of by how it ended.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^GIT_/i.test(name) || KEPT_VARIABLES.has(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would fetch what it lacks, by programs that its settings name.
    GIT_ALLOW_PROTOCOL: 'none',
  };
}
