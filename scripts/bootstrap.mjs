// Runs a TypeScript program of this project: `node scripts/bootstrap.mjs scripts/test.ts unit`.
// Installs what package-lock.json asks for and finds a Node that runs TypeScript; says nothing when both are there.
// Plain JavaScript for Node 18 and later, since it runs before anything is installed. It starts the program itself:
// after `&&` a shell would take the Node that it looked up before the installation.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs TypeScript without flags and is a long-term release. */
const NODE_MAJOR = 24;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

if (!isInstalled()) install();
run(nodeForTypeScript(), process.argv.slice(2));

/** Compares npm's own list of what it installed with the lock file. Optional packages may be absent. */
function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(packagesOf('package-lock.json')).every(
    ([place, { version, optional }]) =>
      place === '' || installed[place]?.version === version || (optional && !installed[place]),
  );
}

/** @returns {Record<string, { version: string, optional?: boolean }>} */
function packagesOf(lockFile) {
  const file = path.join(root, lockFile);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).packages : {};
}

function install() {
  console.log('Installing packages…');
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: 'inherit',
      shell: windows,
    },
  );
  if (status !== 0) fail('npm ci failed; its message stands above.');
}

function nodeForTypeScript() {
  const installed = path.join(root, 'node_modules', '.bin', 'node');
  const node = [installed, process.execPath].find((candidate) => majorOf(candidate) >= NODE_MAJOR);
  return (
    node ??
    fail(`Node ${NODE_MAJOR} or later is needed, this is ${process.version}: https://nodejs.org`)
  );
}

/** The major version, or 0 when the file is no Node for this machine. */
function majorOf(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1] ?? 0) : 0;
}

function run(node, args) {
  // Programs that ours start (npm, mocha) must find the same Node.
  const PATH = [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH].join(
    path.delimiter,
  );
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } });
  // Ctrl+C reaches the program too, by the terminal. It cleans up and ends, then so do we.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
