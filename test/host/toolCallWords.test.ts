import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SeenFiles } from '../../src/agent/seenFiles.ts';
import type { FileChange, Tool } from '../../src/agent/tools.ts';
import { confirmationMessages, invocationMessage } from '../../src/vscode/tools/toolCallWords.ts';

const TOOL: Tool = {
  name: 'test_read',
  description: 'Reads.',
  inputSchema: { type: 'object' },
  readOnly: true,
  run: () => Promise.resolve(''),
};

describe('the words of a tool call', () => {
  it('says what runs', () => {
    assert.equal(said('read_file', { path: 'src/a.ts' }), 'Reading `src/a.ts`');
    assert.equal(said('write_file', { path: 'src/a.ts' }), 'Writing `src/a.ts`');
    assert.equal(said('edit_file', { path: 'src/a.ts' }), 'Editing `src/a.ts`');
    assert.equal(said('glob', { pattern: '**/*.ts' }), 'Finding files `**/*.ts`');
    assert.equal(said('grep', { pattern: 'a`b' }), 'Searching for ``a`b``');
    assert.equal(said('bash', { command: 'ls\n-la' }), 'Running `ls -la`');
    assert.equal(said('compact', {}), 'Summarising the conversation after this step');
    const searching = 'Searching earlier conversations for `the port`';
    assert.equal(said('search_history', { query: 'the port' }), searching);
    const reading = 'Reading message 12 of an earlier conversation';
    assert.equal(said('search_history', { message: 12, query: 'the port' }), reading);
    assert.equal(said('other', {}), 'Running `other`');
  });

  it('names the tool when the call says nothing of what it is for', () => {
    const names = ['read_file', 'write_file', 'edit_file', 'glob', 'grep', 'bash', 'task'];
    for (const name of [...names, 'save_memory', 'search_memory', 'search_history']) {
      assert.equal(said(name, { path: 3, command: ' ' }), `Running \`${name}\``);
    }
  });

  it('asks before a file is made with its content', () => {
    const asked = changeQuestion({ before: undefined, after: '```\ncode\n```\n' });
    assert.equal(asked.title, 'Create `a.md` (+3)?');
    assert.equal(asked.body, '````\n```\ncode\n```\n````');
  });

  it('says of a new file that it is empty', () => {
    assert.equal(changeQuestion({ before: undefined, after: '' }).body, 'The file is empty.');
  });

  it('asks before a change with what is new and gone, where it stands and what is around it', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join('');
    const asked = changeQuestion({ before, after: before.replace('10\n', 'ten\nmore\n') });
    assert.equal(asked.title, 'Change `a.md` (+2 −1)?');
    const hunk = ' 7\n 8\n 9\n-10\n+ten\n+more\n 11\n 12\n 13';
    assert.equal(asked.body, `\`\`\`diff\n@@ -7,7 +7,8 @@\n${hunk}\n\`\`\``);
  });

  it('asks before a file is written over with the difference alone', () => {
    const before = 'same\n'.repeat(500);
    const { title, body } = changeQuestion({ before, after: `${before}new\n` });
    assert.equal(title, 'Change `a.md` (+1 −0)?');
    assert.match(body, /^```diff\n@@ -498,3 \+498,4 @@\n same\n same\n same\n\+new\n```$/);
  });

  it('shows the beginning of a large change and how much is left out', () => {
    for (const before of ['', undefined]) {
      const { body } = changeQuestion({ before, after: 'line\n'.repeat(1000) });
      assert.ok(body.length < 1000);
      assert.match(body, /… and 94[01] more lines\.$/);
    }
  });

  it('shows the beginning of a long line and how much is left out', () => {
    const { body } = changeQuestion({ before: 'a\n', after: `${'x'.repeat(5_000)}\nshort\n` });
    assert.match(body, /\n-a\n\+x{399} … and 4,601 more characters\n\+short\n```$/);
  });

  it('shows the place in a long line that changes, and how much around it stays the same', () => {
    const [before, after] = ['', 'not '].map(
      (word) => `${'x'.repeat(1_000)}${word}z${'y'.repeat(700)}\n`,
    );
    assert.ok(before && after);
    const lead = `… ${'x'.repeat(20)}`;
    const { body } = changeQuestion({ before, after });
    assert.ok(body.includes(`\n-${lead}zy`), body);
    assert.ok(body.includes(`\n+${lead}not zy`), body);
    const start = String.raw`\(the 980 characters before it stay the same\)`;
    assert.match(body, new RegExp(`y … and 322 more characters that stay the same ${start}\n\\+`));
    assert.match(
      body,
      new RegExp(`y … and 326 more characters that stay the same ${start}\n\`\`\`$`),
    );
    const further = changeQuestion({ before, after: after.replace('y\n', 'Y\n') });
    assert.match(further.body, /y … and 326 more characters \(the 980 [^)]*\)\n```$/);
  });

  it('shows what comes where much goes', () => {
    const before = 'old\n'.repeat(100);
    const { body } = changeQuestion({ before, after: 'new 1\nnew 2\n' });
    assert.match(body, /\n(-old\n){25}… and 75 more lines that go\n\+new 1\n\+new 2\n```$/);
  });

  it('shows the end of a long path in the title, and the whole of it below', () => {
    const shown = `${'folder/'.repeat(40)}evil.ts`;
    const { title, body } = changeQuestion({ shown, before: undefined, after: 'a\n' });
    assert.match(title, /^Create `folder\/.*….*\/evil\.ts` \(\+1\)\?$/);
    assert.equal(body, `\`\`\`\n${shown}\n\`\`\`\n\n\`\`\`\na\n\`\`\``);
  });

  it('says that unsaved edits of the person are saved with the change', () => {
    const { body } = changeQuestion({ before: 'a\n', after: 'b\n', savesEdits: true });
    assert.match(body, /^Your unsaved edits to this file will be saved too\.\n\n```diff\n/);
  });

  it('says when only the line ends change', () => {
    const { body } = changeQuestion({ before: 'a\nb\n', after: 'a\r\nb\r\n' });
    assert.equal(body, 'Only the line ends change.');
  });

  it('shows a command whole, however long, and what hides in it', () => {
    const { body } = question('bash', { command: `${'echo 1\n'.repeat(200)}rm \u202e-rf` });
    assert.match(body, /^```sh\n(echo 1\n){200}rm \\u\{202e\}-rf\n```$/);
  });

  it('shows a long line of a command once more where it wraps', () => {
    const long = `echo ${'word '.repeat(20)}&& rm -rf build`;
    const { body } = question('bash', { command: `cd src\n${long}` });
    assert.equal(body, `\`\`\`sh\ncd src\n${long}\n\`\`\`\n\nIn full: \`${long}\``);
  });

  it('asks about a call without its arguments all the same', () => {
    assert.equal(question('bash', {}).title, 'Run this command?');
    assert.equal(question('write_file', { path: 3 }).title, 'Write ` `?');
  });

  it('says of a question in a task which task asks', () => {
    const caller = { seen: new SeenFiles(), emit: () => undefined, task: 'Find *it*' };
    const { body } = question('bash', { command: 'ls' }, { caller });
    assert.equal(body, 'Asked for by the task `Find *it*`.\n\n```sh\nls\n```');
  });

  it('asks about a tool it does not know with its input', () => {
    const asked = question('other', { a: 1 });
    assert.equal(asked.title, 'Run `other`?');
    assert.equal(asked.body, '```json\n{\n  "a": 1\n}\n```');
  });
});

function said(name: string, input: Record<string, unknown>): string {
  return invocationMessage({ ...TOOL, name }, input).value;
}

function changeQuestion(change: Pick<FileChange, 'before' | 'after'> & Partial<FileChange>) {
  return question('edit_file', {}, { change: { shown: 'a.md', savesEdits: false, ...change } });
}

function question(
  name: string,
  input: Record<string, unknown>,
  asked?: Parameters<typeof confirmationMessages>[2],
) {
  const changing = { ...TOOL, name, readOnly: false };
  const { title, message } = confirmationMessages(changing, input, asked);
  assert.ok(message instanceof vscode.MarkdownString);
  assert.notEqual(message.isTrusted, true);
  assert.notEqual(message.supportHtml, true);
  return { title, body: message.value };
}
