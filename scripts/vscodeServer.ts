// Installs VS Code's server build, a real VS Code with its window in a browser, for tests and `npm start`.
// It comes from the npm package code-server, of which only `lib/vscode` is taken, checked by hash, and kept.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { CACHE } from './places.ts';

/** 4.139.1 holds VS Code 1.139.1. */
const VERSION = '4.139.1';
const INTEGRITY =
  'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==';
/** Raise it when this file changes what it installs. */
const RECIPE = 2;

const FOLDER = path.join(CACHE, 'vscode-server');
const STAMP = '.installed';

/** Bundled extensions that nothing here uses and that are large or want a network. */
const SKIPPED_EXTENSIONS = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];

const SKIPPED_PACKAGES = [
  // The host for Copilot's own agent, and its sandbox.
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  'ssh2',
  'tar',
  'detect-libc',
  // Telemetry upload, Windows, Kerberos.
  '@microsoft/1ds-post-js',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'kerberos',
  'node-addon-api',
  // Native code without a prebuilt binary, which would need a compiler. STUBS stand in for it.
  '@vscode/spdlog',
  '@vscode/native-watchdog',
];

const STUBS = {
  '@vscode/native-watchdog':
    'exports.start = () => {};\nexports.exit = (code) => process.exit(code);\n',
  // Writes the log files that tests read, e.g. the one of our output channel.
  '@vscode/spdlog': `const fs = require('node:fs');
const path = require('node:path');
const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(kind, name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
  }
  write(level, text) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    const line = this.raw ? text : time + ' [' + LEVELS[level] + '] ' + text + '\\n';
    try {
      fs.appendFileSync(this.file, line);
    } catch {
      // The profile folder is removed while the server ends.
    }
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  clearFormatters() { this.raw = true; }
  setPattern() {}
  flush() {}
  drop() {}
}
LEVELS.forEach((name, level) => {
  const method = name === 'warning' ? 'warn' : name;
  Logger.prototype[method] = function (text) { this.write(level, text); };
});
const create = async (name, file) => {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
};
// One by one: VS Code imports this as a module, and Node finds only names that are exported like this.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
`,
};

/** The server's entry point, installed first when this version is not there yet (about 10 s, 240 MB). */
export function vscodeServerEntry(): string {
  const stamp = path.join(FOLDER, STAMP);
  const installed = fs.existsSync(stamp) ? fs.readFileSync(stamp, 'utf8') : '';
  if (installed !== `${VERSION} ${RECIPE}`) install();
  return path.join(FOLDER, 'out', 'server-main.js');
}

function install(): void {
  console.log('Installing a VS Code server (240 MB, once)…');
  const unfinished = `${FOLDER}.${process.pid}`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { recursive: true });
  try {
    unpack(unfinished);
    installPackages(unfinished);
    writeStubs(unfinished);
    fs.writeFileSync(path.join(unfinished, STAMP), `${VERSION} ${RECIPE}`);
    fs.rmSync(FOLDER, { recursive: true, force: true });
    fs.renameSync(unfinished, FOLDER);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

function unpack(folder: string): void {
  const packed = npm(folder, 'pack', '--silent', `code-server@${VERSION}`)
    .trim()
    .split('\n')
    .at(-1);
  const archive = path.join(folder, packed ?? '');
  const hash = createHash('sha512').update(fs.readFileSync(archive)).digest('base64');
  if (`sha512-${hash}` !== INTEGRITY) {
    throw new Error(`code-server@${VERSION} is not the package that was checked: sha512-${hash}.`);
  }
  const inside = 'package/lib/vscode';
  const excluded = SKIPPED_EXTENSIONS.map((name) => `--exclude=${inside}/extensions/${name}`);
  execFileSync('tar', ['xzf', archive, '--strip-components=3', ...excluded, inside], {
    cwd: folder,
  });
  fs.rmSync(archive);
}

/** The versions come from the npm-shrinkwrap.json that VS Code ships. */
function installPackages(folder: string): void {
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of SKIPPED_PACKAGES) delete manifest.dependencies[name];
  fs.writeFileSync(file, JSON.stringify(manifest, null, 2));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  npm(folder, 'install', '--omit=dev', '--ignore-scripts', ...quiet);
}

function writeStubs(folder: string): void {
  for (const [name, code] of Object.entries(STUBS)) {
    const place = path.join(folder, 'node_modules', name);
    fs.mkdirSync(place, { recursive: true });
    const manifest = { name, version: '0.0.0-stub', main: 'index.js' };
    fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify(manifest));
    fs.writeFileSync(path.join(place, 'index.js'), code);
  }
}

function npm(folder: string, ...args: string[]): string {
  return execFileSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
}
