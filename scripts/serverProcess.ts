// Runs the VS Code server on a profile folder of its own: start, address of a window, end.
// The server's environment is the extension host's, so keys of the machine it runs on are kept out of it.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { vscodeServerEntry } from './vscodeServer.ts';

interface ServerOptions {
  /** Folder for user data, extensions and server data; made when it is not there. */
  readonly home: string;
  /** The extension host's environment, over that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** A free one is taken when left out. */
  readonly port?: number;
  /** Lets the window run test suites. It hides toasts, so tests of what a person sees go without. */
  readonly testDriver?: boolean;
  /** Folders open as ones that the person has not trusted. */
  readonly untrusted?: boolean;
  readonly onOutput?: (text: string) => void;
}

export interface RunningServer {
  readonly port: number;
  /** Address of a window on a folder or a .code-workspace file, or an empty one. */
  windowUrl(open: string | undefined, payload?: readonly (readonly [string, string])[]): string;
  /** A file of this machine as the window names it. */
  remoteUri(file: string): string;
  /** Rejects when the server ends without `stop`. */
  readonly crashed: Promise<never>;
  stop(): Promise<void>;
}

/** Long enough for a busy machine; a start takes 1 to 5 s. */
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 3_000;

export async function startServerProcess(options: ServerOptions): Promise<RunningServer> {
  const server = spawn(
    process.execPath,
    [
      vscodeServerEntry(),
      '--host=127.0.0.1',
      `--port=${options.port ?? 0}`,
      '--without-connection-token',
      '--telemetry-level=off',
      ...(options.untrusted ? [] : ['--disable-workspace-trust']),
      ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
      ...profileArguments(options.home),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...cleanEnvironment(), ...options.env } },
  );
  // However this process ends, the server must not outlive it.
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  let stopping = false;
  let log = '';
  const crashed = once(server, 'exit').then(([code]): Promise<never> => {
    process.off('exit', kill);
    return stopping
      ? new Promise(() => {})
      : Promise.reject(
          new Error(`The VS Code server ended with ${String(code)}.\n${log.slice(-4000)}`),
        );
  });
  crashed.catch(() => {});
  const listening = new Promise<number>((resolve) => {
    const read = (data: Buffer) => {
      const text = data.toString();
      log += text;
      options.onOutput?.(text);
      const port = /agent listening on (\d+)/.exec(log)?.[1];
      if (port) resolve(Number(port));
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
  });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    stopping = true;
    const gone = once(server, 'exit');
    server.kill('SIGTERM');
    const last = setTimeout(kill, STOP_LIMIT_MS);
    await gone;
    clearTimeout(last);
  };
  const port = await Promise.race([listening, crashed, late()]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const remoteUri = (file: string) => `vscode-remote://127.0.0.1:${port}${encodeURI(file)}`;
  return {
    port,
    remoteUri,
    windowUrl: (open, payload = []) => {
      const query = new URLSearchParams(
        open === undefined
          ? { ew: 'true' }
          : { [open.endsWith('.code-workspace') ? 'workspace' : 'folder']: path.resolve(open) },
      );
      if (payload.length > 0) query.set('payload', JSON.stringify(payload));
      return `http://127.0.0.1:${port}/?${query.toString()}`;
    },
    crashed,
    stop,
  };
}

/** Installs a packaged extension into a profile. */
export function installExtension(home: string, vsix: string): void {
  execFileSync(
    process.execPath,
    [vscodeServerEntry(), '--install-extension', vsix, '--force', ...profileArguments(home)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** Adds unpacked extensions to a profile. Before its first start: later its list of extensions is fixed. */
export function linkExtensions(home: string, folders: readonly string[]): void {
  const extensions = path.join(home, 'extensions');
  fs.mkdirSync(extensions, { recursive: true });
  fs.rmSync(path.join(extensions, 'extensions.json'), { force: true });
  for (const folder of folders) {
    const manifest = fs.readFileSync(path.join(folder, 'package.json'), 'utf8');
    const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
    const link = path.join(extensions, `${publisher}.${name}-${version}`);
    fs.rmSync(link, { recursive: true, force: true });
    fs.symlinkSync(path.resolve(folder), link, 'dir');
  }
}

export function writeUserSettings(home: string, settings: object): void {
  const folder = path.join(home, 'user-data', 'User');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

function profileArguments(home: string): string[] {
  return [
    '--accept-server-license-terms',
    `--user-data-dir=${path.join(home, 'user-data')}`,
    `--extensions-dir=${path.join(home, 'extensions')}`,
    `--server-data-dir=${path.join(home, 'server-data')}`,
  ];
}

/** A test that found the developer's key would talk to the real API. Who wants one passes it in `env`. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ANTHROPIC_'));
  return Object.fromEntries(kept);
}

function late(): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () =>
      reject(new Error(`The VS Code server said nothing for ${START_LIMIT_MS} ms.`));
    setTimeout(fail, START_LIMIT_MS).unref();
  });
}
