import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { diskWorkspace } from '../../support/diskWorkspace.ts';
import { createWorkspaceTools } from '../../../src/agent/workspaceTools.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';

describe('a workspace on the disk', () => {
  const root = useTempFolder();

  it('reads text without its mark, line ends as they are, and knows when there is no file', async () => {
    await writeTree(root.path, { 'a.txt': '\uFEFFone\r\ntwo' });
    const workspace = diskWorkspace([root.path]);
    assert.equal(await workspace.readText(path.join(root.path, 'a.txt')), 'one\r\ntwo');
    assert.equal(await workspace.readText(path.join(root.path, 'b.txt')), undefined);
  });

  it('refuses bytes that are no text', async () => {
    await writeTree(root.path, {
      'image.png': Buffer.from([137, 80, 0, 71]),
      'latin.txt': Buffer.from([0x63, 0xe9]),
    });
    const workspace = diskWorkspace([root.path]);
    await assert.rejects(
      workspace.readText(path.join(root.path, 'image.png')),
      /image.png is binary/,
    );
    await assert.rejects(
      workspace.readText(path.join(root.path, 'latin.txt')),
      /latin.txt is not UTF-8/,
    );
  });

  it('reads UTF-16 that is marked, and nothing broken or binary that looks like it', async () => {
    const little = Buffer.from('\uFEFFhé\r\n', 'utf16le');
    await writeTree(root.path, {
      'little.txt': little,
      'big.txt': Buffer.from(little).swap16(),
      'odd.txt': Buffer.concat([little, Buffer.from([0])]),
      'music.mp3': Buffer.from([0xff, 0xfe, 0, 0, 1, 2]),
      'plain.txt': Buffer.from('no mark', 'utf16le'),
    });
    const workspace = diskWorkspace([root.path]);
    const read = (name: string) => workspace.readText(path.join(root.path, name));
    assert.deepEqual(await Promise.all([read('little.txt'), read('big.txt')]), [
      'hé\r\n',
      'hé\r\n',
    ]);
    await assert.rejects(read('odd.txt'), /odd.txt is not UTF-16/);
    await assert.rejects(read('music.mp3'), /music.mp3 is binary/);
    await assert.rejects(read('plain.txt'), /plain.txt is binary/);
  });

  it('makes missing folders, and a new file that others may read', async function () {
    const file = path.join(root.path, 'new/deep/a.txt');
    await diskWorkspace([root.path]).writeText(file, { before: undefined, after: 'text' });
    assert.deepEqual(await readTree(root.path), { 'new/deep/a.txt': 'text' });
    if (process.platform === 'win32') this.skip();
    assert.equal((await fs.stat(file)).mode & 0o777, 0o666 & ~process.umask());
  });

  it('keeps the mode of an existing file, whatever the mask', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'run.sh': 'old' });
    const file = path.join(root.path, 'run.sh');
    await fs.chmod(file, 0o777);
    await diskWorkspace([root.path]).writeText(file, { before: 'old', after: 'new' });
    assert.equal((await fs.stat(file)).mode & 0o777, 0o777);
  });

  it('writes through a link inside the workspace, and never through one that leaves it', async () => {
    const inside = path.join(root.path, 'inside');
    await writeTree(root.path, { 'inside/real.txt': 'old', 'outside/secret.txt': 'old' });
    await fs.symlink('real.txt', path.join(inside, 'link.txt'));
    await fs.symlink('../outside/secret.txt', path.join(inside, 'escape.txt'));
    const workspace = diskWorkspace([inside]);
    const change = { before: 'old', after: 'new' };
    await workspace.writeText(path.join(inside, 'link.txt'), change);
    await assert.rejects(workspace.writeText(path.join(inside, 'escape.txt'), change), /outside/);
    assert.deepEqual(await readTree(root.path), {
      'inside/escape.txt': 'link to ../outside/secret.txt',
      'inside/link.txt': 'link to real.txt',
      'inside/real.txt': 'new',
      'outside/secret.txt': 'old',
    });
  });
});

describe('the tools of a workspace', () => {
  it('come in a fixed order, with object schemas, the reading ones marked', () => {
    const tools = createWorkspaceTools({ workspace: diskWorkspace([]) });
    assert.deepEqual(
      tools.map(({ name, readOnly, inputSchema }) => [name, readOnly, inputSchema['type']]),
      [
        ['read_file', true, 'object'],
        ['write_file', false, 'object'],
        ['edit_file', false, 'object'],
        ['glob', true, 'object'],
        ['grep', true, 'object'],
        ['bash', false, 'object'],
      ],
    );
    assert.ok(tools.every((tool) => !('$schema' in tool.inputSchema)));
  });

  it('say so when no folder is open', async () => {
    const inputs: Record<string, unknown> = {
      read_file: { path: 'a' },
      write_file: { path: 'a', content: '' },
      edit_file: { path: 'a', old_text: 'a', new_text: 'b' },
      glob: { pattern: '*' },
      grep: { pattern: 'a' },
      bash: { command: 'true' },
    };
    for (const tool of createWorkspaceTools({ workspace: diskWorkspace([]) })) {
      const run = tool.run(inputs[tool.name], new AbortController().signal);
      await assert.rejects(run, /No folder is open/, tool.name);
    }
  });

  it('do nothing once the call is cancelled', async () => {
    for (const tool of createWorkspaceTools({ workspace: diskWorkspace(['/']) })) {
      const input = {
        path: 'a',
        content: '',
        old_text: 'a',
        new_text: 'b',
        pattern: '*',
        command: 'x',
      };
      const schema = tool.inputSchema['properties'] as object;
      const own = Object.entries(input).filter(([key]) => key in schema);
      await assert.rejects(
        tool.run(Object.fromEntries(own), AbortSignal.abort()),
        /abort/i,
        tool.name,
      );
    }
  });
});
