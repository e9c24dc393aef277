// bash: one shell command in the working folder. Whatever the command does, the result says how it ended.

import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import { OutputFile, type KeptOutput } from '../../base/outputFile.ts';
import { runShell, type ShellOptions, type ShellResult } from '../../base/shell.ts';
import type { Archive } from '../../context/archive.ts';
import { isReadOnlyCommand } from './readOnlyCommand/readOnlyCommand.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { checkedInput, declareTool, filledText, implementTool } from './declareTool.ts';
import { cutLine } from '../../base/lines.ts';
import { workingFolder } from './places/paths.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
/** Head and tail of the output together: errors stand at either end. */
const MAX_CHARS = 30_000;
/** A minified file that is printed by accident is one line. */
const MAX_LINE_CHARS = 2_000;
/** All that read_file takes from an archive in one piece, with room to spare. */
const MAX_KEPT_BYTES = 50_000_000;

const ALL_ENDED = 'The command and all it had started were ended.';

const bashDeclaration = declareTool({
  name: 'bash',
  description:
    'Runs a shell command in the workspace folder and returns its output and exit code. Each call is a new ' +
    'shell: cd and variables do not carry over. No input can be given and no editor opens, so avoid commands ' +
    'that ask, and give git its messages with -m. Output over 30,000 characters loses its middle, and lines over ' +
    '2,000 their end; the result then names a file with the whole output. Variables that hold keys, tokens or ' +
    "passwords are removed. On Windows the command runs in the user's command shell. Prefer read_file, glob and " +
    'grep for reading and searching.',
  readOnly: false,
  input: z.strictObject({
    command: filledText('The command line.'),
    timeout_ms: z.optional(
      z
        .int()
        .check(
          z.minimum(1),
          z.maximum(MAX_TIMEOUT_MS),
          z.describe('Ends the command after this many milliseconds. Default: 120000.'),
        ),
    ),
  }),
});

export interface BashOptions {
  readonly workspace: Workspace;
  /** Keeps what is too long for a result. Without one it is lost. */
  readonly archive?: () => Pick<Archive, 'startText' | 'pointer'>;
  readonly shell?: ShellOptions;
}

export function createBash({ workspace, archive, shell }: BashOptions): Tool {
  const bash = implementTool(bashDeclaration, async (input, signal) => {
    const timeoutMs = input.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const keeper = archive?.();
    const file =
      keeper && new OutputFile({ open: () => keeper.startText(), maxBytes: MAX_KEPT_BYTES });
    const result = await runShell(
      {
        ...shell,
        command: input.command,
        cwd: workingFolder(workspace),
        timeoutMs,
        maxChars: MAX_CHARS,
        ...(file ? { takeAll: (text) => file.write(text) } : {}),
      },
      signal,
    );
    const lines = linesToShow(result.output);
    const shown = lines.map((line) => cutLine(line, MAX_LINE_CHARS));
    const hasCutLine = shown.some((line, index) => line !== lines[index]);
    // A short output with a long line has made no file yet.
    if (file && hasCutLine && isUntouched(file.kept)) await file.write(result.output);
    const output = shown.join('\n').trimEnd();
    return [
      ...(output === '' ? [] : [output]),
      ...(keeper && file ? keptNotes(file.kept, keeper) : []),
      ...endingNotes(result, timeoutMs),
    ].join('\n');
  });
  return {
    ...bash,
    async preview(input) {
      checkedInput(bashDeclaration, input);
      return undefined;
    },
    async onlyReads(input) {
      try {
        const { command } = checkedInput(bashDeclaration, input);
        const env = shell?.env ?? process.env;
        return await isReadOnlyCommand(command, { folders: workspace.folders, env });
      } catch {
        // What cannot be looked into, for whatever reason, is not known to read only: the person is asked.
        return false;
      }
    },
  };
}

function linesToShow(output: string): string[] {
  return stripVTControlCharacters(output).replaceAll('\r\n', '\n').split('\n');
}

function isUntouched({ chars, lost }: KeptOutput): boolean {
  return chars === 0 && lost === 0;
}

function keptNotes(kept: KeptOutput, archive: Pick<Archive, 'pointer'>): string[] {
  const { file, chars, lost, problem } = kept;
  if (isUntouched(kept)) return [];
  const why = problem ?? `a file takes ${MAX_KEPT_BYTES} bytes at most.`;
  if (file === undefined || chars === 0) return [`[The whole output could not be kept: ${why}]`];
  const place = `${archive.pointer(file)}; read it with read_file, offset and limit`;
  return lost === 0
    ? [`[The whole output (${chars} characters) is in ${place}.]`]
    : [
        `[The first ${chars} characters of the output are in ${place}. ` +
          `The ${lost} after them could not be kept: ${why}]`,
      ];
}

function endingNotes({ ending, background }: ShellResult, timeoutMs: number): string[] {
  switch (ending.type) {
    case 'timedOut':
      return [`[Timed out after ${timeoutMs} ms. ${ending.problem ?? ALL_ENDED}]`];
    case 'stopped':
      return [`[Stopped by the user. ${ending.problem ?? ALL_ENDED}]`];
    case 'exited':
      return [...backgroundNotes(background), `[Exit code ${ending.code}]`];
    case 'killed':
      return [...backgroundNotes(background), `[Ended by ${ending.signal}]`];
  }
}

function backgroundNotes(pids: readonly number[]): string[] {
  return pids.length === 0 ? [] : [`[Still running in the background: process ${pids.join(', ')}]`];
}
