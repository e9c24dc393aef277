// `npm start`: opens a real VS Code with the extension and a sample workspace, which is kept over starts.
// With ANTHROPIC_API_KEY it talks to Claude, else to a local replay of the story in the README. `--port N` for the
// window's address when there is no desktop VS Code.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { startFakeMessagesApi } from '../test/support/fakeMessagesApi.ts';
import { STORY_MODELS, STORY_PROMPTS, storyResponder } from '../test/support/story.ts';
import { CACHE, ROOT } from './places.ts';
import { linkExtensions, startServerProcess, writeUserSettings } from './serverProcess.ts';

/** The same at every start, since the browser keeps chats and view states by address. */
const USUAL_PORT = 3117;
const WORKSPACE = path.join(CACHE, 'sample-workspace');
const PROFILE = path.join(CACHE, 'start-profile');
const SETTINGS = {
  // The sample workspace lies in this repository, and is not part of it.
  'git.openRepositoryInParentFolders': 'never',
  'workbench.startupEditor': 'readme',
  'workbench.secondarySideBar.defaultVisibility': 'visible',
};

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => interrupted.abort());
}

build();
prepareWorkspace();
const model = await chooseModel();
const code = desktopCode();
if (code) await runDesktop(code);
else await runServer();
await model.stop();

function build(): void {
  const { status } = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function prepareWorkspace(): void {
  if (!fs.existsSync(WORKSPACE)) {
    fs.cpSync(path.join(ROOT, 'sample'), WORKSPACE, { recursive: true });
  }
  const settings = path.join(PROFILE, 'user-data', 'User', 'settings.json');
  if (!fs.existsSync(settings)) writeUserSettings(PROFILE, SETTINGS);
}

interface ModelBehind {
  /** What the extension host finds in its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly words: string;
  stop(): Promise<void>;
}

async function chooseModel(): Promise<ModelBehind> {
  const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = process.env;
  if (ANTHROPIC_API_KEY) {
    const address = ANTHROPIC_BASE_URL ? { ANTHROPIC_BASE_URL } : {};
    return {
      env: { ANTHROPIC_API_KEY, ...address },
      words: `Claude answers, with your ANTHROPIC_API_KEY${ANTHROPIC_BASE_URL ? ` at ${ANTHROPIC_BASE_URL}` : ''}.`,
      stop: () => Promise.resolve(),
    };
  }
  const replay = await startFakeMessagesApi({ respond: storyResponder, models: STORY_MODELS });
  return {
    env: { ANTHROPIC_API_KEY: 'replay', ANTHROPIC_BASE_URL: replay.url },
    words: [
      'No ANTHROPIC_API_KEY is set, so no model answers but a recorded replay. It knows these prompts in Chat:',
      ...STORY_PROMPTS.map((prompt) => `  @memory ${prompt}`),
      'To talk to Claude, stop this and start it again with ANTHROPIC_API_KEY set.',
    ].join('\n'),
    stop: () => replay.close(),
  };
}

/** The desktop VS Code's command, where it is on the path. */
function desktopCode(): string | undefined {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

async function runDesktop(code: string): Promise<void> {
  const windows = process.platform === 'win32';
  const args = [
    `--extensionDevelopmentPath=${ROOT}`,
    `--user-data-dir=${path.join(PROFILE, 'user-data')}`,
    '--disable-workspace-trust',
    '--new-window',
    // Returns when the window is closed.
    '--wait',
    WORKSPACE,
  ];
  console.log(
    `VS Code opens with the extension.\n${model.words}\nClose its window, or press Ctrl+C, to end.`,
  );
  const child = spawn(
    windows ? `"${code}"` : code,
    windows ? args.map((arg) => `"${arg}"`) : args,
    {
      stdio: 'inherit',
      env: { ...process.env, ...model.env },
      shell: windows,
    },
  );
  interrupted.signal.addEventListener('abort', () => child.kill());
  await once(child, 'exit');
}

async function runServer(): Promise<void> {
  linkExtensions(PROFILE, [ROOT]);
  const port = values.port === undefined ? await freePort() : Number(values.port);
  const server = await startServerProcess({ home: PROFILE, env: model.env, port });
  console.log(
    `\nVS Code with Memory Agent: ${server.windowUrl(WORKSPACE)}\n${model.words}\nPress Ctrl+C to end.`,
  );
  const stopped = new Promise<void>((resolve) => {
    if (interrupted.signal.aborted) resolve();
    interrupted.signal.addEventListener('abort', () => resolve());
  });
  await Promise.race([stopped, server.crashed]);
  await server.stop();
}

/** The usual port, or any when that is taken. */
async function freePort(): Promise<number> {
  const probe = net.createServer();
  const usual = new Promise<number>((resolve) => {
    probe.once('error', () => resolve(0));
    probe.listen(USUAL_PORT, '127.0.0.1', () => probe.close(() => resolve(USUAL_PORT)));
  });
  return usual;
}
