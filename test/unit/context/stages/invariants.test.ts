import assert from 'node:assert/strict';
import { assert as check, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { measure } from '../../../../src/context/measure.ts';
import { isMarker } from '../../../../src/context/removalMarker.ts';
import type { Stage, StageInput } from '../../../../src/context/stage.ts';
import { fit } from '../../../../src/context/stages/fit.ts';
import { mechanicalCut } from '../../../../src/context/stages/mechanicalCut.ts';
import { micro } from '../../../../src/context/stages/micro.ts';
import { snip } from '../../../../src/context/stages/snip.ts';
import { toolResultBudget } from '../../../../src/context/stages/toolResultBudget.ts';
import { isSummary } from '../../../../src/context/summaryBlock.ts';
import { lastRequestIndex, toolCalls } from '../../../../src/context/transcript.ts';
import type { Message, ToolResultBlock, UserBlock } from '../../../../src/models/model.ts';
import { call } from '../../../support/conversation.ts';
import { histories } from '../../../support/histories.ts';
import { NEVER_ABORTED, stageInput } from '../../../support/stageInput.ts';
import { summariseStage, summaryAnswer } from '../../../support/summaries.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

const STAGES: readonly Stage[] = [
  toolResultBudget,
  snip,
  micro,
  fit,
  mechanicalCut,
  summariseStage(summaryAnswer({ goal: 'Go on.' })),
];
const SEED = 20_260_401;

/** Small ones, so that each stage has work in most histories. */
const POLICY = {
  batchChars: 800,
  largePreviewChars: 300,
  maxMessages: 12,
};

/** Its call left long ago. */
const OPEN_TODOS = {
  call: call('gone', 'todo_write'),
  count: 3,
  lines: ['[completed] Read the parser', '[in_progress] Mend it', '[pending] Run its tests'],
};

const INPUTS = record({
  messages: histories({ turns: 8, rounds: 12 }),
  share: constantFrom(0, 0.3, 0.9),
  maxMessages: constantFrom(0, 0, 5, 20),
  reactiveTail: integer({ min: 1, max: 7 }),
  openTodos: constantFrom({}, { openTodos: OPEN_TODOS }),
});

describe('every stage of compaction', () => {
  const folder = useTempFolder();

  for (const stage of STAGES) {
    it(`keeps its promises for any history: ${stage.name}`, async () => {
      let changed = 0;
      const property = asyncProperty(INPUTS, async (options) => {
        const { messages, share, maxMessages, reactiveTail, openTodos } = options;
        const trigger = Math.floor(measure(messages) * share);
        const input = stageInput({
          messages,
          root: folder.path,
          budget: { trigger, target: Math.floor(trigger * 0.8) },
          policy: { ...POLICY, reactiveTail },
          maxMessages,
          ...openTodos,
        });
        const result = await stage.run(input, NEVER_ABORTED);
        if (!result) return;
        changed++;
        assertSmaller(result.messages, messages);
        assertRoles(result.messages, messages);
        assertPairs(result.messages);
        assertRequest(result.messages, messages);
        assertKept(result.messages, messages);
        assertUnread(result.messages, messages);
        await assertStable(stage, input, result.messages);
      });
      await check(property, { numRuns: 60, seed: SEED });
      assert.ok(changed > 10, `it only did something in ${changed} histories`);
    });
  }
});

function assertSmaller(after: readonly Message[], before: readonly Message[]): void {
  assert.ok(measure(after) < measure(before));
}

function assertRoles(after: readonly Message[], before: readonly Message[]): void {
  const doubled = (messages: readonly Message[]) =>
    messages.filter(({ role }, index) => role === messages[index + 1]?.role).length;
  assert.ok(doubled(after) <= doubled(before), 'messages of one role came side by side');
}

/** Each result behind its call, each call with its results, and the user first. */
function assertPairs(messages: readonly Message[]): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') assert.deepEqual([...open], []);
    for (const { id } of toolCalls(message)) open.add(id);
    for (const { tool_use_id } of resultsIn([message])) {
      assert.ok(open.delete(tool_use_id), `${tool_use_id} has lost its call`);
    }
  }
  assert.deepEqual([...open], []);
  assert.equal(messages[0]?.role, 'user');
}

/** Results that were joined to it may leave with their calls. */
function assertRequest(after: readonly Message[], before: readonly Message[]): void {
  assert.deepEqual(requestOf(after), requestOf(before));
}

function requestOf(messages: readonly Message[]): readonly UserBlock[] {
  const message = messages[lastRequestIndex(messages)];
  if (message?.role !== 'user') return [];
  return message.content.filter(
    (block) => block.type !== 'tool_result' && !isMarker(block) && !isSummary(block),
  );
}

/** In the old order, the same objects but for what became shorter, with all images; the request is checked above. */
function assertKept(after: readonly Message[], before: readonly Message[]): void {
  let from = 0;
  const request = after[lastRequestIndex(after)];
  for (const message of after) {
    if (message === request) continue;
    const own = message.content.filter((block) => block.type !== 'context');
    if (own.length === 0) continue;
    const index = before.findIndex((old, at) => at >= from && isSameOrShorter(message, old));
    assert.ok(index >= 0, `nothing like it stood there: ${JSON.stringify(message).slice(0, 200)}`);
    from = index + 1;
  }
}

function isSameOrShorter(message: Message, old: Message): boolean {
  if (message === old) return true;
  const [own, oldOwn] = [message, old].map(({ content }) =>
    content.filter((b) => b.type !== 'context'),
  );
  return (
    message.role === old.role &&
    own?.length === oldOwn?.length &&
    own!.every((block, index) => {
      const was = oldOwn?.[index];
      if (block === was) return true;
      if (block.type === 'tool_use') return was?.type === 'tool_use' && block.id === was.id;
      return (
        block.type === 'tool_result' &&
        was?.type === 'tool_result' &&
        block.tool_use_id === was.tool_use_id &&
        block.is_error === was.is_error &&
        block.archived !== undefined &&
        images(block).every((image, at) => image === images(was)[at]) &&
        images(block).length === images(was).length
      );
    })
  );
}

function images(block: ToolResultBlock) {
  return block.content.filter(({ type }) => type === 'image');
}

/** What the model has not seen yet is still there to be seen, or to be read where its result says. */
function assertUnread(after: readonly Message[], before: readonly Message[]): void {
  const unread = (messages: readonly Message[]) =>
    resultsIn(messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)).map(
      (block) => block.tool_use_id,
    );
  assert.deepEqual(unread(after), unread(before));
}

async function assertStable(stage: Stage, input: StageInput, after: readonly Message[]) {
  const twice = await stage.run({ ...input, messages: after }, NEVER_ABORTED);
  assert.ok(twice === undefined, 'a second run went on');
  const again = await stage.run(input, NEVER_ABORTED);
  assert.deepEqual(again?.messages, after);
}

function resultsIn(messages: readonly Message[]): readonly ToolResultBlock[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );
}
