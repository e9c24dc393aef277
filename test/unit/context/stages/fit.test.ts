import assert from 'node:assert/strict';
import { measure } from '../../../../src/context/measure.ts';
import { resultText } from '../../../../src/context/standIn.ts';
import { fit } from '../../../../src/context/stages/fit.ts';
import { userText, type Message } from '../../../../src/models/model.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { filled } from '../../../support/histories.ts';
import { NEVER_ABORTED, stageInput, type StageInputOptions } from '../../../support/stageInput.ts';
import { readTree, useTempFolder } from '../../../support/tempFolder.ts';

describe('fitting what is large', () => {
  const folder = useTempFolder();
  const run = (messages: readonly Message[], options: Partial<StageInputOptions> = {}) =>
    fit.run(stageInput({ messages, root: folder.path, ...options }), NEVER_ABORTED);

  it('shortens what was read, the largest first, down to the target', async () => {
    const messages = [
      userText('go'),
      calls(call('a', 'bash'), call('b', 'bash'), call('c', 'bash')),
      results(['a', filled(5_000, 'a')], ['b', filled(50_000, 'b')], ['c', filled(20_000, 'c')]),
      calls(call('d', 'bash')),
      results(['d', filled(90_000, 'd')]),
    ];
    const tokens = measure(messages);
    const budget = { trigger: tokens - 1, target: tokens - 17_000 };
    const result = await run(messages, { budget });
    const [a, b, c, d] = textsOf(result?.messages);
    assert.deepEqual(
      [a?.length, b?.split('\n').slice(1).join('\n')],
      [5_000, filled(50_000, 'b').slice(0, 1_000)],
    );
    assert.ok(c?.startsWith('[Archived: ') && c.length < 1_200);
    assert.equal(d?.length, 90_000);
    assert.ok(measure(result?.messages ?? []) <= budget.target);
  });

  it('shortens what the model has not read only above the limit, and only down to it', async () => {
    const messages = [
      userText('go'),
      calls(call('a', 'bash'), call('b', 'bash')),
      results(['a', filled(50_000, 'a')], ['b', filled(20_000, 'b')]),
    ];
    const tokens = measure(messages);
    assert.equal(
      await run(messages, { budget: { trigger: 100, target: 80, limit: tokens } }),
      undefined,
    );
    const budget = { trigger: 100, target: 80, limit: tokens - 1 };
    const [a, b] = textsOf((await run(messages, { budget }))?.messages);
    assert.ok(a?.startsWith('[Archived: '));
    assert.equal(b?.length, 20_000);
  });

  it('does nothing up to the trigger, also above the target', async () => {
    const messages = [userText('go'), calls(call('a', 'x')), results(['a', filled(50_000, 'a')])];
    assert.equal(
      await run(messages, { budget: { trigger: measure(messages), target: 0 } }),
      undefined,
    );
    assert.deepEqual(await readTree(folder.path), {});
  });

  it('shortens long texts in the input of a call, and keeps the rest of it', async () => {
    const content = filled(60_000, 'file');
    const edits = [{ old: 'a', new: filled(3_000, 'edit') }];
    const input = { path: 'src/a.ts', content, edits, mode: 0o644 };
    const messages = [userText('go'), calls(call('a', 'write_file', input)), results(['a', 'ok'])];
    const result = await run(messages);
    const [block] = result?.messages[1]?.content ?? [];
    assert.ok(block?.type === 'tool_use');
    const { content: short, edits: shortEdits, ...rest } = block.input;
    assert.deepEqual(rest, { path: 'src/a.ts', mode: 0o644 });
    const [, place = ''] = /^\[Archived: (.+), 60000 characters\. /.exec(String(short)) ?? [];
    const files = await readTree(folder.path);
    assert.equal(files[place], content);
    assert.match(
      JSON.stringify(shortEdits),
      /^\[\{"old":"a","new":"\[Archived: .+, 3000 characters/,
    );
    assert.ok(Object.values(files).includes(filled(3_000, 'edit')));
  });

  it('leaves the open checklist alone, also where it came as one long text', async () => {
    const write = (id: string) => call(id, 'todo_write', { todos: filled(3_000, 'steps') });
    const list = write('b');
    const messages = [
      userText('go'),
      calls(write('a')),
      results(['a', 'ok']),
      calls(list),
      results(['b', 'ok']),
    ];
    const openTodos = { call: list, count: 2, lines: ['[pending] steps'] };
    const result = await run(messages, { openTodos });
    assert.match(JSON.stringify(result?.messages[1]), /Archived/);
    assert.deepEqual(result?.messages[3], calls(list));
    const done = await run(messages, { openTodos: { ...openTodos, lines: [] } });
    assert.match(JSON.stringify(done?.messages[3]), /Archived/);
  });

  it('leaves a call alone that has no result yet', async () => {
    const open = calls(call('a', 'write_file', { content: filled(60_000, 'file') }));
    assert.equal(await run([userText('go'), open]), undefined);
  });

  it('writes nothing when no result is longer than its preview', async () => {
    const ids = Array.from({ length: 80 }, (_, index) => `r${index}`);
    const messages = [
      userText('go'),
      calls(...ids.map((id) => call(id, 'bash'))),
      results(...ids.map((id) => [id, filled(900, id)] as const)),
    ];
    assert.equal(await run(messages), undefined);
    assert.deepEqual(await readTree(folder.path), {});
  });

  it('leaves the current request alone, whatever its size', async () => {
    const messages = [userText(filled(60_000, 'pasted')), says('Let me see.')];
    assert.equal(await run(messages), undefined);
  });

  it('leaves results alone that share a message with the words of the current request', async () => {
    const spoken: Message = {
      role: 'user',
      content: [...results(['a', filled(9_000, 'a')]).content, ...userText('Stop.').content],
    };
    assert.equal(await run([userText('go'), calls(call('a', 'bash')), spoken]), undefined);
  });

  it('writes a text once that two tools printed', async () => {
    const same = filled(9_000, 'same');
    const messages = [
      userText('go'),
      calls(call('a', 'bash'), call('b', 'bash')),
      results(['a', same], ['b', same]),
    ];
    await run(messages);
    const texts = Object.values(await readTree(folder.path)).filter((text) => text === same);
    assert.equal(texts.length, 1);
  });

  it('leaves no half of a character', async () => {
    const text = `x${'😀'.repeat(5_000)}`;
    const messages = [userText('go'), calls(call('a', 'bash')), results(['a', text])];
    const [short = ''] = textsOf((await run(messages))?.messages);
    assert.ok(short.isWellFormed());
    assert.ok(Object.values(await readTree(folder.path)).includes(text));
  });

  it('names files by their whole path where there is no workspace to start from', async () => {
    const messages = [userText('go'), calls(call('a', 'x')), results(['a', filled(9_000, 'a')])];
    const result = await run(messages, { pointers: 'absolute' });
    assert.ok(textsOf(result?.messages)[0]?.startsWith(`[Archived: ${result?.archive}, `));
  });
});

function textsOf(messages: readonly Message[] = []): string[] {
  return messages
    .flatMap(({ content }) => [...content])
    .flatMap((block) => (block.type === 'tool_result' ? [resultText(block)] : []));
}
