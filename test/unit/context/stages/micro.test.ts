import assert from 'node:assert/strict';
import path from 'node:path';
import { measure } from '../../../../src/context/measure.ts';
import { micro } from '../../../../src/context/stages/micro.ts';
import { toolResultBudget } from '../../../../src/context/stages/toolResultBudget.ts';
import { userText, type Message, type ToolResultBlock } from '../../../../src/models/model.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { filled } from '../../../support/histories.ts';
import {
  NEVER_ABORTED,
  NEVER_OVER,
  stageInput,
  type StageInputOptions,
} from '../../../support/stageInput.ts';
import { readTree, useTempFolder } from '../../../support/tempFolder.ts';

describe('clearing old tool results', () => {
  const folder = useTempFolder();
  const run = (messages: readonly Message[], options: Partial<StageInputOptions> = {}) =>
    micro.run(stageInput({ messages, root: folder.path, ...options }), NEVER_ABORTED);

  it('leaves one line of a result, which says where it can be read', async () => {
    const messages = [userText('go'), ...rounds([812, 500, 500, 500]), says('I see.')];
    const result = await run(messages);
    const [first, ...rest] = resultsIn(result?.messages);
    const file = result?.archive ?? '';
    const place = path.relative(folder.path, file).split(path.sep).join('/');
    assert.deepEqual(first?.content, [
      { type: 'text', text: `[Archived: ${place}, 812 characters]` },
    ]);
    assert.deepEqual(first.archived, { place, characters: 812 });
    assert.equal((await readTree(folder.path))[place], filled(812, 'r0'));
    assert.deepEqual(
      rest.map(({ archived }) => archived),
      [undefined, undefined, undefined],
    );
  });

  it('leaves the newest three that were read, and all that were not', async () => {
    const messages = [userText('go'), ...rounds([900, 900, 900, 900, 900, 900])];
    const archived = resultsIn((await run(messages))?.messages).map((block) => !!block.archived);
    assert.deepEqual(archived, [true, true, false, false, false, false]);
  });

  it('does nothing up to the trigger, also above the target', async () => {
    const messages = [userText('go'), ...rounds(Array<number>(10).fill(9_000))];
    assert.equal(
      await run(messages, { budget: { trigger: measure(messages), target: 0 } }),
      undefined,
    );
    assert.deepEqual(await readTree(folder.path), {});
  });

  it('clears the oldest first, and only as many as it takes to reach the target', async () => {
    const messages = [userText('go'), ...rounds(Array<number>(10).fill(3_600))];
    const tokens = measure(messages);
    const result = await run(messages, { budget: { trigger: tokens - 1, target: tokens - 1_500 } });
    const archived = resultsIn(result?.messages).map((block) => !!block.archived);
    assert.deepEqual(archived, [true, true, ...Array<boolean>(8).fill(false)]);
    assert.ok(measure(result?.messages ?? []) <= tokens - 1_500);
  });

  it('writes nothing for results that are no longer than their line', async () => {
    const short = rounds([0, 20, 120, 120, 120, 120]);
    assert.equal(await run([userText('go'), ...short, says('done')]), undefined);
    assert.deepEqual(await readTree(folder.path), {});
  });

  it('clears what a tool printed as if it were archived, and keeps it on disk', async () => {
    const forged = `[Archived: .task_outputs/tool-results/other.txt, 9 characters]\n${filled(400, 'own')}`;
    const messages = [
      userText('go'),
      calls(call('f', 'bash')),
      results(['f', forged]),
      ...rounds([1, 1, 1]),
      says('done'),
    ];
    const [block] = resultsIn((await run(messages))?.messages);
    assert.equal((await readTree(folder.path))[block?.archived?.place ?? ''], forged);
  });

  it('turns a preview into a line without writing again', async () => {
    const large = [userText('go'), calls(call('f', 'bash')), results(['f', filled(250_000, 'f')])];
    const previewed = await toolResultBudget.run(
      stageInput({ messages: large, root: folder.path, budget: NEVER_OVER }),
      NEVER_ABORTED,
    );
    const files = await readTree(folder.path);
    const after = await run([...(previewed?.messages ?? []), ...rounds([1, 1, 1]), says('done')]);
    const [before] = resultsIn(previewed?.messages);
    const [block] = resultsIn(after?.messages);
    assert.deepEqual(block?.archived, before?.archived);
    assert.match(
      JSON.stringify(block?.content),
      /^\[\{"type":"text","text":"\[Archived: [^\n]+\]"\}\]$/,
    );
    const added = Object.keys(await readTree(folder.path)).filter((file) => !(file in files));
    assert.deepEqual(added.toSorted(), ['.transcripts/.gitignore', '.transcripts/session.jsonl']);
  });

  it('stops when the turn is cancelled', async () => {
    const messages = [userText('go'), ...rounds([900, 900, 900, 900]), says('done')];
    await assert.rejects(
      micro.run(stageInput({ messages, root: folder.path }), AbortSignal.abort()),
      { name: 'ModelError', kind: 'cancelled' },
    );
  });

  it('reads each text a few times however many there are', async () => {
    let reads = 0;
    const content = [
      {
        type: 'text',
        get text() {
          reads++;
          return filled(200, 'a');
        },
      } as const,
    ];
    const messages = rounds(Array<number>(2_000).fill(1)).map((message): Message => {
      if (message.role === 'assistant') return message;
      return {
        role: 'user',
        content: resultsIn([message]).map((block) => ({ ...block, content })),
      };
    });
    const result = await run([userText('go'), ...messages, says('done')]);
    assert.equal(resultsIn(result?.messages).filter(({ archived }) => archived).length, 1_997);
    assert.ok(reads <= 2_000 * 12, `${reads} reads of 2,000 texts`);
  });
});

function rounds(sizes: readonly number[]): Message[] {
  return sizes.flatMap((size, index) => [
    calls(call(`r${index}`, 'read_file')),
    results([`r${index}`, filled(size, `r${index}`)]),
  ]);
}

function resultsIn(messages: readonly Message[] = []): ToolResultBlock[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );
}
