// bash: one shell command in the working folder. Whatever the command does, the result says how it ended.

import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';
import { runShell, type ShellOptions, type ShellResult } from '../../base/shell.ts';
import type { Tool } from '../tools.ts';
import type { Workspace } from '../workspace.ts';
import { declareTool, filledText, implementTool } from './declareTool.ts';
import { cutLine } from './lines.ts';
import { workingFolder } from './paths.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
/** Head and tail of the output together: errors stand at either end. */
const MAX_CHARS = 30_000;
/** A minified file that is printed by accident is one line. */
const MAX_LINE_CHARS = 2_000;

const bashDeclaration = declareTool({
  name: 'bash',
  description:
    'Runs a shell command in the workspace folder and returns its output and exit code. Each call is a new ' +
    'shell: cd and variables do not carry over. No input can be given, so avoid commands that ask. Output over ' +
    '30,000 characters loses its middle. Variables that hold keys, tokens or passwords are removed. On Windows ' +
    "the command runs in the user's command shell. Prefer read_file, glob and grep for reading and searching.",
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

interface BashOptions {
  readonly workspace: Workspace;
  readonly shell?: ShellOptions;
}

export function createBash({ workspace, shell }: BashOptions): Tool {
  return implementTool(bashDeclaration, async (input, signal) => {
    const timeoutMs = input.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const result = await runShell(
      {
        ...shell,
        command: input.command,
        cwd: workingFolder(workspace),
        timeoutMs,
        maxChars: MAX_CHARS,
      },
      signal,
    );
    const output = stripVTControlCharacters(result.output)
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => cutLine(line, MAX_LINE_CHARS))
      .join('\n')
      .trimEnd();
    return [...(output === '' ? [] : [output]), ...endingNotes(result, timeoutMs)].join('\n');
  });
}

function endingNotes({ ending, background }: ShellResult, timeoutMs: number): string[] {
  if (ending.type === 'timedOut') {
    const how = ending.problem ?? 'The command and all it had started were ended.';
    return [`[Timed out after ${timeoutMs} ms. ${how}]`];
  }
  return [
    ...(background.length === 0
      ? []
      : [`[Still running in the background: process ${background.join(', ')}]`]),
    ending.type === 'exited' ? `[Exit code ${ending.code}]` : `[Ended by ${ending.signal}]`,
  ];
}
