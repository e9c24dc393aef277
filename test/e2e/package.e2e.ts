import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { VSIX } from '../../scripts/places.ts';
import { installExtension } from '../../scripts/serverProcess.ts';

const MAX_BYTES = 1_500_000;

describe('the package', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-package-'));
  let folder: string;
  let files: readonly string[];
  before(() => {
    installExtension(home, VSIX);
    const extensions = path.join(home, 'extensions');
    const [name = ''] = fs
      .readdirSync(extensions)
      .filter((each) => each.startsWith('memory-agent'));
    folder = path.join(extensions, name);
    files = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => fs.statSync(path.join(folder, file)).isFile())
      .map((file) => file.split(path.sep).join('/'));
  });
  after(() => fs.rmSync(home, { recursive: true, force: true }));

  it('holds what is needed, and nothing else', () => {
    const pieces = files.filter((file) => /^dist\/[a-z]+-[0-9A-Z]{8}\.cjs$/.test(file));
    assert.deepEqual(
      files.filter((file) => !pieces.includes(file)).toSorted(),
      [
        '.vsixmanifest',
        'LICENSE.txt',
        'changelog.md',
        'dist/ThirdPartyNotices.txt',
        'dist/extension.cjs',
        'l10n/bundle.l10n.zh-cn.json',
        ...pictures(),
        'package.json',
        'package.nls.json',
        'package.nls.zh-cn.json',
        'readme.md',
      ].toSorted(),
    );
  });

  it('is small', () => {
    assert.ok(fs.statSync(VSIX).size <= MAX_BYTES, `${fs.statSync(VSIX).size} bytes`);
  });

  it('names the licence of all that is bundled', () => {
    const text = read('dist/ThirdPartyNotices.txt');
    const { dependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
    for (const [name, version] of Object.entries(dependencies))
      assert.ok(text.includes(`\n${name} ${String(version)} (`), name);
    assert.match(text, /Permission is hereby granted/);
  });

  it('has a README without pictures that its page could not show', () => {
    assert.match(read('readme.md'), /^# Memory Agent/);
    assert.doesNotMatch(read('readme.md'), /!\[[^\]]*\]\((?!https:)/);
  });

  for (const [name, words] of [
    ['claude', 'anthropic-version'],
    ['answer', 'The consolidation has ended.'],
    ['agent', 'Lists files of the workspace by name'],
  ] as const) {
    it(`reads the piece ${name} only when it is used`, () => {
      const piece = files.find((file) => file.startsWith(`dist/${name}-`)) ?? '';
      assert.ok(read(piece).includes(words));
      const others = files.filter((file) => file.endsWith('.cjs') && file !== piece).map(read);
      assert.ok(others.every((code) => !code.includes(words)));
      const uses = others.flatMap((code) => code.split(path.basename(piece)).slice(0, -1));
      assert.ok(uses.length > 0);
      for (const before of uses) assert.match(before, /\.then\(\(\)=>\w+\(require\("\.\/$/);
    });
  }

  function read(file: string): string {
    return fs.readFileSync(path.join(folder, file), 'utf8');
  }
});

/** Those that package.json shows. */
function pictures(): readonly string[] {
  const named = fs.readFileSync('package.json', 'utf8').matchAll(/"(media\/[^"]+)"/g);
  return [...new Set(Array.from(named, ([, file = '']) => file))];
}
