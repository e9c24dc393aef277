// Follows a command that runs in a window, which tells of itself by a file.

import fs from 'node:fs';
import { until } from './until.ts';

/** The first line of a file, as soon as it stands there. */
export async function firstLine(file: string): Promise<string> {
  return until(() => {
    const [line, rest] = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    return rest === undefined ? undefined : line;
  });
}

/** Waits until the process is gone. */
export async function ended(pid: string): Promise<void> {
  await until(() => {
    try {
      process.kill(Number(pid), 0);
      return undefined;
    } catch {
      return true;
    }
  });
}
