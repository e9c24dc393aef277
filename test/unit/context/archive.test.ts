import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../../src/base/parseJson.ts';
import { Archive, archiveFolders } from '../../../src/context/archive.ts';
import type { LoggedMessage } from '../../../src/context/transcriptFile.ts';
import { userText, type Message, type UserMessage } from '../../../src/models/model.ts';
import { call, results, says } from '../../support/conversation.ts';
import { git, skipWithoutGit } from '../../support/git.ts';
import { mountSmallDisk } from '../../support/smallDisk.ts';
import { readTree, useTempFolder, writeTree } from '../../support/tempFolder.ts';
import { runTool } from '../../support/workspaceRun.ts';

const TRANSCRIPT = '.transcripts/s1.jsonl';
const hasModes = process.platform !== 'win32';

const IMAGE: UserMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'look' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
  ],
};

describe('Archive', () => {
  const temp = useTempFolder();
  const at = (relative: string) => path.join(temp.path, relative);
  const open = () => new Archive({ root: temp.path, pointers: 'relative' });
  const files = () => readTree(temp.path);
  const readBack = (pointer: string) => runTool(temp.path, 'read_file', { path: pointer });

  it('names its files relative to a workspace folder, and absolute outside of one', () => {
    const file = at(TRANSCRIPT);
    assert.equal(open().pointer(file), TRANSCRIPT);
    assert.equal(new Archive({ root: temp.path, pointers: 'absolute' }).pointer(file), file);
  });

  it('keeps everything in the folders that it says are archives', async () => {
    const saved = [await open().saveText('a'), await open().saveTranscript('s1', logOf(says('b')))];
    for (const file of saved)
      assert.ok(archiveFolders(temp.path).some((folder) => file.startsWith(folder + path.sep)));
  });

  it('adds to a transcript that was closed what is new, and nothing twice', async () => {
    const archive = open();
    await archive.saveTranscript('s1', logOf(says('b')));
    archive.closeTranscript('s1');
    await archive.saveTranscript('s1', logOf(says('b'), says('c')));
    assert.equal((await files())[TRANSCRIPT]?.trim().split('\n').length, 2);
  });

  it('is private in every file and folder', async function () {
    if (!hasModes) this.skip();
    await open().saveText('a');
    await open().saveTranscript('s1', logOf(says('b')));
    for (const name of await fs.readdir(temp.path, { recursive: true })) {
      const stat = await fs.stat(at(name));
      assert.equal(stat.mode & 0o777, stat.isDirectory() ? 0o700 : 0o600, name);
    }
  });

  it('makes an empty file for a text that is still to come, and deletes it like any other', async () => {
    const saved = [await open().startText(), await open().startText()];
    assert.notEqual(saved[0], saved[1]);
    for (const file of saved) {
      assert.match(
        path.relative(temp.path, file),
        /^\.task_outputs.tool-results.[0-9a-f]{32}\.txt$/,
      );
      assert.equal(await fs.readFile(file, 'utf8'), '');
      if (hasModes) assert.equal((await fs.stat(file)).mode & 0o777, 0o600);
    }
    await open().removeAll();
    assert.deepEqual(Object.keys(await files()), ['.task_outputs/.gitignore']);
  });

  it('is never seen by git', async function () {
    skipWithoutGit(this);
    git(temp.path, 'init', '--quiet');
    await open().saveText('a');
    await open().saveTranscript('s1', logOf(says('b')));
    assert.equal(git(temp.path, 'status', '--porcelain', '--untracked-files=all'), '');
  });

  it('can be read by its pointers after the workspace has moved', async () => {
    const archive = new Archive({ root: at('old'), pointers: 'relative' });
    await fs.mkdir(at('old'));
    const saved = [
      archive.pointer(await archive.saveText('a result')),
      archive.pointer(await archive.saveTranscript('s1', logOf(says('an answer')))),
    ];
    await fs.rename(at('old'), at('new'));
    const read = saved.map((pointer) => runTool(at('new'), 'read_file', { path: pointer }));
    assert.deepEqual(await Promise.all(read), ['a result', lineOf('m0', says('an answer'))]);
  });

  describe('that is deleted', () => {
    const save = async (archive: Archive) => {
      await archive.saveTranscript('s1', logOf(says('one')));
      await archive.saveTranscript('s2', logOf(says('two')));
      await archive.saveText('a result');
    };
    const notes = { '.transcripts/notes.jsonl.txt': 'a', '.task_outputs/tool-results/b.txt': 'b' };
    const rules = { '.transcripts/.gitignore': '*\n', '.task_outputs/.gitignore': '*\n' };

    it('leaves nothing but what somebody else put there', async () => {
      const archive = open();
      await save(archive);
      await writeTree(temp.path, notes);
      await archive.removeAll();
      assert.deepEqual(await files(), { ...rules, ...notes });
    });

    it('keeps the transcripts of the given sessions, and all texts, which may be theirs', async () => {
      const archive = open();
      await save(archive);
      const { '.transcripts/s2.jsonl': _, ...others } = await files();
      await archive.removeAll({ except: ['s1', 'unknown'] });
      assert.deepEqual(await files(), others);
    });

    it('is written again by the next compaction', async () => {
      const archive = open();
      await save(archive);
      const before = await files();
      await archive.removeAll();
      await save(archive);
      assert.deepEqual(await files(), before);
    });

    it('deletes nothing behind a link', async () => {
      const outside = new Archive({ root: at('outside'), pointers: 'relative' });
      await fs.mkdir(at('outside'));
      await save(outside);
      await fs.symlink(at('outside/.transcripts'), at('.transcripts'));
      const before = await readTree(at('outside'));
      await open().removeAll();
      assert.deepEqual(await readTree(at('outside')), before);
    });
  });

  describe('of texts', () => {
    it('holds each text verbatim, named by what it says', async () => {
      const file = await open().saveText('né\r\n\u{1F600}');
      assert.match(open().pointer(file), /^\.task_outputs\/tool-results\/[0-9a-f]{32}\.txt$/);
      assert.equal(await fs.readFile(file, 'utf8'), 'né\r\n\u{1F600}');
    });

    it('writes a text once, ever, whoever saves it again', async () => {
      const file = await open().saveText('the same');
      const before = await fs.stat(file);
      const same = open();
      const again = [await same.saveText('the same'), await same.saveText('the same')];
      assert.deepEqual([...again, await open().saveText('the same')], [file, file, file]);
      const after = await fs.stat(file);
      assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
      assert.equal(Object.keys(await files()).length, 2);
    });

    it('never loses a result to one of another call, whatever their ids', async () => {
      const log = logOf(
        results(['dup', 'first'], ['call:1', 'with a colon']),
        results(['dup', 'second'], ['call/1', 'with a slash'], ['../../x', 'climbing']),
      );
      const archive = open();
      const texts = log.flatMap(({ message }) => message.content.flatMap(textsOf));
      const saved = await Promise.all(texts.map((text) => archive.saveText(text)));
      assert.equal(new Set(saved).size, 5);
      const kept = saved.map((file) => fs.readFile(file, 'utf8'));
      assert.deepEqual(await Promise.all(kept), texts);
    });

    it('takes a text that looks like a pointer for the text it is', async () => {
      const archive = open();
      const other = archive.pointer(await archive.saveText('of another call'));
      const forged = `<persisted-output>\nFull output: ${other}\n</persisted-output>`;
      const file = archive.pointer(await archive.saveText(forged));
      assert.notEqual(file, other);
      assert.equal(await readBack(file), forged);
      assert.equal(await readBack(other), 'of another call');
    });

    it('mends a text that a crash tore', async () => {
      const file = await open().saveText('the whole text');
      await fs.truncate(file, 5);
      assert.equal(await open().saveText('the whole text'), file);
      assert.equal(await fs.readFile(file, 'utf8'), 'the whole text');
      assert.equal(Object.keys(await files()).length, 2);
    });

    it('is written by many at once', async () => {
      const texts = Array.from({ length: 40 }, (_, index) => `text ${index % 10}`);
      const windows = [open(), open()];
      const saves = texts.flatMap((text) => windows.map((archive) => archive.saveText(text)));
      assert.equal(new Set(await Promise.all(saves)).size, 10);
      const { '.task_outputs/.gitignore': rules, ...saved } = await files();
      assert.equal(rules, '*\n');
      assert.deepEqual(new Set(Object.values(saved)), new Set(texts));
    });
  });

  describe('of transcripts', () => {
    it('is one file for a session, each message once, however often it is compacted', async () => {
      const log = logOf(...Array.from({ length: 60 }, (_, index) => says(`answer ${index}`)));
      const archive = open();
      for (const length of [20, 20, 21, 60]) {
        const file = await archive.saveTranscript('s1', log.slice(0, length));
        assert.equal(file, at(TRANSCRIPT));
      }
      assert.deepEqual(await files(), {
        '.transcripts/.gitignore': '*\n',
        [TRANSCRIPT]: linesOf(log),
      });
    });

    it('can be replayed: calls, signed thinking, images and odd characters are as they were', async () => {
      const log = logOf(
        IMAGE,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm\n', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'b3BhcXVl' },
            { type: 'text', text: 'line\u2028end, half \ud83d and NUL \0' },
            call('a', 'bash', { command: 'echo "x"', archived: true, type: 'context' }),
          ],
        },
        results(['a', '漢字\r\n']),
      );
      await open().saveTranscript('s1', log);
      const lines = (await fs.readFile(at(TRANSCRIPT), 'utf8')).trimEnd().split('\n');
      assert.deepEqual(
        lines.map(parseJson),
        log.map(({ id, message }) => ({ id, ...message })),
      );
    });

    it('holds nothing that a turn added for the model', async () => {
      const request: Message = {
        role: 'user',
        content: [
          { type: 'context', text: 'recalled', records: {} },
          { type: 'text', text: 'the request' },
        ],
      };
      const [result] = results(['a', 'the beginning']).content;
      assert.ok(result?.type === 'tool_result');
      const cut = { ...result, archived: { place: '.task_outputs/x.txt', characters: 9 } };
      await open().saveTranscript('s1', logOf(request, { role: 'user', content: [cut] }));
      assert.equal(
        await fs.readFile(at(TRANSCRIPT), 'utf8'),
        linesOf(logOf(userText('the request'), results(['a', 'the beginning']))),
      );
    });

    it('is shared by the branches of a session whose request was edited', async () => {
      const [first, one, other] = logOf(says('first'), says('one way'), says('another way'));
      assert.ok(first && one && other);
      await open().saveTranscript('s1', [first, one]);
      await open().saveTranscript('s1', [first, other]);
      assert.equal(await fs.readFile(at(TRANSCRIPT), 'utf8'), linesOf([first, one, other]));
    });

    it('holds each message once when two windows write in turns', async () => {
      const log = logOf(...Array.from({ length: 12 }, (_, index) => says(`answer ${index}`)));
      const windows = [open(), open()];
      for (let length = 1; length <= log.length; length++)
        await windows[length % 2]?.saveTranscript('s1', log.slice(0, length));
      await windows[0]?.saveTranscript('s1', log);
      assert.equal(await fs.readFile(at(TRANSCRIPT), 'utf8'), linesOf(log));
    });

    it('holds each message once when calls of one window overlap', async () => {
      const log = logOf(...Array.from({ length: 30 }, (_, index) => says(`answer ${index}`)));
      const archive = open();
      const lengths = [5, 30, 1, 12, 30];
      await Promise.all(lengths.map((end) => archive.saveTranscript('s1', log.slice(0, end))));
      assert.equal(await fs.readFile(at(TRANSCRIPT), 'utf8'), linesOf(log));
    });

    it('keeps sessions apart', async () => {
      const archive = open();
      await archive.saveTranscript('s1', logOf(says('one')));
      await archive.saveTranscript('s2', logOf(says('two')));
      const { [TRANSCRIPT]: one, '.transcripts/s2.jsonl': two } = await files();
      assert.deepEqual([one, two], [linesOf(logOf(says('one'))), linesOf(logOf(says('two')))]);
    });

    it('goes on after a line that a crash tore, wherever that was', async () => {
      const log = logOf(says('first'), says('{"a":[漢]}'), says('last'));
      const bytes = Buffer.from(linesOf(log.slice(0, 2)));
      const whole = Buffer.from(linesOf(log.slice(0, 1))).length;
      for (let length = 1; length < bytes.length; length++) {
        await writeTree(temp.path, { [TRANSCRIPT]: bytes.subarray(0, length) });
        const archive = open();
        for (const end of [1, 2, 3, 3]) await archive.saveTranscript('s1', log.slice(0, end));
        const text = await fs.readFile(at(TRANSCRIPT), 'utf8');
        const lines = text.split('\n');
        assert.equal(lines.pop(), '');
        assert.ok(!lines.includes(''), text);
        const read = lines.map(parseJson).filter((value) => value !== undefined);
        // Only its end is missing to a line whose text is whole: that is written once more.
        const isTornAtEnd = length === whole - 1 || length === bytes.length - 1;
        assert.equal(read.length, isTornAtEnd ? 3 : log.length, text);
        assert.deepEqual(new Set(read.map(idOf)), new Set(['m0', 'm1', 'm2']));
      }
    });

    it('is written anew when it was deleted, alone or with its folder', async () => {
      const log = logOf(says('one'), says('two'));
      const archive = open();
      for (const gone of ['none', TRANSCRIPT, '.transcripts']) {
        await fs.rm(at(gone), { recursive: true, force: true });
        await archive.saveTranscript('s1', log);
        assert.deepEqual(await files(), {
          '.transcripts/.gitignore': '*\n',
          [TRANSCRIPT]: linesOf(log),
        });
      }
    });

    it('is there, and empty, for a session of which nothing is known', async () => {
      await open().saveTranscript('s1', []);
      assert.equal(await readBack(TRANSCRIPT), `(${TRANSCRIPT} is empty)`);
    });

    it('takes nothing for the id of a session that could lead elsewhere', async () => {
      for (const id of ['', '..', '../s1', 'a/b', 'a\\b', 'a.b', 's1\n', 'ä'])
        await assert.rejects(open().saveTranscript(id, []), /is not the id of a session/);
      assert.deepEqual(await files(), {});
    });
  });

  describe('in bad places', () => {
    const saves: Readonly<Record<string, (archive: Archive) => Promise<string>>> = {
      text: (archive) => archive.saveText('a'),
      transcript: (archive) => archive.saveTranscript('s1', logOf(says('b'))),
    };
    const placeOf = async (name: string) => {
      const file = await saves[name]?.(open());
      await fs.rm(at('.transcripts'), { recursive: true, force: true });
      await fs.rm(at('.task_outputs'), { recursive: true, force: true });
      return open().pointer(file ?? '');
    };

    for (const [name, save] of Object.entries(saves)) {
      it(`makes the folder of a ${name} again when somebody deletes it`, async () => {
        const archive = open();
        const file = await save(archive);
        const before = await files();
        for (const gone of [path.dirname(file), at(topOf(open().pointer(file)))]) {
          await fs.rm(gone, { recursive: true });
          await save(archive);
          assert.deepEqual(await files(), before);
        }
      });

      it(`keeps a ${name} out of commits when somebody deletes the rules`, async () => {
        const archive = open();
        const rules = path.join(topOf(open().pointer(await save(archive))), '.gitignore');
        await fs.rm(at(rules));
        await save(archive);
        assert.equal(await fs.readFile(at(rules), 'utf8'), '*\n');
      });

      it(`follows no link to where a ${name} is to stand`, async () => {
        const place = await placeOf(name);
        const folders = new Set([topOf(place), path.dirname(place)]);
        for (const link of [...folders, place]) {
          const archive = open();
          await save(archive);
          await fs.rm(at(link), { recursive: true });
          await writeTree(temp.path, { 'outside/.gitignore': '*\n' });
          await fs.symlink(link === place ? at('outside/new') : at('outside'), at(link));
          await assert.rejects(save(archive), (error: Error) => {
            assert.ok(error.message.startsWith(`${place} was not archived. Mend this and try`));
            assert.match(error.message, /: \S+ is (a link|not a real folder|not a plain file)/);
            return true;
          });
          assert.deepEqual(await readTree(at('outside')), { '.gitignore': '*\n' });
          await fs.rm(at(link));
        }
      });

      it(`says so when a folder stands in the place of a ${name}`, async () => {
        const place = await placeOf(name);
        await fs.mkdir(at(place), { recursive: true });
        await assert.rejects(save(open()), {
          message:
            `${place} was not archived. Mend this and try again: ` +
            `${path.basename(place)} is not a plain file. Move it to another place.`,
        });
      });
    }

    it('says that the disk is full or can only be read, and loses nothing once there is room', async function () {
      const disk = await mountSmallDisk(at('disk'));
      if ('problem' in disk) {
        console.log(`      SKIPPED: no small disk can be mounted here: ${disk.problem}`);
        this.skip();
      }
      try {
        const archive = new Archive({ root: disk.path, pointers: 'relative' });
        const log = logOf(...Array.from({ length: 30 }, (_, n) => says(`${n} `.repeat(200))));
        const isFull = / was not archived\. Mend this and try again: .*the disk is full\./;
        await archive.saveText('small');
        for (const room of [{ pages: 0 }, { pages: 1 }, { pages: 2 }]) {
          await archive.saveTranscript('s1', log.slice(0, 1));
          await disk.fill(room);
          await assert.rejects(archive.saveTranscript('s1', log), isFull);
          await assert.rejects(archive.saveTranscript('s2', log), isFull);
          await assert.rejects(archive.saveText('large '.repeat(2_000)), isFull);
          await disk.free();
          await archive.saveTranscript('s1', log);
          const { [TRANSCRIPT]: transcript = '', ...others } = await readTree(disk.path);
          const read = transcript.trimEnd().split('\n').map(parseJson);
          const ids = read.filter((value) => value !== undefined).map(idOf);
          assert.deepEqual(
            ids,
            log.map(({ id }) => id),
          );
          assert.equal(read.length, ids.length + 1);
          // Of what could not be made nothing is left.
          assert.equal(Object.keys(others).length, 3);
          await fs.rm(path.join(disk.path, TRANSCRIPT));
        }
        await archive.saveTranscript('s1', log);

        disk.makeReadOnly();
        const readOnly = /Mend this and try again: .*the disk can only be read\./;
        await assert.rejects(archive.saveText('another'), readOnly);
        await assert.rejects(archive.saveTranscript('s2', log), readOnly);
        const more = [...log, { id: 'more', message: says('more') }];
        await assert.rejects(archive.saveTranscript('s1', more), readOnly);
        // What is there already needs no disk.
        await archive.saveText('small');
        await archive.saveTranscript('s1', log);
      } finally {
        disk.unmount();
      }
    });
  });
});

function logOf(...messages: readonly Message[]): LoggedMessage[] {
  return messages.map((message, index) => ({ id: `m${index}`, message }));
}

function lineOf(id: string, { role, content }: Message): string {
  return JSON.stringify({ id, role, content });
}

function linesOf(log: readonly LoggedMessage[]): string {
  return log.map(({ id, message }) => `${lineOf(id, message)}\n`).join('');
}

function idOf(value: unknown): unknown {
  assert.ok(typeof value === 'object' && value !== null && 'id' in value);
  return value.id;
}

function textsOf(block: Message['content'][number]): string[] {
  if (block.type !== 'tool_result') return [];
  return block.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function topOf(pointer: string): string {
  return pointer.split('/')[0] ?? '';
}
