// Whether a shell command only reads, and only inside the workspace. The line is taken apart, and each command in
// it looked up in a list with the flags that are known to do no harm; whatever is not known is not read-only.
//
// What is taken for granted: the programs on the PATH, the person's own settings of them, and that nobody puts
// links in place between the look and the run.

import path from 'node:path';
import { isInside, realPathInside } from '../../base/containment.ts';
import { infoIfPresent } from '../../base/files.ts';
import { readArguments, type Arguments } from './commandArguments.ts';
import { findArguments } from './findArguments.ts';
import { gitCommand } from './gitCommand.ts';
import { isPlainRepository } from './plainRepository.ts';
import { PROGRAMS, type Program } from './programs.ts';
import { simpleCommands, type SimpleCommand } from './shellWords.ts';

/** Nobody writes a longer one by hand to look at something. */
const MAX_CHARS = 4_000;
/** A file of the person's that the shell, or a program, takes commands from. */
const TAKES_ORDERS_FROM = ['BASH_ENV', 'RIPGREP_CONFIG_PATH'];

interface Surroundings {
  /** Absolute paths. The command runs in the first. */
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The one this runs on when left out. */
  readonly platform?: NodeJS.Platform;
}

/** Throws when the disk cannot be looked at. */
export async function readOnlyCommand(
  command: string,
  { folders, env, platform = process.platform }: Surroundings,
): Promise<boolean> {
  // Its shells read a line in other ways.
  if (platform === 'win32' || command.length > MAX_CHARS) return false;
  const [cwd] = folders;
  const commands = simpleCommands(command);
  if (cwd === undefined || !commands || !runsKnownPrograms(env, folders)) return false;
  for (const each of commands) {
    if (!(await onlyReads(each, { cwd, folders, env }))) return false;
  }
  return true;
}

interface Place extends Surroundings {
  readonly cwd: string;
}

async function onlyReads([name, ...args]: SimpleCommand, place: Place): Promise<boolean> {
  if (name === 'find') return liesInside(findArguments(args), place);
  if (name === 'git') {
    const paths = gitCommand(args);
    return (
      paths !== undefined &&
      (await isPlainRepository(place.cwd, place.env)) &&
      liesInside(paths, place)
    );
  }
  const program = PROGRAMS.get(name);
  const given = program && readArguments(args, program);
  if (!given) return false;
  const { operands } = given;
  if (operands.length > (program.mostOperands ?? Infinity)) return false;
  if (program.operands === 'format') return operands.every((operand) => operand.startsWith('+'));
  return (
    (await liesInside(pathsOf(given, program), place)) &&
    (program.takesFolders !== false || !(await hasFolder(operands, place)))
  );
}

function pathsOf({ flags, operands, paths }: Arguments, program: Program): readonly string[] {
  if (program.operands === 'text') return paths;
  const isPatternElsewhere = program.patternFlags?.some((flag) => flags.includes(flag)) ?? true;
  return [...paths, ...operands.slice(isPatternElsewhere ? 0 : 1)];
}

async function liesInside(
  paths: readonly string[] | undefined,
  { cwd, folders }: Place,
): Promise<boolean> {
  if (!paths) return false;
  for (const written of paths) {
    // Some programs take a plus for the beginning of an old kind of flag.
    if (written.startsWith('+') || written.split(/[/:]/).includes('..')) return false;
    if ((await realPathInside(folders, path.resolve(cwd, written))) === undefined) return false;
  }
  return true;
}

async function hasFolder(paths: readonly string[], { cwd }: Place): Promise<boolean> {
  const infos = await Promise.all(paths.map((each) => infoIfPresent(path.resolve(cwd, each))));
  return infos.some((info) => info?.kind === 'folder');
}

/** Not when the name of a program could stand for a file of the workspace. */
function runsKnownPrograms(env: NodeJS.ProcessEnv, folders: readonly string[]): boolean {
  const places = (env['PATH'] ?? '').split(path.delimiter);
  return (
    TAKES_ORDERS_FROM.every((name) => env[name] === undefined) &&
    places.every(
      (place) => path.isAbsolute(place) && !folders.some((folder) => isInside(folder, place)),
    )
  );
}
