// The program that takes a command line on each kind of system.

interface ShellProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the arguments are the rest of the command line as they stand, and Node is to quote nothing. */
  readonly isVerbatim: boolean;
}

/** On Windows the person's own shell, cmd.exe as a rule. Throws when it cannot run such a command. */
export function shellProgram(
  command: string,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): ShellProgram {
  if (platform !== 'win32') return { file: 'bash', args: ['-c', command], isVerbatim: false };
  const file = env['ComSpec'] ?? 'powershell.exe';
  if (/powershell|pwsh/i.test(file)) {
    const args = ['-NoProfile', '-NonInteractive', '-Command', command];
    return { file, args, isVerbatim: false };
  }
  const line = command.trim();
  if (/[\r\n]/.test(line)) {
    // It would run the first line, and say nothing of the others.
    throw new Error('cmd.exe takes one line at a time. Join the commands with "&&" or "&".');
  }
  // Code page 65001 is UTF-8: without it output comes in the code page of the country. With /s cmd.exe takes off
  // the outer quotes and leaves those of the command alone.
  return { file, args: ['/d', '/s', '/c', `"chcp 65001>nul & ${line}"`], isVerbatim: true };
}
