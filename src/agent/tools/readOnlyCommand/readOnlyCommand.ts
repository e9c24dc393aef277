// Whether a shell command only reads, and only inside the workspace. The line is taken apart, and each command in
// it looked up in a list with the flags that are known to do no harm; whatever is not known is not read-only.
//
// What is taken for granted: the programs on the PATH, the person's own settings of them, and that nobody puts
// links in place between the look and the run.

import path from 'node:path';
import { realPathInside } from '../../../base/containment.ts';
import { infoIfPresent } from '../../../base/files.ts';
import { readArguments, type Arguments } from './commandArguments.ts';
import { findPaths } from './findArguments.ts';
import { gitPaths } from './gitCommand.ts';
import { isPlainRepository } from './plainRepository.ts';
import { PROGRAMS, type Program } from './programs.ts';
import { isOfSmallSystem, findsProgramsOutside } from './programsOnPath.ts';
import { simpleCommands, type SimpleCommand } from './simpleCommands.ts';

/** Nobody writes a longer one by hand to look at something. */
const MAX_CHARS = 4_000;
/** Variables that make a shell or a program do more, go elsewhere, or take flags for paths. */
const CHANGES_MEANING = ['BASH_ENV', 'RIPGREP_CONFIG_PATH', 'POSIXLY_CORRECT'];

interface Surroundings {
  /** Absolute paths. The command runs in the first. */
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The one this runs on when left out. */
  readonly platform?: NodeJS.Platform;
}

/** Throws when the disk cannot be looked at. */
export async function isReadOnlyCommand(
  command: string,
  { folders, env, platform = process.platform }: Surroundings,
): Promise<boolean> {
  // Its shells read a line in other ways.
  if (platform === 'win32' || command.length > MAX_CHARS) return false;
  const [cwd] = folders;
  const commands = simpleCommands(command);
  if (cwd === undefined || !commands || CHANGES_MEANING.some((name) => env[name] !== undefined))
    return false;
  if (!(await findsProgramsOutside(env, folders))) return false;
  const place = { cwd, folders, env };
  const [first, ...others] = commands;
  if (first?.[0] !== 'cd') return allOnlyRead(commands, [place]);
  const inside = await placeOf(first, place);
  // It may fail, and what follows run where it was.
  return inside !== undefined && allOnlyRead(others, [place, inside]);
}

async function allOnlyRead(
  commands: readonly SimpleCommand[],
  places: readonly Place[],
): Promise<boolean> {
  for (const command of commands) {
    for (const place of places) {
      if (!(await onlyReads(command, place))) return false;
    }
  }
  return true;
}

interface Place extends Surroundings {
  readonly cwd: string;
}

/** Where `cd` leads. */
async function placeOf([, ...args]: SimpleCommand, place: Place): Promise<Place | undefined> {
  const [folder = ''] = args;
  // It names places where `cd` looks before the working folder.
  const looksElsewhere = place.env['CDPATH'] !== undefined;
  if (looksElsewhere || args.length !== 1 || folder.startsWith('-')) return undefined;
  if (!(await liesInside(args, place)) || !(await hasFolder(args, place))) return undefined;
  return { ...place, cwd: path.resolve(place.cwd, folder) };
}

async function onlyReads([name, ...args]: SimpleCommand, place: Place): Promise<boolean> {
  // It prints what it is given, flags or not.
  if (name === 'echo') return true;
  if (name === 'find') return liesInside(findPaths(args), place);
  if (name === 'git') {
    const paths = gitPaths(args);
    return (
      paths !== undefined &&
      (await isPlainRepository(place.cwd, place.env)) &&
      liesInside(paths, place)
    );
  }
  const program = PROGRAMS.get(name);
  const given = program && readArguments(args, program);
  if (!given) return false;
  const { operands, flags } = given;
  if (operands.length > (program.mostOperands ?? Infinity)) return false;
  if (program.operands === 'format') return operands.every((operand) => operand.startsWith('+'));
  if (!patternsOf(given, program).every((pattern) => program.patterns?.test(pattern) ?? true))
    return false;
  const isRecursive = program.recursiveFlags?.some((flag) => flags.includes(flag));
  if (isRecursive && (await isOfSmallSystem(name, place.env))) return false;
  return (
    (await liesInside(pathsOf(given, program), place)) &&
    (program.takesFolders !== false || !(await hasFolder(operands, place)))
  );
}

function pathsOf(given: Arguments, program: Program): readonly string[] {
  const { operands, paths } = given;
  if (program.operands === 'text') return paths;
  return [...paths, ...operands.slice(beginsWithPattern(given, program) ? 1 : 0)];
}

function patternsOf(given: Arguments, program: Program): readonly string[] {
  return beginsWithPattern(given, program) ? given.operands.slice(0, 1) : given.values;
}

function beginsWithPattern({ flags }: Arguments, { patternFlags }: Program): boolean {
  return patternFlags?.every((flag) => !flags.includes(flag)) ?? false;
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
