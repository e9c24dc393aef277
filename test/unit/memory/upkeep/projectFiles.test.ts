import assert from 'node:assert/strict';
import path from 'node:path';
import { projectFiles } from '../../../../src/memory/upkeep/projectFiles.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const { signal } = new AbortController();

describe('what a project has', () => {
  const temp = useTempFolder();

  async function projectOf(files: Readonly<Record<string, string>>) {
    await writeTree(temp.path, files);
    return projectFiles([temp.path], signal);
  }

  it('has a file at its path and by the end of its path, in any case of the letters', async () => {
    const project = await projectOf({ 'packages/net/src/http.ts': '' });
    for (const name of ['packages/net/src/http.ts', 'src/http.ts', 'net/src', 'SRC/HTTP.ts'])
      assert.equal(await project.has(name), true, name);
    for (const name of ['src/https.ts', 'rc/http.ts', 'src/http'])
      assert.equal(await project.has(name), false, name);
  });

  it('has what is written with the name of its own folder, and what a package holds', async () => {
    const project = await projectOf({
      'a.ts': '',
      '.gitignore': 'node_modules',
      'node_modules/lib/x.js': '',
    });
    assert.equal(await project.has(`${path.basename(temp.path)}/a.ts`), true);
    assert.equal(await project.has('lib/x.js'), true);
  });

  it('has what git ignores, when it stands at the very path', async () => {
    const project = await projectOf({ '.gitignore': 'local/', 'local/env.sh': '' });
    assert.equal(await project.has('local/env.sh'), true);
  });

  it('counts all its folders as one', async () => {
    await writeTree(temp.path, { 'web/src/a.ts': '', 'api/src/b.ts': '' });
    const folders = ['web', 'api'].map((name) => path.join(temp.path, name));
    const project = projectFiles(folders, signal);
    assert.equal(await project.has('src/a.ts'), true);
    assert.equal(await project.has('src/b.ts'), true);
    assert.equal(await project.has('api/src/b.ts'), true);
    assert.equal(await project.hasAtTop('src'), true);
    assert.equal(await project.hasAtTop('b.ts'), false);
  });

  it('has the scripts of all its packages', async () => {
    const project = await projectOf({
      'package.json': '{ "scripts": { "lint": "x" } }',
      'web/package.json': '{ "scripts": { "dev": "y" } }',
      'docs/package.json': '{}',
    });
    assert.deepEqual(await project.scripts(), new Set(['lint', 'dev']));
  });

  it('does not know its scripts when there is no package, or one that cannot be read', async () => {
    assert.equal(await (await projectOf({})).scripts(), undefined);
    const torn = await projectOf({ 'package.json': '{ "scripts": {} }', 'web/package.json': '{' });
    assert.equal(await torn.scripts(), undefined);
  });

  it('has the targets of its makefiles', async () => {
    const project = await projectOf({
      Makefile: '.PHONY: all\nall test: build # all\n\techo a: b\nCC := gcc\nbuild::\n\ttrue\n',
    });
    assert.deepEqual(await project.targets(), new Set(['.PHONY', 'all', 'test', 'build']));
  });

  it('does not know its targets when only make understands them', async () => {
    for (const Makefile of ['include x.mk\nall:\n', '%.o: %.c\n', '$(NAME):\n\ttrue\n'])
      assert.equal(await (await projectOf({ Makefile })).targets(), undefined, Makefile);
  });

  it('stops when it is told to', async () => {
    const stopped = projectFiles([temp.path], AbortSignal.abort());
    await writeTree(temp.path, { 'there.ts': '' });
    await assert.rejects(stopped.has('there.ts'), { name: 'AbortError' });
    await assert.rejects(stopped.scripts(), { name: 'AbortError' });
  });
});
