import assert from 'node:assert/strict';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { runTool } from '../../../support/workspaceRun.ts';

describe('edit_file', () => {
  const root = useTempFolder();

  const edit = async (before: string, input: Record<string, unknown>) => {
    await writeTree(root.path, { 'a.ts': before });
    const said = await runTool(root.path, 'edit_file', { path: 'a.ts', ...input });
    return { said, after: (await readTree(root.path))['a.ts'] };
  };

  it('replaces the one place and leaves the rest', async () => {
    assert.deepEqual(await edit('one\ntwo\nthree\n', { old_text: 'two', new_text: 'zwei' }), {
      said: 'Replaced 1 place in a.ts, at line 2.',
      after: 'one\nzwei\nthree\n',
    });
  });

  it('takes both texts literally', async () => {
    const { after } = await edit('f(a.*b) /x/ [1]{2}\n', {
      old_text: '(a.*b) /x/ [1]{2}',
      new_text: "($& $1 $$ $` $')",
    });
    assert.equal(after, "f($& $1 $$ $` $')\n");
  });

  it('deletes with an empty new text', async () => {
    assert.equal((await edit('a\nb\nc\n', { old_text: 'b\n', new_text: '' })).after, 'a\nc\n');
  });

  it('matches across CRLF and writes what the file uses', async () => {
    const { after } = await edit('a\r\nb\r\nc\r\n', { old_text: 'a\nb', new_text: 'x\ny\nz' });
    assert.equal(after, 'x\r\ny\r\nz\r\nc\r\n');
  });

  it('leaves the line ends of a mixed file alone', async () => {
    const { after } = await edit('a\nb\r\nc\nd\n', { old_text: 'b\r\nc', new_text: 'b\r\nx' });
    assert.equal(after, 'a\nb\nx\nd\n');
  });

  it('tells the lines when a text occurs several times', async () => {
    await assert.rejects(edit('x\ny\nx\n', { old_text: 'x', new_text: 'z' }), {
      message:
        'old_text occurs 2 times in a.ts, at lines 1, 3. ' +
        'Include more lines around the one you mean, or set replace_all.',
    });
    assert.equal((await readTree(root.path))['a.ts'], 'x\ny\nx\n');
  });

  it('tells at most 20 of the lines', async () => {
    await assert.rejects(
      edit('x\n'.repeat(25), { old_text: 'x', new_text: 'z' }),
      /at lines 1, 2, [\d, ]+, 20 and 5 more\./,
    );
  });

  it('replaces very many places in one pass', async () => {
    const before = `${'x'.repeat(99)}\n`.repeat(20_000);
    const start = performance.now();
    const { said, after } = await edit(before, {
      old_text: 'x',
      new_text: 'y',
      replace_all: true,
    });
    assert.match(
      said,
      /^Replaced 1980000 places in a\.ts, at lines (1, ){19}1 and 1979980 more\.$/,
    );
    assert.equal(after, before.replaceAll('x', 'y'));
    // Once for each place, the lines before it would be counted for hours.
    assert.ok(performance.now() - start < 10_000);
  });

  it('takes an old text of any length', async () => {
    const old = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\r\n');
    const { after } = await edit(`a\r\n${old}\r\nb`, {
      old_text: old.replaceAll('\r\n', '\n'),
      new_text: 'x\ny',
    });
    assert.equal(after, 'a\r\nx\r\ny\r\nb');
  });

  it('replaces all places when asked to', async () => {
    assert.deepEqual(await edit('x\ny\nx\n', { old_text: 'x', new_text: 'z', replace_all: true }), {
      said: 'Replaced 2 places in a.ts, at lines 1, 3.',
      after: 'z\ny\nz\n',
    });
  });

  it('shows the place when only the whitespace differs', async () => {
    await assert.rejects(
      edit('start\n\tif (a) {\n\t\tgo();\n\t}\n', {
        old_text: '  if (a) {\n    go();',
        new_text: 'x',
      }),
      {
        message:
          'old_text is not in a.ts. Only the whitespace differs at line 2, which reads:\n\tif (a) {\n\t\tgo();',
      },
    );
  });

  it('shows the closest place when the words differ', async () => {
    await assert.rejects(
      edit('const count = 1;\nconst total = items.length;\n', {
        old_text: 'const total = item.length;',
        new_text: 'x',
      }),
      /The closest place is line 2; from line 2 the file reads:\nconst total = items\.length;$/,
    );
  });

  it('never shows half a character of the closest place', async () => {
    await writeTree(root.path, { 'a.txt': `  ${'word '.repeat(59)}xy\u{1F600} end\n` });
    const wanted = `${'word '.repeat(59)}xy\u{1F600} end`;
    await assert.rejects(
      runTool(root.path, 'edit_file', { path: 'a.txt', old_text: `\t${wanted}`, new_text: 'x' }),
      ({ message }: Error) => message.includes('Only the whitespace') && message.isWellFormed(),
    );
  });

  it('sends back to the file when nothing in it is like the text', async () => {
    await assert.rejects(
      edit('alpha\n', { old_text: 'something else', new_text: 'x' }),
      /Nothing in the file is like it\. Read the file again\.$/,
    );
  });

  it('refuses an edit that changes nothing, also when only line ends differ', async () => {
    const refusal = /are the same, so there is nothing to change/;
    await assert.rejects(edit('a\nb\n', { old_text: 'a', new_text: 'a' }), refusal);
    await assert.rejects(edit('a\nb\n', { old_text: 'a\nb', new_text: 'a\r\nb' }), refusal);
  });

  it('refuses an empty old text, a folder and a missing file', async () => {
    await assert.rejects(edit('a', { old_text: '', new_text: 'b' }), /old_text/);
    await assert.rejects(editIn(root.path, '.'), /is not a file/);
    await assert.rejects(
      editIn(root.path, 'b.ts'),
      /There is no file b\.ts\. Did you mean a\.ts\?/,
    );
  });
});

function editIn(folder: string, file: string): Promise<string> {
  return runTool(folder, 'edit_file', { path: file, old_text: 'a', new_text: 'b' });
}
