import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import {
  array,
  assert as check,
  asyncProperty,
  boolean,
  constantFrom,
  record as recordOf,
  uniqueArray,
} from 'fast-check';
import { silentLog } from '../../../../src/base/log.ts';
import {
  changeSharing,
  keepPrivate,
  sharedFiles,
  shareWithGit,
} from '../../../../src/memory/folder/gitSharing.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { git as runGit, skipWithoutGit } from '../../../support/git.ts';
import { TABS } from '../../../support/records.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const ODD_NAMES = ['!!!.md', '#x.md', 'a[b].md', ' lead.md', '星 级.md', '-rf.md'];
/** Some mean something in a rule; the others are what a rule might take them for. */
const PIECES = '! # [ ] * ? \\ - ^ { } ~ . " \' : \t ** [a-b] [!a] a b ab é e\u0301 星 👍 \uE000'
  .split(' ')
  .concat(' ');
/** What a store holds besides records. */
const OTHER_FILES = { 'MEMORY.md': '', '.lock': '', '.trash/x.md': '', '.trash/.gitignore': '*\n' };

describe('sharing memories with git', () => {
  const root = useTempFolder();
  const folder = () => path.join(root.path, '.memory');
  const rulesPath = () => path.join(folder(), '.gitignore');
  const rules = () => fs.readFile(rulesPath(), 'utf8');
  const write = (text: string | Uint8Array) => writeTree(folder(), { '.gitignore': text });

  describe('in the rules', () => {
    it('takes back the record and the rules, and leaves everything else private', async () => {
      await write('*\n');
      assert.deepEqual(await shareWithGit(folder(), 'x.md'), { isChanged: true });
      await shareWithGit(folder(), 'y.md');
      assert.equal(await rules(), '*\n!/.gitignore\n!/x.md\n!/y.md\n');
    });

    it('are left byte for byte when the record is shared already', async () => {
      await write('*\n!.gitignore\n!*.md\n');
      await shareWithGit(folder(), 'x.md');
      assert.equal(await rules(), '*\n!.gitignore\n!*.md\n');
    });

    it('are as before once no record is shared any more', async () => {
      const kinds = [
        '*\n',
        '*',
        '*\r\n',
        '\uFEFF*\r\n# mine',
        '# only mine\n*\n\n',
        '*\n!/kept.txt\n',
      ];
      for (const before of kinds) {
        await write(before);
        await shareWithGit(folder(), 'x.md');
        await shareWithGit(folder(), 'y.md');
        await keepPrivate(folder(), 'x.md');
        await keepPrivate(folder(), 'y.md');
        const left = before.includes('!') ? `${before}!/.gitignore\n` : before;
        assert.equal(await rules(), left);
      }
    });

    it('go on travelling while another record is shared', async () => {
      await write('*\n!/.gitignore\n!/x.md\n!/y.md\n');
      await keepPrivate(folder(), 'x.md');
      assert.equal(await rules(), '*\n!/.gitignore\n!/y.md\n');
    });

    it('keep the lines, comments, order, line ends and mark of the person', async () => {
      await write('\uFEFF# mine  \r\n*\r\n\r\n!/x.md\r\n\t# odd\r\n!notes/');
      await shareWithGit(folder(), 'y.md');
      await keepPrivate(folder(), 'x.md');
      assert.equal(
        await rules(),
        '\uFEFF# mine  \r\n*\r\n\r\n\t# odd\r\n!notes/\r\n!/.gitignore\r\n!/y.md',
      );
    });

    it('take a record out that stands on the first line, behind a mark', async () => {
      await write('\uFEFF!/x.md\n*\n');
      await keepPrivate(folder(), 'x.md');
      assert.equal(await rules(), '\uFEFF*\n');
    });

    it('come last where a later line would hide the record again', async () => {
      await write('*\n!/.gitignore\n!/x.md\n*.md\n');
      await shareWithGit(folder(), 'x.md');
      assert.equal(await rules(), '*\n!/.gitignore\n*.md\n!/x.md\n');
    });

    it('hide a record by a line of its own where nothing else does, and show it again', async () => {
      await write('*.tmp\n');
      await keepPrivate(folder(), 'x.md');
      assert.equal(await rules(), '*.tmp\n/x.md\n');
      assert.deepEqual(await sharedFiles(folder(), ['x.md', 'y.md']), new Set(['y.md']));
      await shareWithGit(folder(), 'x.md');
      assert.equal(await rules(), '*.tmp\n!/.gitignore\n!/x.md\n');
    });

    it('are made anew, everything private, where there are none', async () => {
      await fs.mkdir(folder());
      await shareWithGit(folder(), 'x.md');
      assert.equal(await rules(), '*\n!/.gitignore\n!/x.md\n');
      await fs.rm(rulesPath());
      await keepPrivate(folder(), 'x.md');
      assert.equal(await rules(), '*\n');
    });

    it('are not written where they are a link, a folder or no text', async () => {
      const outside = path.join(root.path, 'outside');
      await fs.mkdir(folder());
      await fs.writeFile(outside, '*\n');
      await fs.symlink(outside, rulesPath());
      await assert.rejects(shareWithGit(folder(), 'x.md'), /\.gitignore is not a plain file/);
      await assert.rejects(keepPrivate(folder(), 'x.md'), /\.gitignore is not a plain file/);
      assert.equal(await fs.readFile(outside, 'utf8'), '*\n');
      await fs.rm(rulesPath());
      await fs.mkdir(rulesPath());
      await assert.rejects(shareWithGit(folder(), 'x.md'), /\.gitignore is not a plain file/);
      await fs.rmdir(rulesPath());
      await write(Buffer.from([0x2a, 0x0a, 0xe9, 0x0a]));
      await assert.rejects(shareWithGit(folder(), 'x.md'), /\.gitignore is not UTF-8/);
      assert.deepEqual(await fs.readFile(rulesPath()), Buffer.from([0x2a, 0x0a, 0xe9, 0x0a]));
    });

    it('are not written through a folder that is a link', async () => {
      await fs.mkdir(path.join(root.path, 'elsewhere'));
      await fs.symlink(path.join(root.path, 'elsewhere'), folder(), 'dir');
      await assert.rejects(shareWithGit(folder(), 'x.md'), /is a link/);
      assert.deepEqual(await readTree(root.path), {
        '.memory': `link to ${path.join(root.path, 'elsewhere')}`,
      });
    });
  });

  describe('as seen without git', () => {
    it('is everything that the rules do not hide', async () => {
      const files = ['x.md', 'y.md'];
      await fs.mkdir(folder());
      assert.deepEqual(await sharedFiles(folder(), files), new Set(files));
      await write('');
      assert.deepEqual(await sharedFiles(folder(), files), new Set(files));
      await write('*\r\n!y*\r\n');
      assert.deepEqual(await sharedFiles(folder(), files), new Set(['y.md']));
      await write('*\n');
      assert.deepEqual(await sharedFiles(folder(), files), new Set());
    });

    it('is everything where the rules are a link, which git does not follow', async () => {
      await writeTree(root.path, { rules: '*\n' });
      await fs.mkdir(folder());
      await fs.symlink(path.join(root.path, 'rules'), rulesPath());
      assert.deepEqual(await sharedFiles(folder(), ['x.md']), new Set(['x.md']));
    });
  });

  describe('as seen by git', () => {
    before(function () {
      skipWithoutGit(this);
    });

    const git = (...args: readonly string[]) => runGit(root.path, ...args);
    const commit = () => git('commit', '--quiet', '--message=all');
    /** What git would take or has taken, of the whole repository. */
    const seen = () =>
      git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
        .split('\0')
        .filter((file) => file !== '')
        .toSorted();
    const records = (names: readonly string[]) =>
      writeTree(folder(), Object.fromEntries(names.map((name) => [name, 'a memory'])));

    beforeEach(async () => {
      git('init', '--quiet');
      await writeTree(folder(), { ...OTHER_FILES, '.gitignore': '*\n' });
    });

    for (const name of ODD_NAMES) {
      it(`is exactly the shared record and the rules: ${name}`, async () => {
        await records([...ODD_NAMES, 'ab.md', 'plain.md']);
        assert.deepEqual(seen(), []);
        await shareWithGit(folder(), name);
        git('add', '--all');
        assert.deepEqual(seen(), ['.memory/.gitignore', `.memory/${name}`].toSorted());
        assert.deepEqual(await sharedFiles(folder(), ODD_NAMES), new Set([name]));
      });
    }

    it('is nothing once the record is private again', async () => {
      await records(['x.md']);
      await shareWithGit(folder(), 'x.md');
      const done = { isChanged: true, stillTracked: false };
      assert.deepEqual(await keepPrivate(folder(), 'x.md'), done);
      assert.deepEqual(await keepPrivate(folder(), 'x.md'), { ...done, isChanged: false });
      git('add', '--all');
      assert.deepEqual(seen(), []);
      assert.match(git('status', '--porcelain', '--ignored'), /^!! \.memory\/$/m);
    });

    it('goes on being what is tracked, and that is told', async () => {
      await records(['x.md', 'y.md']);
      await shareWithGit(folder(), 'x.md');
      git('add', '--all');
      const left = { isChanged: true, stillTracked: true };
      assert.deepEqual(await keepPrivate(folder(), 'x.md'), left);
      assert.deepEqual(await sharedFiles(folder(), ['x.md', 'y.md']), new Set(['x.md']));
      git('rm', '--cached', '--quiet', '.memory/x.md');
      assert.deepEqual(await keepPrivate(folder(), 'x.md'), {
        isChanged: false,
        stillTracked: false,
      });
      git('add', '--all');
      assert.deepEqual(seen(), ['.memory/.gitignore']);
    });

    it('leaves a new record in a clone private', async () => {
      await records(['x.md']);
      await shareWithGit(folder(), 'x.md');
      git('add', '--all');
      commit();
      const clone = path.join(root.path, 'clone');
      git('clone', '--quiet', '.', clone);
      await writeTree(path.join(clone, '.memory'), { 'new.md': '' });
      const files = ['new.md', 'x.md'];
      assert.deepEqual(await sharedFiles(path.join(clone, '.memory'), files), new Set(['x.md']));
      assert.equal(git('-C', clone, 'status', '--porcelain'), '');
    });

    it('is no new record under the name that a shared one had', async () => {
      const store = new MemoryStore({ folder: folder(), log: silentLog });
      const { record } = await store.create({ ...TABS, name: 'c' });
      await store.shares.share('c.md', 'share');
      await store.remove(record, 'test');
      const others = new MemoryStore({ folder: path.join(root.path, 'others'), log: silentLog });
      const moved = await others.create({ ...TABS, name: 'c' });
      const bytes = await others.read(moved.record);
      await store.several.adopt([{ record: moved.record, bytes, moved: 'c' }], 'move');
      const { record: tabs } = await store.create({ ...TABS, name: 'c' });
      const { records } = await store.list();
      assert.deepEqual(
        records.map(({ file }) => file),
        ['c-2.md', 'c-3.md'],
      );
      assert.equal(await store.nameFor(records[0]!, 'c'), 'c-2');
      await store.rename(tabs, 'tabs');
      assert.equal((await store.rename((await store.list()).records[1]!, 'c')).record.name, 'c-3');
      git('add', '--all', '.memory');
      assert.deepEqual(seen(), ['.memory/.gitignore']);
    });

    it('is a shared record by its new name, and not what comes by its old one', async () => {
      const store = new MemoryStore({ folder: folder(), log: silentLog });
      const { record } = await store.create(TABS);
      await store.shares.share(record.file, 'share');
      const renamed = await store.rename(record, 'width');
      await store.create(TABS);
      git('add', '--all', '.memory');
      assert.deepEqual(seen(), ['.memory/.gitignore', '.memory/width.md']);
      await store.remove((await store.list()).records[0]!, 'test');
      await store.undo(renamed);
      assert.deepEqual(await sharedFiles(folder(), ['tabs.md']), new Set(['tabs.md']));
      assert.equal(await rules(), '*\n!/.gitignore\n!/tabs.md\n');
    });

    it('is the record by its old name where the rules cannot be changed', async () => {
      const store = new MemoryStore({ folder: folder(), log: silentLog });
      const { record } = await store.create(TABS);
      await write(Buffer.from('*\n!/tabs.md\n# \xff\n', 'latin1'));
      await assert.rejects(store.rename(record, 'width'), /\.gitignore is not UTF-8/);
      assert.deepEqual((await store.list()).records, [record]);
    });

    it('is a new record where a person shares all but some', async () => {
      await write('*\n!*.md\n/own.md\n');
      const store = new MemoryStore({ folder: folder(), log: silentLog });
      assert.equal((await store.create(TABS)).record.file, 'tabs.md');
    });

    it('is again a shared record that came back from the trash', async () => {
      const store = new MemoryStore({ folder: folder(), log: silentLog });
      const { record } = await store.create(TABS);
      await shareWithGit(folder(), 'tabs.md');
      await store.undo(await store.remove(record, 'deleted'));
      git('add', '--all');
      assert.deepEqual(seen(), ['.memory/.gitignore', '.memory/tabs.md']);
    });

    it('includes a record that came tracked without any rules', async () => {
      await records(['x.md', 'y.md']);
      git('add', '--force', '.memory/x.md');
      assert.deepEqual(await sharedFiles(folder(), ['x.md', 'y.md']), new Set(['x.md']));
    });

    it('lacks a record that a rule elsewhere hides, and the rule is told', async () => {
      await writeTree(root.path, { '.gitignore': '.memory/\n' });
      await records(['x.md']);
      assert.deepEqual(await shareWithGit(folder(), 'x.md'), {
        isChanged: true,
        ignoredBy: '.gitignore:1:.memory/',
      });
    });

    it('includes a record that a rule above the folder would hide', async () => {
      await writeTree(root.path, { '.gitignore': '*.md\n' });
      await records(['x.md']);
      await writeTree(folder(), { '.gitignore': '' });
      assert.deepEqual(await shareWithGit(folder(), 'x.md'), { isChanged: true });
      assert.ok(seen().includes('.memory/x.md'));
    });

    it('is exactly what is shared, for names and choices of any kind', async function () {
      this.timeout(60_000);
      const piece = constantFrom(...PIECES);
      const name = array(piece, { minLength: 1, maxLength: 6 }).map(
        (pieces) => `${pieces.join('').replaceAll(/[\\"*?:\t]/g, onThisSystem)}.md`,
      );
      const choice = recordOf({ name, steps: array(boolean(), { maxLength: 3 }) });
      const choices = uniqueArray(choice, {
        selector: (one) => one.name.normalize('NFC').toLowerCase(),
        minLength: 1,
        maxLength: 12,
      });
      const start = constantFrom('*\n', '*', '# mine\r\n*\r\n', '\uFEFF*\n*.tmp\n', '', '*\n!a*\n');
      await check(
        asyncProperty(choices, start, async (list, text) => {
          await fs.rm(folder(), { recursive: true });
          await write(text);
          const names = list.map((one) => one.name);
          await records(names);
          // Without a question to git after each, which would take far longer.
          for (const { name, steps } of list) {
            for (const shares of steps)
              await changeSharing(folder(), {
                shared: shares ? [name] : [],
                hidden: shares ? [] : [name],
              });
          }
          const bySight = seen().map((file) => file.slice('.memory/'.length));
          const chosen = list.filter((one) => one.steps.length > 0);
          for (const one of chosen)
            assert.equal(bySight.includes(one.name), one.steps.at(-1), one.name);
          assert.deepEqual(
            [...(await sharedFiles(folder(), names))].toSorted(),
            bySight.filter((file) => file !== '.gitignore'),
          );
        }),
        { numRuns: 40, seed: 1 },
      );
    });
  });
});

/** Windows has no such characters in names. */
function onThisSystem(character: string): string {
  return process.platform === 'win32' ? '_' : character;
}
