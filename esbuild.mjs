// Builds the extension: `node esbuild.mjs`. With the argument `tests`: the suites that run inside VS Code.
// Both load by require there, hence CommonJS.

import fs from 'node:fs';
import path from 'node:path';

import { build, transform } from 'esbuild';

import { thirdPartyNotices } from './scripts/thirdPartyNotices.mjs';

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

/**
 * In pieces: what is imported with `import()` is read from the disk when it is first used. esbuild splits only ES
 * modules, so each piece is turned into CommonJS afterwards.
 */
async function buildExtension() {
  const outdir = path.join(root, 'dist');
  const { outputFiles, metafile } = await build({
    ...common,
    format: 'esm',
    splitting: true,
    entryPoints: { extension: 'src/extension.ts' },
    outdir,
    external: ['vscode'],
    minify: true,
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    metafile: true,
    plugins: [withoutFrontMatterEngines],
  });
  // The names of the pieces change with what is in them.
  fs.rmSync(outdir, { recursive: true, force: true });
  fs.mkdirSync(outdir);
  for (const { path: file, text } of outputFiles) {
    const { code, map } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: common.target,
      supported: { 'dynamic-import': false },
      minify: true,
      sourcefile: file,
      // For debugging here; .vscodeignore keeps it out of the package.
      sourcemap: 'external',
      sourcesContent: false,
    });
    fs.writeFileSync(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
    fs.writeFileSync(`${file}.map`, map);
  }
  fs.writeFileSync(
    path.join(outdir, 'ThirdPartyNotices.txt'),
    `${thirdPartyNotices(metafile, root)}\n`,
  );
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
