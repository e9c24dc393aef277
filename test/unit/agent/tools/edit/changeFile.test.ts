import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { changedMeanwhile } from '../../../../../src/agent/workspace.ts';
import { diskWorkspace } from '../../../../support/diskWorkspace.ts';
import { readTree, useTempFolder, writeTree } from '../../../../support/tempFolder.ts';
import { conversationOver, runTool } from '../../../../support/workspaceRun.ts';

const EDIT = { path: 'a.ts', old_text: 'one', new_text: 'two' };
const WRITE = { path: 'a.ts', content: 'written\n' };

describe('a change of a file', () => {
  const root = useTempFolder();
  const conversation = () => conversationOver(root.path);
  const read = (path = 'a.ts') => ({ path });

  for (const [name, input] of [
    ['edit_file', EDIT],
    ['write_file', WRITE],
  ] as const) {
    describe(`by ${name}`, () => {
      it('is refused when the conversation has not read the file', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const refusal = {
          message:
            'a.ts is there already, and you have not read it. Read it first, then change it.',
        };
        await assert.rejects(conversation().run(name, input), refusal);
        await assert.rejects(conversation().preview(name, input), refusal);
        assert.deepEqual(await readTree(root.path), { 'a.ts': 'one\n' });
      });

      it('is refused when the file has changed since, and made once it is read again', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const { run, preview } = conversation();
        await run('read_file', read());
        await writeTree(root.path, { 'a.ts': 'one\nmine\n' });
        const refusal =
          /^Error: a\.ts has changed since you read it, perhaps by the user\. Read it again/;
        await assert.rejects(preview(name, input), refusal);
        await assert.rejects(run(name, input), refusal);
        assert.deepEqual(await readTree(root.path), { 'a.ts': 'one\nmine\n' });
        await run('read_file', read());
        await run(name, input);
        assert.notEqual((await readTree(root.path))['a.ts'], 'one\nmine\n');
      });

      it('counts a file as read of which a part was read', async () => {
        await writeTree(root.path, { 'a.ts': '1\n2\none\n' });
        const { run } = conversation();
        await run('read_file', { path: 'a.ts', offset: 2, limit: 1 });
        await run(name, input);
      });

      it('is not held back where another agent calls, which reads in its own way', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        await runTool(root.path, name, input);
      });

      it('throws what happened to the file while it was being written', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const disk = diskWorkspace([root.path]);
        // The person saves when all is checked.
        const { run } = conversationOver({
          ...disk,
          async writeText(file, change) {
            await writeTree(root.path, { 'a.ts': 'mine\n' });
            return disk.writeText(file, change);
          },
        });
        await run('read_file', read());
        await assert.rejects(run(name, input), changedMeanwhile('a.ts'));
        assert.deepEqual(await readTree(root.path), { 'a.ts': 'mine\n' });
      });

      it('changes nothing while it is only looked at', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const { run, preview } = conversation();
        await run('read_file', read());
        const change = await preview(name, input);
        assert.equal(change?.shown, 'a.ts');
        assert.equal(change.before, 'one\n');
        assert.equal(change.after, name === 'edit_file' ? 'two\n' : 'written\n');
        assert.deepEqual(await readTree(root.path), { 'a.ts': 'one\n' });
      });

      it('is refused where the file is write-protected, before anything is asked', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const { run, preview } = conversation();
        await run('read_file', read());
        await fs.chmod(path.join(root.path, 'a.ts'), 0o444);
        await assert.rejects(preview(name, input), /a\.ts is write-protected/);
        await assert.rejects(run(name, input), /a\.ts is write-protected/);
        assert.deepEqual(await readTree(root.path), { 'a.ts': 'one\n' });
      });

      it('is refused before anything is asked where the encoding cannot hold the text', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const refusal = new Error('"w" in line 1 cannot be written.');
        const { run, preview } = conversationOver({
          ...diskWorkspace([root.path]),
          refuseUnwritable: (_file, text) =>
            text.includes('w') ? Promise.reject(refusal) : Promise.resolve(),
        });
        await run('read_file', read());
        await assert.rejects(preview(name, input), refusal);
      });

      it('tells beforehand whether it saves what the person has not saved yet', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const disk = diskWorkspace([root.path]);
        const file = path.join(root.path, 'a.ts');
        const unsaved = { ...disk, unsavedTexts: () => new Map([[file, 'one\n']]) };
        for (const [over, saves] of [
          [disk, false],
          [unsaved, true],
        ] as const) {
          const { run, preview } = conversationOver(over);
          await run('read_file', read());
          assert.equal((await preview(name, input))?.savesEdits, saves);
        }
      });

      it('is refused where it would leave half a character, or no text', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n' });
        const { run, preview } = conversation();
        await run('read_file', read());
        for (const [odd, refusal] of [
          [
            '\ud83d',
            /^Error: Line 2 of a\.ts would hold half a character\. Write the whole one\.$/,
          ],
          ['\0', /^Error: Line 2 of a\.ts would hold a NUL character, and so be no text\./],
        ] as const) {
          const oddInput = { ...input, new_text: `x\n${odd}`, content: `x\n${odd}` };
          const { [name === 'edit_file' ? 'content' : 'new_text']: _, ...call } = oddInput;
          await assert.rejects(preview(name, call), refusal);
          await assert.rejects(run(name, call), refusal);
        }
        assert.deepEqual(await readTree(root.path), { 'a.ts': 'one\n' });
      });

      it('is refused where the file is too large to be read', async () => {
        await writeTree(root.path, { 'a.ts': 'one\n'.repeat(5_000_001) });
        const refusal = /a\.ts has 20000004 bytes, too many to read or change\. Use bash on it\./;
        await assert.rejects(conversation().preview(name, input), refusal);
      });

      it('is refused in memories before anything is asked', async () => {
        await writeTree(root.path, { '.memory/a.md': 'one\n' });
        const inMemories = { ...input, path: '.memory/a.md' };
        await assert.rejects(conversation().preview(name, inMemories), /Memories are saved by/);
      });
    });
  }

  it('follows another in one reply, and a file that the conversation made itself', async () => {
    const { run } = conversation();
    await run('write_file', { path: 'a.ts', content: 'one one\nthree\n' });
    await run('edit_file', { path: 'a.ts', old_text: 'one one', new_text: 'two' });
    await run('edit_file', { path: 'a.ts', old_text: 'three', new_text: 'four' });
    await run('write_file', { path: 'a.ts', content: 'five\n' });
    assert.deepEqual(await readTree(root.path), { 'a.ts': 'five\n' });
  });

  it('is refused when a command has changed the file in between', async () => {
    const { run } = conversation();
    await run('write_file', { path: 'a.ts', content: 'one\n' });
    await run('bash', { command: 'echo more >> a.ts' });
    await assert.rejects(run('edit_file', EDIT), /has changed since you read it/);
  });

  it('is refused when a file has turned up where one was to be made', async () => {
    const { run, preview } = conversation();
    assert.deepEqual((await preview('write_file', WRITE))?.before, undefined);
    await writeTree(root.path, { 'a.ts': 'turned up\n' });
    await assert.rejects(run('write_file', WRITE), /is there already, and you have not read it/);
    assert.deepEqual(await readTree(root.path), { 'a.ts': 'turned up\n' });
  });

  it('goes on from what the editor made of the file on saving, and tells it', async () => {
    await writeTree(root.path, { 'a.ts': 'one\n' });
    const disk = diskWorkspace([root.path]);
    const { run } = conversationOver({
      ...disk,
      async writeText(file, change) {
        await disk.writeText(file, change);
        await fs.writeFile(file, `${change.after};\n`);
        return { text: `${change.after};\n`, savedEdits: true };
      },
    });
    await run('read_file', read());
    assert.equal(
      await run('edit_file', EDIT),
      'Replaced 1 place in a.ts, at line 1. It had unsaved changes of the user, which are saved ' +
        'with it. The editor changed it further on saving, as a formatter does:\n' +
        '@@ -1,1 +1,2 @@\n two\n+;',
    );
    await run('edit_file', { path: 'a.ts', old_text: ';', new_text: '// end' });
  });

  it('sends back to the file when the editor changed very much of it on saving', async () => {
    const disk = diskWorkspace([root.path]);
    const { run } = conversationOver({
      ...disk,
      async writeText(file, change) {
        await disk.writeText(file, change);
        return { text: change.after.toUpperCase(), savedEdits: false };
      },
    });
    const content = 'a line\n'.repeat(400);
    assert.match(
      await run('write_file', { path: 'a.ts', content }),
      /^Created a\.ts \(400 lines\)\. The editor changed it in many more places on saving\. Read it again\.$/,
    );
  });

  it('says nothing of line ends that the editor made alike', async () => {
    const disk = diskWorkspace([root.path]);
    const { run } = conversationOver({
      ...disk,
      async writeText(file, change) {
        await disk.writeText(file, change);
        return { text: change.after.replaceAll('\n', '\r\n'), savedEdits: false };
      },
    });
    assert.equal(await run('write_file', WRITE), 'Created a.ts (1 line).');
  });

  it('is not made to a file that was only listed', async () => {
    await writeTree(root.path, { 'src/a.ts': 'one\n' });
    const { run } = conversation();
    await run('read_file', read('src'));
    await assert.rejects(run('edit_file', { ...EDIT, path: 'src/a.ts' }), /you have not read it/);
  });

  it('knows a file that it read by a link', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'src/a.ts': 'one\n' });
    await fs.symlink('src', path.join(root.path, 'link'));
    const { run } = conversation();
    await run('read_file', read('link/a.ts'));
    await run('edit_file', { ...EDIT, path: 'src/a.ts' });
    await run('edit_file', { path: 'link/a.ts', old_text: 'two', new_text: 'three' });
    assert.equal((await readTree(root.path))['src/a.ts'], 'three\n');
  });
});
