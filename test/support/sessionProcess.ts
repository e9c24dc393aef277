// Windows that use the same sessions, as processes of their own: they are told what to do, and may be killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from 'mocha';
import type { SessionAnswer, SessionCommand } from './sessionProgram.ts';

const PROGRAM = path.join(import.meta.dirname, 'sessionProgram.ts');

export interface SessionProcess {
  /** Commands are done in the order in which they come. */
  tell(command: SessionCommand): Promise<SessionAnswer>;
  /** The next answer, for a command with many; undefined when the process has ended. */
  next(): Promise<SessionAnswer | undefined>;
  /** Kills it as it is. When this resolves nothing of it runs any more. */
  kill(): Promise<void>;
}

/** Registers a hook that ends what a test started, and returns what starts a process. */
export function useSessionProcesses(): (
  file: string,
  ...nodeOptions: readonly string[]
) => SessionProcess {
  const running = new Set<SessionProcess>();
  afterEach(async () => {
    for (const each of running) await each.kill();
    running.clear();
  });
  return (file, ...nodeOptions) => {
    const started = start(file, nodeOptions);
    running.add(started);
    return started;
  };
}

function start(file: string, nodeOptions: readonly string[]): SessionProcess {
  const child = spawn(process.execPath, [...nodeOptions, PROGRAM, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // A process that is killed closes the pipe that is written to.
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function next(): Promise<SessionAnswer | undefined> {
    const { value, done } = await lines.next();
    return done ? undefined : (JSON.parse(value) as SessionAnswer);
  }

  return {
    next,
    async tell(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const answer = await next();
      assert.ok(answer, `The process ended at ${command.do}.`);
      return answer;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
