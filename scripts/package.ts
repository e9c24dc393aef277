// Builds the extension and packs it: build/memory-agent.vsix, the file that a person installs.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { BUILD, ROOT, VSIX } from './places.ts';

const VSCE = path.join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce');

// Whoever tests the package must not find an older one when this fails.
fs.rmSync(VSIX, { force: true });
fs.mkdirSync(BUILD, { recursive: true });
node(path.join(ROOT, 'esbuild.mjs'));
// The bundle holds its dependencies, and the project has no public repository yet.
const noRepository = ['--allow-missing-repository', '--no-rewrite-relative-links'];
node(
  VSCE,
  'package',
  '--no-dependencies',
  ...noRepository,
  '--readme-path',
  readme(),
  '--out',
  VSIX,
);

/** Without pictures and links to files beside it: VS Code's page of an extension follows web addresses only. */
function readme(): string {
  const file = path.join(BUILD, 'README.md');
  const [forUsers = ''] = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('## Develop');
  const isFollowed = (line: string) => !/^\s*!\[|\]\([\w.-]+\.md\)/.test(line);
  fs.writeFileSync(file, forUsers.split('\n').filter(isFollowed).join('\n'));
  return path.relative(ROOT, file);
}

function node(...args: string[]): void {
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
}
