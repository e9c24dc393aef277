import assert from 'node:assert/strict';
import { referencesIn } from '../../../../src/memory/upkeep/references.ts';

const named = (text: string) => referencesIn(text).map(({ kind, name }) => `${kind} ${name}`);

describe('what a memory names of a project', () => {
  it('finds files with a folder, in code and in the sentence', () => {
    assert.deepEqual(
      named('The parser is in `src/parse/html.ts:12`, its tests in ./test/parse.test.ts.'),
      ['file src/parse/html.ts', 'file test/parse.test.ts'],
    );
    assert.deepEqual(named('- **.github/workflows/ci.yml** runs them (see docs/ci.md#start)'), [
      'file .github/workflows/ci.yml',
      'file docs/ci.md',
    ]);
    assert.deepEqual(named('入口在 `源码/入口.ts`，配置见 config/app.toml。'), [
      'file 源码/入口.ts',
      'file config/app.toml',
    ]);
  });

  it('finds folders in code only', () => {
    assert.deepEqual(named('Rules are in `src/rules/` and and/or elsewhere'), ['folder src/rules']);
  });

  it('finds package scripts in code and in the sentence', () => {
    assert.deepEqual(
      named('Run npm run lint, then `pnpm run test:unit --watch`; at last `npm test`.'),
      ['script test:unit', 'script test', 'script lint'],
    );
  });

  it('finds make targets and programs in code', () => {
    assert.deepEqual(named('Use `make deploy ENV=prod` and make sure it ends.'), ['target deploy']);
    assert.deepEqual(
      named('`NODE_ENV=test node --inspect scripts/seed.js` or `./scripts/up all`'),
      ['file scripts/seed.js', 'folder scripts/up'],
    );
  });

  it('finds commands in a fenced block, and nothing else there', () => {
    const text = '```sh\n$ npm run build\nbash scripts/release.sh\nimport x from lib/x.ts\n```\n';
    assert.deepEqual(named(text), ['script build', 'file scripts/release.sh']);
  });

  it('names a thing once', () => {
    assert.deepEqual(named('`src/a.ts` calls src/a.ts'), ['file src/a.ts']);
  });

  for (const text of [
    // Addresses.
    'https://example.com/docs/index.html and github.com/a/b/main.ts',
    '`git@host:team/app.ts` and `docker.io/library/app.yml`',
    // Elsewhere on the computer.
    '`/etc/nginx/app.conf`, `~/.config/app.toml`, `$HOME/x/a.sh`, `C:\\x\\a.ts`, `../other/a.ts`',
    // Patterns and placeholders.
    '`src/**/*.ts`, `src/<name>/a.ts`, `path/to/file.ts`, `src/{a,b}.ts`, `foo/bar.ts`',
    // Packages, aliases and names of products.
    '`@scope/pkg`, `@/components/a.tsx`, React/Vue.js and Express/Node.js',
    // Made by tools.
    '`dist/main.js`, `packages/a/build/x.js`, `node_modules/x/index.js`',
    // A single name may stand anywhere.
    '`settings.json`, `response.json`, CLAUDE.md',
    // What is said to be gone, to be made, or an example.
    '`src/old.ts` was removed. Renamed src/a.ts to something.',
    'Never create `docs/plan.md`. For example `src/some/thing.ts`. There is no `src/x/y.ts`',
    "It doesn't use `src/x/y.ts`",
    '不再使用 `src/x/y.ts`。',
    'It is in `infra/main.tf` of the platform repository',
    // Words with a slash.
    'and/or, client/server, 24/7, application/json, TCP/IP, 1.5/2.0',
    // Not scripts.
    'npm run scripts are slow, `npm run <name>`, `npm run test:*`, `bun run x.ts`, npm install',
    // Elsewhere in the project.
    '`cd web && make deploy`, `make -C web deploy`, `make a.o`',
  ]) {
    it(`finds nothing in: ${text}`, () => {
      assert.deepEqual(named(text), []);
    });
  }

  it('reads hostile text in no time', () => {
    const started = performance.now();
    for (const part of ['`', 'a/', '`a', 'npm run ', '.', '* ', '``` ', '- '])
      referencesIn(part.repeat(100_000));
    assert.ok(performance.now() - started < 3_000);
  });
});
