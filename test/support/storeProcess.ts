// Windows that work on the same memories, as processes of their own: they are told what to do, and may be killed.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach } from 'mocha';
import { bundleProgram } from './bundledProgram.ts';
import type { Answer, Command } from './storeProgram.ts';
import { newTempFolder } from './tempFolder.ts';

const PROGRAM = path.join(import.meta.dirname, 'storeProgram.ts');
const BUNDLE = 'program.mjs';

export interface StoreProcess {
  /** Undefined when the process was killed before it answered. Commands are done in the order in which they come. */
  ask(command: Command): Promise<Answer | undefined>;
  /** Like `ask`, for a command that must succeed. */
  tell(command: Command): Promise<Answer>;
  /** Kills it as it is. When this resolves nothing of it runs any more. */
  kill(): Promise<void>;
}

interface StoreProcesses {
  /** A fresh folder for each test, with those of the memories in it. */
  readonly path: string;
  start(options?: {
    readonly folder?: string;
    readonly personal?: string;
    /** Of the user to run as; only root can choose. */
    readonly uid?: number;
    /** Of a shell, before the program takes its place. */
    readonly prepare?: string;
  }): StoreProcess;
}

/** Registers hooks that give each test a fresh folder, and end what it started. */
export function useStoreProcesses(): StoreProcesses {
  const folder = { path: '' };
  const running = new Set<StoreProcess>();
  let code = '';

  before(async () => {
    code = await newTempFolder();
    // Another user may run it too.
    await fs.chmod(code, 0o755);
    await bundleProgram(PROGRAM, path.join(code, BUNDLE));
  });
  after(() => fs.rm(code, { recursive: true, force: true }));
  beforeEach(async () => {
    folder.path = await newTempFolder();
  });
  afterEach(async () => {
    for (const each of running) await each.kill();
    running.clear();
    await fs.rm(folder.path, { recursive: true, force: true });
  });

  return {
    get path() {
      return folder.path;
    },
    start({
      folder: memories = path.join(folder.path, '.memory'),
      personal = path.join(folder.path, 'personal'),
      uid,
      prepare,
    } = {}) {
      const program = [process.execPath, path.join(code, BUNDLE), memories, personal];
      const [command = '', ...args] =
        prepare === undefined ? program : ['sh', '-c', `${prepare}; exec "$@"`, 'sh', ...program];
      const child = spawn(command, args, {
        stdio: ['pipe', 'pipe', 'inherit'],
        ...(uid !== undefined && { uid, gid: uid }),
      });
      const started = handleOf(child);
      running.add(started);
      return started;
    },
  };
}

function handleOf(child: ChildProcess): StoreProcess {
  const { stdin, stdout } = child;
  assert.ok(stdin && stdout);
  const waiting: ((answer: Answer | undefined) => void)[] = [];
  // A process that is killed closes the pipe that is written to.
  stdin.on('error', () => undefined);
  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => waiting.shift()?.(JSON.parse(line) as Answer));
  let ended = false;
  const closed = once(child, 'close').then(() => {
    ended = true;
    for (const answer of waiting.splice(0)) answer(undefined);
  });

  function ask(command: Command): Promise<Answer | undefined> {
    if (ended) return Promise.resolve(undefined);
    const answer = new Promise<Answer | undefined>((resolve) => waiting.push(resolve));
    stdin?.write(`${JSON.stringify(command)}\n`);
    return answer;
  }

  return {
    ask,
    async tell(command) {
      const answer = await ask(command);
      assert.ok(answer, `The process ended at ${JSON.stringify(command)}`);
      assert.equal(answer.error, undefined, `${command.do}: ${answer.error?.message}`);
      return answer;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
