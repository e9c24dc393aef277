import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { pathProblem } from '../../../../../src/agent/tools/places/pathProblem.ts';
import { placeToRead, placeToWrite } from '../../../../../src/agent/tools/places/paths.ts';
import { diskWorkspace } from '../../../../support/diskWorkspace.ts';
import { useTempFolder, writeTree } from '../../../../support/tempFolder.ts';

describe('a path from a model', () => {
  const root = useTempFolder();
  const inRoot = (...names: string[]) => path.join(root.path, ...names);
  const workspace = () => diskWorkspace([inRoot('app'), inRoot('lib')], [inRoot('archive')]);
  const shown = async (written: string) => (await placeToRead(workspace(), written)).shown;

  beforeEach(() =>
    writeTree(root.path, {
      'app/src/a.ts': '',
      'lib/b.ts': '',
      'archive/old.txt': '',
      'outside/secret.txt': '',
    }),
  );

  it('counts from the first folder, and is shown as it can be given back', async () => {
    assert.equal(await shown('src/a.ts'), 'src/a.ts');
    assert.equal(await shown('./src//a.ts'), 'src/a.ts');
    assert.equal(await shown(inRoot('app/src/a.ts')), 'src/a.ts');
    assert.equal(await shown('.'), '.');
    assert.equal(await shown(inRoot('lib/b.ts')), inRoot('lib/b.ts'));
  });

  it('is the same place by the folder that was opened and by where its link leads', async function () {
    if (process.platform === 'win32') this.skip();
    await fs.symlink(inRoot('app'), inRoot('opened'));
    const opened = diskWorkspace([inRoot('opened')]);
    const place = await placeToRead(opened, inRoot('app/src/a.ts'));
    assert.equal(place.absolute, inRoot('opened/src/a.ts'));
    assert.equal(place.shown, 'src/a.ts');
    const memory = placeToWrite(opened, inRoot('app/.memory/a.md'));
    await assert.rejects(memory, /Memories are saved by themselves/);
  });

  it('may name an archive for reading, not for writing', async () => {
    assert.equal(await shown(inRoot('archive/old.txt')), inRoot('archive/old.txt'));
    await assert.rejects(
      placeToWrite(workspace(), inRoot('archive/old.txt')),
      /outside the workspace/,
    );
  });

  it('may name a memory for reading, not for writing, links and case seen through', async () => {
    await writeTree(root.path, {
      'app/.memory/a.md': '',
      'app/pkg/.Memory/b.md': '',
      'lib/.memory/c.md': '',
    });
    await fs.symlink(inRoot('app/.memory'), inRoot('app/notes'));
    await fs.symlink(inRoot('lib/.memory'), inRoot('app/far'));
    await fs.symlink(inRoot('app/src'), inRoot('app/pkg/.memory'));
    assert.equal(await shown('.memory/a.md'), '.memory/a.md');
    for (const written of [
      '.memory/a.md',
      '.memory/new.md',
      '.MEMORY/new.md',
      '.memory',
      'pkg/.Memory/b.md',
      'notes/a.md',
      'notes/deep/new.md',
      'far/c.md',
      'pkg/.memory/a.ts',
      inRoot('lib/.memory/c.md'),
    ]) {
      await assert.rejects(
        placeToWrite(workspace(), written),
        { message: 'Memories are saved by themselves after the turn; do not write them.' },
        written,
      );
    }
    assert.equal(
      (await placeToWrite(workspace(), '.memory-notes/a.md')).shown,
      '.memory-notes/a.md',
    );
  });

  it('is refused outside the folders, and told which there are', async () => {
    const refusal = {
      message: new RegExp(`outside the workspace.*${inRoot('app')} or ${inRoot('lib')}`),
    };
    await assert.rejects(shown(inRoot('outside/secret.txt')), refusal);
    await assert.rejects(shown('/etc/passwd'), refusal);
    await assert.rejects(shown(inRoot('application')), refusal);
  });

  it('is refused when a link leads outside, also for a file that is not there yet', async () => {
    await fs.symlink(inRoot('outside'), inRoot('app/way'));
    await fs.symlink(inRoot('outside/later.txt'), inRoot('app/later.txt'));
    await assert.rejects(shown('way/secret.txt'), /outside the workspace/);
    await assert.rejects(placeToWrite(workspace(), 'way/new.txt'), /outside the workspace/);
    await assert.rejects(placeToWrite(workspace(), 'later.txt'), /outside the workspace/);
  });

  it('is refused with "..", a NUL, or "~", in a sentence', async () => {
    await assert.rejects(shown('src/../src/a.ts'), /holds "\.\.". Write the path from/);
    await assert.rejects(shown('../lib/b.ts'), /holds "\.\."/);
    await assert.rejects(shown('src/a.ts\0.png'), /holds a NUL character/);
    await assert.rejects(shown('~/.ssh/id_rsa'), /"~", which is not a workspace folder/);
    assert.equal(await shown('src/a..b'), 'src/a..b');
  });

  it('is refused for a new file with the name of a Windows device', async () => {
    for (const name of ['nul', 'CON', 'aux.ts', 'com1.txt', 'Lpt9']) {
      await assert.rejects(
        placeToWrite(workspace(), `src/${name}`),
        /device name on Windows/,
        name,
      );
      await assert.rejects(
        placeToWrite(workspace(), `${name}/a.ts`),
        /device name on Windows/,
        name,
      );
    }
    assert.equal((await placeToWrite(workspace(), 'console.ts')).shown, 'console.ts');
  });

  it('may name an existing file that only Windows could not have', async function () {
    if (process.platform === 'win32') this.skip();
    await writeTree(root.path, { 'app/aux.c': '' });
    assert.equal(await shown('aux.c'), 'aux.c');
  });

  it('is not made below a file, nor with what nobody sees or a backslash in its name', async function () {
    if (process.platform === 'win32') this.skip();
    const cases: readonly [written: string, refusal: RegExp][] = [
      ['src/a.ts/b.ts', /"a\.ts" is a file, so nothing can be in it/],
      ['src/a\nb.ts', /"a\\u000ab\.ts" holds a character that cannot be seen/],
      ['src/\u202Ea.ts', /cannot be seen/],
      ['new/\u001b[2J/a.ts', /cannot be seen/],
      ['src/zero\u200bwidth.ts', /cannot be seen/],
      ['src/tag\u{e0041}.ts', /cannot be seen/],
      ['`src/new.ts`', /is in quotes\. Write the path without them/],
      ['src/new.ts:12', /ends in a line number\. Write the path alone/],
      ['src/new.ts ', /begins or ends in a space/],
      ['new./a.ts', /ends in a dot/],
      ['src\\new.ts', /holds a backslash\. Write \/ between folders/],
    ];
    for (const [written, refusal] of cases)
      await assert.rejects(placeToWrite(workspace(), written), refusal, written);
    await writeTree(root.path, { 'app/old\nname.ts': '', 'app/odd\\way/x': '' });
    assert.equal((await placeToWrite(workspace(), 'old\nname.ts')).shown, 'old\\u000aname.ts');
    assert.equal((await placeToWrite(workspace(), 'odd\\way/y')).shown, 'odd\\way/y');
  });

  it('is refused when it is no path at all, in a short sentence', async () => {
    const cases: readonly [written: string, refusal: RegExp][] = [
      ['x'.repeat(256), /is too long for a path/],
      ['é'.repeat(128), /is too long for a path/],
      ['x/'.repeat(3_000), /is too long for a path/],
      [`/${'elsewhere/'.repeat(300)}`, /is outside the workspace/],
      ['file:///etc/passwd', /is an address/],
    ];
    for (const [written, refusal] of cases) {
      await assert.rejects(shown(written), (error: Error) => {
        assert.match(error.message, refusal);
        assert.ok(error.message.length < 700, error.message);
        return true;
      });
    }
  });

  it('may not name what an archive or git keeps for writing, links and case seen through', async () => {
    await writeTree(root.path, {
      'app/.git/config': '',
      'app/module/.git': 'gitdir: x',
      'app/.transcripts/a.jsonl': '',
      'app/.task_outputs/tool-results/a.txt': '',
      'lib/.transcripts/b.jsonl': '',
    });
    await fs.symlink(inRoot('app/.git/config'), inRoot('app/settings'));
    await fs.symlink('.transcripts', inRoot('app/step'));
    await fs.symlink('step', inRoot('app/way'));
    const git = /written by git alone\. Run the git command with bash/;
    const archive = /kept as it was said and done/;
    const cases: readonly [written: string, refusal: RegExp][] = [
      ['.git/config', git],
      ['.git/hooks/pre-commit', git],
      ['.Git/hooks/pre-commit', git],
      ['.g\u200cit/hooks/pre-commit', git],
      ['module/.git', git],
      ['new/.git/hooks/post-checkout', git],
      ['settings', git],
      ['.transcripts/a.jsonl', archive],
      ['.Transcripts/new.jsonl', archive],
      ['.task_outputs/tool-results/a.txt', archive],
      ['way/a.jsonl', archive],
      [inRoot('lib/.transcripts/b.jsonl'), archive],
    ];
    for (const [written, refusal] of cases)
      await assert.rejects(placeToWrite(workspace(), written), refusal, written);
    for (const written of ['.git/config', 'way/a.jsonl'])
      assert.equal(await shown(written), written);
    for (const written of [
      '.gitignore',
      '.github/ci.yml',
      '.vscode/tasks.json',
      'src/.transcripts',
    ])
      assert.equal((await placeToWrite(workspace(), written)).shown, written);
  });

  it('finds a name whose accents the disk holds in another way, also for writing', async function () {
    if (process.platform === 'darwin') this.skip();
    const apart = 'cafe\u0301';
    const composed = 'caf\u00e9';
    await writeTree(root.path, { [`app/${apart}/${apart}.ts`]: '', [`app/both/${apart}`]: '' });
    await writeTree(root.path, { [`app/both/${composed}`]: '' });
    const written = `${composed}/${composed}.ts`;
    assert.equal(await shown(written), `${apart}/${apart}.ts`);
    assert.equal((await placeToWrite(workspace(), written)).shown, `${apart}/${apart}.ts`);
    assert.equal(await shown(`${composed}/new-${composed}`), `${apart}/new-${composed}`);
    assert.equal(await shown(`both/${composed}`), `both/${composed}`);
  });

  it('is not taken for another that only looks like it', async () => {
    // The first letter is Cyrillic.
    assert.equal((await placeToRead(workspace(), '\u0455rc/a.ts')).info, undefined);
    assert.equal((await placeToRead(workspace(), '.\u0261it')).info, undefined);
  });

  it('is refused in words when links lead in a circle', async () => {
    await fs.symlink('there', inRoot('app/here'));
    await fs.symlink('here', inRoot('app/there'));
    await assert.rejects(shown('here/a.ts'), /"here\/a\.ts" leads through links in a circle/);
    await assert.rejects(
      placeToWrite(workspace(), 'there'),
      /"there" leads through links in a circle/,
    );
  });

  it('is refused in words when nobody may look', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    await fs.mkdir(inRoot('app/closed'), { mode: 0 });
    await assert.rejects(shown('closed/a.ts'), /may not be entered/);
  });

  it('is refused on Windows when the system would read it as another', () => {
    for (const name of [
      'C:\\app\\nul',
      'src\\con .txt',
      'CONOUT$',
      'a.txt:stream',
      'a.txt::$DATA',
      '.git::$INDEX_ALLOCATION\\config',
      'src\\a.ts.',
      'src/a ',
      '.git.\\config',
      'src\\..\\a',
      'C:a.ts',
      'C:',
      'src\\a?.ts',
      'src\\a\nb.ts',
      '\\\\?\\C:\\app\\a.ts',
      '\\\\.\\PhysicalDrive0',
      '//./pipe/x',
      '\\\\elsewhere\\share\\a.ts',
      '//elsewhere/share/a.ts',
    ]) {
      assert.notEqual(
        pathProblem(name, 'win32', ['C:\\app', '\\\\nas\\work\\app']),
        undefined,
        name,
      );
    }
    for (const name of [
      'C:\\app\\a.ts',
      '.\\src\\a.ts',
      'src/a.ts',
      'PROGRA~1\\a.ts',
      '\\\\NAS\\work\\app\\a.ts',
      '//nas/work/app/a.ts',
    ]) {
      assert.equal(pathProblem(name, 'win32', ['\\\\nas\\work\\app']), undefined, name);
    }
  });
});
