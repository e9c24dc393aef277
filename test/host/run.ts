// Runs the suites of this folder in the extension host of a real VS Code: the npm-installed server through the
// launcher, or a desktop VS Code that is downloaded. `node test/host/run.ts [desktop]`

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { runTests } from '@vscode/test-electron';

import { BUILD, ROOT } from '../../scripts/places.ts';

const FIXTURES = path.join(ROOT, 'test', 'host', 'fixtures');
const LAUNCHER = path.join(ROOT, 'scripts', 'vscodeLauncher.ts');

const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-host-'));
const host =
  process.argv[2] === 'desktop'
    ? { version: 'stable', launchArgs: [workspace] }
    : { vscodeExecutablePath: process.execPath, launchArgs: [LAUNCHER, workspace] };
try {
  await runTests({
    ...host,
    extensionDevelopmentPath: [ROOT, ...helperExtensions()],
    extensionTestsPath: path.join(BUILD, 'host', 'index.cjs'),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  fs.rmSync(workspace, { recursive: true, force: true });
}

/** Extensions that a suite needs beside ours, e.g. one with a language model that is not ours. */
function helperExtensions(): string[] {
  const entries = fs.existsSync(FIXTURES) ? fs.readdirSync(FIXTURES) : [];
  const folders = entries.map((entry) => path.join(FIXTURES, entry));
  return folders.filter((folder) => fs.existsSync(path.join(folder, 'package.json')));
}
