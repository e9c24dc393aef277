import assert from 'node:assert/strict';
import { once } from 'node:events';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { SeenFiles } from '../../src/agent/seenFiles.ts';
import {
  CANCELLED_RESULT,
  DECLINED_RESULT,
  runToolCall,
  type FileChange,
  type Tool,
} from '../../src/agent/tools.ts';
import { createWriteFile } from '../../src/agent/tools/writeFile.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Mode } from '../../src/memory/mode.ts';
import { editorWorkspace } from '../../src/vscode/editorWorkspace.ts';
import { allowedTools, invokableTools, registerLmTools } from '../../src/vscode/lmTools.ts';
import { confirmationMessages, invocationMessage } from '../../src/vscode/toolCallWords.ts';
import { writeTree } from '../support/tempFolder.ts';

/** Declared by fixtures/fake-lm, with the prefix of our tools. */
const NAME = 'test_read';
/** For a turn after Stop. */
const VSCODE_WAITS_MS = 1_000;

describe('lmTools', () => {
  const disposables: vscode.Disposable[] = [];
  afterEach(() => {
    for (const disposable of disposables.splice(0)) disposable.dispose();
  });

  it('runs a tool through VS Code and gives back its text', async () => {
    const tools = registered(tool((input) => Promise.resolve(`got ${JSON.stringify(input)}`)));
    assert.deepEqual(await call(tools, { path: 'a.ts' }), result('got {"path":"a.ts"}', false));
  });

  it('keeps what the model is told of a tool', () => {
    const original = tool(() => Promise.resolve(''));
    const [shown] = invokableTools([original], undefined);
    assert.ok(shown);
    const { name, description, inputSchema, readOnly } = original;
    assert.deepEqual(
      { ...shown, run: null },
      { name, description, inputSchema, readOnly, run: null },
    );
  });

  it('gives the message of a failed call to the model word for word', async () => {
    const message = 'There is no "a.ts".\nDid you mean `b.ts` <or> *c*?';
    const tools = registered(tool(() => Promise.reject(new Error(message))));
    assert.deepEqual(await call(tools, {}), result(message, true));
  });

  it('tells the cause of a failed call once', async () => {
    const error = new Error('It failed.', { cause: new Error('The disk is full.') });
    const tools = registered(tool(() => Promise.reject(error)));
    assert.deepEqual(await call(tools, {}), result('It failed. (The disk is full.)', true));
  });

  it('leaves wrong input to the tool, which says best what is wrong', async () => {
    const tools = registered(tool((input) => Promise.resolve(JSON.stringify(input))));
    const [shown] = tools;
    assert.equal(await shown?.run('no object', live()), '{}');
  });

  it('aborts the running tool and ends the call in time for VS Code, also when the tool goes on', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const tools = registered(
      tool((_input, signal) => {
        signal.addEventListener('abort', () => stopped.resolve());
        started.resolve();
        return new Promise(() => {});
      }),
    );
    const controller = new AbortController();
    const running = call(tools, {}, controller.signal);
    await started.promise;
    const stop = performance.now();
    controller.abort();
    assert.deepEqual(await running, result(CANCELLED_RESULT, true));
    assert.ok(performance.now() - stop < VSCODE_WAITS_MS);
    await stopped.promise;
  });

  it('gives what a stopped tool still tells, though VS Code no longer waits for it', async () => {
    const started = Promise.withResolvers<void>();
    const tools = registered(
      tool(async (_input, signal) => {
        started.resolve();
        await once(signal, 'abort');
        // It has to end what it runs before it can tell.
        await sleep(50);
        return 'printed before Stop';
      }),
    );
    const controller = new AbortController();
    const running = call(tools, {}, controller.signal);
    await started.promise;
    controller.abort();
    assert.deepEqual(await running, result('printed before Stop', false));
  });

  it('is a cancelled call when the stopped tool fails', async () => {
    const started = Promise.withResolvers<void>();
    const tools = registered(
      tool(async (_input, signal) => {
        started.resolve();
        await once(signal, 'abort');
        throw new Error('It broke off.');
      }),
    );
    const controller = new AbortController();
    const running = call(tools, {}, controller.signal);
    await started.promise;
    controller.abort();
    assert.deepEqual(await running, result(CANCELLED_RESULT, true));
  });

  it('is a failed call when VS Code answers without running the tool, as it does on Skip', async () => {
    disposables.push(
      vscode.lm.registerTool(`memoryAgent_${NAME}`, {
        invoke: () =>
          new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart('skip')]),
      }),
    );
    const tools = invokableTools([tool(() => Promise.resolve(''))], undefined);
    assert.deepEqual(await call(tools, {}), result(DECLINED_RESULT, true));
  });

  it('tells calls apart that run side by side', async () => {
    const tools = registered(tool((input) => Promise.resolve(JSON.stringify(input))));
    const inputs = Array.from({ length: 8 }, (_, index) => ({ path: `${index % 4}` }));
    const results = await Promise.all(inputs.map((input) => call(tools, input)));
    assert.deepEqual(
      results,
      inputs.map((input) => result(JSON.stringify(input), false)),
    );
  });

  it('lets VS Code ask about one call of a tool after the other, so that each learns its own fate', async () => {
    const course: string[] = [];
    disposables.push(
      vscode.lm.registerTool(`memoryAgent_${NAME}`, {
        prepareInvocation: () => {
          course.push('prepared');
          return undefined;
        },
        invoke: () => {
          course.push('declined');
          return new vscode.LanguageModelToolResult([]);
        },
      }),
    );
    const tools = invokableTools(
      [{ ...tool(() => Promise.resolve('')), readOnly: false }],
      undefined,
    );
    const both = await Promise.all([call(tools, { a: 1 }), call(tools, { a: 1 })]);
    assert.deepEqual(course, ['prepared', 'declined', 'prepared', 'declined']);
    assert.deepEqual(both, [result(DECLINED_RESULT, true), result(DECLINED_RESULT, true)]);
  });

  it('gives two calls that are the same each its own caller, and runs them side by side', async () => {
    const callers: (string | undefined)[] = [];
    const both = Promise.withResolvers<void>();
    const changes: Tool = {
      ...tool(() => Promise.resolve('')),
      readOnly: false,
      isUndoable: true,
      run: async (_input, _signal, caller) => {
        callers.push(caller?.task);
        if (callers.length === 2) both.resolve();
        await both.promise;
        return `for ${caller?.task}`;
      },
    };
    const [shown] = registered(changes);
    const run = (task: string) =>
      shown?.run({}, live(), { seen: new SeenFiles(), emit: () => undefined, task });
    assert.deepEqual(await Promise.all([run('a'), run('b')]), ['for a', 'for b']);
    assert.deepEqual(callers, ['a', 'b']);
  });

  it('allows tools over the conversation everywhere, behind those over a folder', () => {
    const none = () => Promise.resolve('');
    const [read, write, compact] = [tool(none), { ...tool(none), readOnly: false }, tool(none)];
    const tools = { workspace: [read, write], session: [compact], memory: [], skills: [] };
    const modes = { recall: 'auto', extraction: 'auto' } as const;
    assert.deepEqual(allowedTools(tools, modes), [read, write, compact]);
    assert.deepEqual(
      within({ isTrusted: false }, () => allowedTools(tools, modes)),
      [read, compact],
    );
    assert.deepEqual(
      within({ workspaceFolders: [] }, () => allowedTools(tools, modes)),
      [compact],
    );
  });

  it('allows skills, which are instructions, in a trusted folder only, behind all others', () => {
    const none = () => Promise.resolve('');
    const [read, compact, search, load] = [tool(none), tool(none), tool(none), tool(none)];
    const tools = { workspace: [read], session: [compact], memory: [search], skills: [load] };
    const modes = { recall: 'auto', extraction: 'auto' } as const;
    assert.deepEqual(allowedTools(tools, modes), [read, compact, search, load]);
    for (const window of [{ isTrusted: false }, { workspaceFolders: [] }]) {
      const allowed = within(window, () => allowedTools(tools, modes));
      assert.ok(!allowed.some((each) => each === load));
    }
  });

  it('allows tools over the memories as far as recall and extraction go', () => {
    const none = () => Promise.resolve('');
    const [save, search] = [{ ...tool(none), readOnly: false }, tool(none)];
    const tools = { workspace: [], session: [], memory: [save, search], skills: [] };
    const allowed = (recall: Mode, extraction: Mode) => allowedTools(tools, { recall, extraction });
    assert.deepEqual(allowed('auto', 'auto'), [save, search]);
    assert.deepEqual(allowed('review', 'review'), [save]);
    assert.deepEqual(allowed('off', 'auto'), [save]);
    assert.deepEqual(allowed('auto', 'off'), [search]);
    assert.deepEqual(
      within({ workspaceFolders: [] }, () => allowed('auto', 'auto')),
      [search],
    );
    assert.deepEqual(
      within({ isTrusted: false }, () => allowed('auto', 'auto')),
      [],
    );
  });

  it('runs a tool without a question when the person can undo what it does', async () => {
    const saved = tool(() => Promise.resolve('saved'));
    const tools = registered({ ...saved, readOnly: false, isUndoable: true });
    assert.deepEqual(await call(tools, {}), result('saved', false));
  });

  it('refuses without a question what would fail in any case, and runs nothing', async () => {
    const ran: unknown[] = [];
    const run = (input: unknown) => Promise.resolve(String(ran.push(input)));
    const preview = () => Promise.reject(new Error('It has changed since you read it.'));
    const tools = registered({ ...tool(run), readOnly: false, preview });
    const refused = result('It has changed since you read it.', true);
    assert.deepEqual(await call(tools, { path: 'a.ts' }), refused);
    assert.deepEqual(ran, []);
  });

  it('refuses to write memories, and to change what was not read, without a question', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    await writeTree(root, { 'asked.txt': 'one\n' });
    const writeFile = createWriteFile(editorWorkspace([]));
    const tools = registered({ ...writeFile, name: NAME });
    const asking = (path: string) => call(tools, { path, content: 'x' });
    assert.match(JSON.stringify(await asking('.memory/a.md')), /Memories are saved by themselves/);
    assert.match(JSON.stringify(await asking('asked.txt')), /you have not read it/);
    assert.equal(await fs.readFile(path.join(root, 'asked.txt'), 'utf8'), 'one\n');
    await fs.rm(path.join(root, 'asked.txt'));
  });

  it('fails in words when the tool is not registered', async () => {
    const tools = invokableTools(
      [{ ...tool(() => Promise.resolve('')), name: 'absent' }],
      undefined,
    );
    const answer = await call(tools, {}, live(), 'absent');
    assert.equal(answer.is_error, true);
    assert.match(JSON.stringify(answer.content), /memoryAgent_absent/);
  });

  function registered(...tools: readonly Tool[]): readonly Tool[] {
    disposables.push(registerLmTools(tools, silentLog));
    return invokableTools(tools, undefined);
  }
});

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

  it('asks before a file is made with its content', () => {
    const asked = changeQuestion({ before: undefined, after: '```\ncode\n```\n' });
    assert.equal(asked.title, 'Create `a.md` (+3)?');
    assert.equal(asked.body, '````\n```\ncode\n```\n````');
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
    assert.match(body, /\n-a\n\+x{399} … and 4601 more characters\n\+short\n```$/);
  });

  it('shows the place in a long line that changes, and how much around it stays the same', () => {
    const [before, after] = ['', 'not '].map(
      (word) => `${'x'.repeat(1_000)}${word}z${'y'.repeat(700)}\n`,
    );
    assert.ok(before && after);
    const lead = `(920 characters that stay the same) … ${'x'.repeat(80)}`;
    const { body } = changeQuestion({ before, after });
    assert.ok(body.includes(`\n-${lead}zy`), body);
    assert.ok(body.includes(`\n+${lead}not zy`), body);
    assert.match(body, /y … and 382 more characters that stay the same\n\+/);
    assert.match(body, /y … and 386 more characters that stay the same\n```$/);
    const further = changeQuestion({ before, after: after.replace('y\n', 'Y\n') });
    assert.match(further.body, /y … and 386 more characters\n```$/);
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

  it('asks about a call without its arguments all the same', () => {
    assert.equal(question('bash', {}).title, 'Run this command?');
    assert.equal(question('write_file', { path: 3 }).title, 'Write ` `?');
  });

  it('asks about a tool it does not know with its input', () => {
    const asked = question('other', { a: 1 });
    assert.equal(asked.title, 'Run `other`?');
    assert.equal(asked.body, '```json\n{\n  "a": 1\n}\n```');
  });
});

/** What `run` returns where the workspace is as given. */
function within<T>(workspace: Partial<typeof vscode.workspace>, run: () => T): T {
  const originals = Object.keys(workspace).map(
    (key) => [key, Object.getOwnPropertyDescriptor(vscode.workspace, key)] as const,
  );
  try {
    for (const [key, value] of Object.entries(workspace)) {
      Object.defineProperty(vscode.workspace, key, { get: () => value, configurable: true });
    }
    return run();
  } finally {
    for (const [key, original] of originals) {
      if (original) Object.defineProperty(vscode.workspace, key, original);
    }
  }
}

function said(name: string, input: Record<string, unknown>): string {
  return invocationMessage({ ...tool(() => Promise.resolve('')), name }, input).value;
}

function changeQuestion(change: Pick<FileChange, 'before' | 'after'> & Partial<FileChange>) {
  return question('edit_file', {}, { shown: 'a.md', savesEdits: false, ...change });
}

function question(name: string, input: Record<string, unknown>, change?: FileChange) {
  const changing = { ...tool(() => Promise.resolve('')), name, readOnly: false };
  const { title, message } = confirmationMessages(changing, input, change);
  assert.ok(message instanceof vscode.MarkdownString);
  assert.notEqual(message.isTrusted, true);
  assert.notEqual(message.supportHtml, true);
  return { title, body: message.value };
}

function tool(run: Tool['run']): Tool {
  return {
    name: NAME,
    description: 'Reads.',
    inputSchema: { type: 'object' },
    readOnly: true,
    run,
  };
}

function call(
  tools: readonly Tool[],
  input: Record<string, unknown>,
  signal = live(),
  name = NAME,
) {
  const caller = { seen: new SeenFiles(), emit: () => {} };
  return runToolCall(tools, { type: 'tool_use', id: 'c1', name, input }, signal, caller);
}

function result(text: string, isError: boolean) {
  return {
    type: 'tool_result',
    tool_use_id: 'c1',
    content: [{ type: 'text', text }],
    is_error: isError,
  };
}

function live(): AbortSignal {
  return new AbortController().signal;
}
