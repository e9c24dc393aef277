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
  type Tool,
} from '../../src/agent/tools.ts';
import { createWriteFile } from '../../src/agent/tools/writeFile.ts';
import { silentLog } from '../../src/base/log.ts';
import { editorWorkspace } from '../../src/vscode/tools/editorWorkspace.ts';
import { invokableTools, registerLmTools } from '../../src/vscode/tools/lmTools.ts';
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

  it('asks about the call of another agent for itself, though one of ours waits that it could be', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const changes: Tool = {
      ...tool((input) => Promise.resolve(JSON.stringify(input))),
      readOnly: false,
      async preview(input) {
        // Of a call that fails the person is not asked when it is ours.
        if (JSON.stringify(input) !== '{"path":"ours"}') throw new Error('It fails.');
        asked.resolve();
        await answered.promise;
        return { shown: 'a.ts', before: 'a', after: 'b', savesEdits: false };
      },
    };
    const tools = registered(changes);
    const ours = call(tools, { path: 'ours' });
    await asked.promise;
    const options = { input: { path: 'theirs' }, toolInvocationToken: undefined };
    const theirs = await vscode.lm.invokeTool(`memoryAgent_${NAME}`, options);
    assert.deepEqual(theirs.content, [new vscode.LanguageModelTextPart('{"path":"theirs"}')]);
    answered.resolve();
    assert.deepEqual(await ours, result('{"path":"ours"}', false));
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
    const names = tools.map(({ name }) => name);
    disposables.push(registerLmTools(names, async () => tools, silentLog));
    return invokableTools(tools, undefined);
  }
});

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
