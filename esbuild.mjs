// Builds the extension: `node esbuild.mjs`. With the argument `tests`: the suites that run inside VS Code.
// Both load by require there, hence CommonJS.

import fs from 'node:fs';
import path from 'node:path';

import { build } from 'esbuild';

const root = import.meta.dirname;

/** What both share. The oldest VS Code that we support runs Node 22. */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  outExtension: { '.js': '.cjs' },
  logLevel: 'warning',
};

/**
 * gray-matter's own engines are YAML 1.1 and `eval`. record.ts gives it others, so these are left out:
 * the package is smaller, and holds nothing that runs code from a file.
 */
const withoutFrontMatterEngines = {
  name: 'without-front-matter-engines',
  setup({ onLoad }) {
    onLoad({ filter: /gray-matter[\\/]lib[\\/]engines\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

if (process.argv[2] === 'tests') await buildHostTests();
else await buildExtension();

async function buildExtension() {
  await build({
    ...common,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    external: ['vscode'],
    minify: true,
    // For debugging here; .vscodeignore keeps it out of the package.
    sourcemap: true,
    sourcesContent: false,
    plugins: [withoutFrontMatterEngines],
  });
}

async function buildHostTests() {
  const folder = path.join(root, 'test', 'host');
  const suites = fs.readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  // A suite that was deleted must not go on running.
  fs.rmSync(path.join(root, 'build', 'host'), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: ['index.ts', ...suites].map((name) => path.join(folder, name)),
    outdir: 'build/host',
    // One Mocha for the runner and the suites.
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
  });
}
