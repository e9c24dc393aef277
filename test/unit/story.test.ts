import assert from 'node:assert/strict';

import { silentLog } from '../../src/base/log.ts';
import { consolidateMemories } from '../../src/memory/consolidation/consolidation.ts';
import { extractMemories } from '../../src/memory/extraction/extraction.ts';
import { recallMemories } from '../../src/memory/recall/recall.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { userText } from '../../src/models/model.ts';
import type { RequestBody } from '../support/fakeMessagesApi.ts';
import { aRecord } from '../support/records.ts';
import { scopesOf } from '../support/scopes.ts';
import { scriptedModel, type ScriptedModel } from '../support/scriptedModel.ts';
import { STORY_PROMPTS, storyResponder } from '../support/story.ts';
import { useTempFolder } from '../support/tempFolder.ts';

const [TABS, CREATE, ASK_BACK, QUOTES] = STORY_PROMPTS;
const SHOWN = `<relevant_memories>
Today is 2026-11-29. What follows was saved in earlier sessions.

## user-preference-tabs (user, new today)
File: /w/.memory/user-preference-tabs.md
Description: Prefers tabs over spaces for indentation
\`\`\`markdown
Indent with tabs, not spaces.
\`\`\`

</relevant_memories>`;

describe('story', () => {
  it('acknowledges a preference', () => {
    assert.match(words(turn(TABS)), /\*\*tabs\*\*/);
    assert.match(words(turn(QUOTES)), /\*\*single quotes\*\*/);
  });

  it('writes the file with spaces and double quotes when it is shown no memory', () => {
    const { content } = fileWritten(turn(CREATE));
    assert.match(content, /^def greet\(name\):\n {4}return f"Hello/);
  });

  it('writes the file with tabs when it is shown the memory', () => {
    const { path, content } = fileWritten(turn(CREATE, [SHOWN]));
    assert.equal(path, 'test.py');
    assert.match(content, /^def greet\(name\):\n\treturn f"Hello/);
    assert.doesNotMatch(content, /^ /m);
  });

  it('goes by a memory that was shown in an earlier turn, until it is gone', () => {
    const earlier = [user([SHOWN, TABS]), assistant('Understood.')];
    assert.match(fileWritten(turn(CREATE, [], earlier)).content, /\treturn/);
    const gone =
      '<relevant_memories>\n\nThe memory user-preference-tabs shown above no longer holds: its file was deleted.\n\n</relevant_memories>';
    assert.match(fileWritten(turn(CREATE, [gone], earlier)).content, / {4}return/);
  });

  it('reports what became of the file', () => {
    assert.match(words(afterTool('Wrote test.py.', false)), /created `test\.py`.*tabs/);
    assert.match(words(afterTool('The user declined this call.', true)), /since you declined/);
    assert.match(words(afterTool('The disk is full.', true)), /could not.*The disk is full\./);
  });

  it('tells the memories that it is shown, and calls no tool', () => {
    const answer = turn(ASK_BACK, [SHOWN]);
    assert.match(words(answer), /Prefers tabs over spaces for indentation/);
    assert.equal(answer.blocks.length, 1);
    assert.match(words(turn(ASK_BACK)), /no preferences/);
  });

  it('says to anything else that it is a replay, and what it knows', () => {
    const answer = words(turn('Refactor everything'));
    assert.match(answer, /recorded replay/);
    for (const prompt of STORY_PROMPTS) assert(answer.includes(prompt));
  });
});

/** Our own side questions, so that a changed prompt is noticed here. */
describe('story, asked by the memory code', () => {
  const temp = useTempFolder();
  const { signal } = new AbortController();

  it('chooses the preferences from a catalogue', async () => {
    const others = Array.from({ length: 6 }, (_, index) => aRecord({ name: `fact-${index}` }));
    const tabs = aRecord({ description: 'Prefers tabs over spaces' });
    const options = { records: [...others, tabs], dialogue: CREATE, log: silentLog };
    const { recalled } = await recallMemories({ ...options, model: storyModel() }, signal);
    assert.deepEqual(
      recalled.map(({ record }) => record.name),
      ['user-preference-tabs'],
    );
  });

  it('saves each preference once, in the words of the person', async () => {
    const { store, said } = await storeAfter([TABS]);
    assert.deepEqual(said, [['created', 'user-preference-tabs']]);
    const logged: string[] = [];
    const log = { ...silentLog, info: (line: string) => logged.push(line) };
    const both = await extractMemories(
      {
        messages: [userText(TABS), userText(QUOTES)],
        scopes: scopesOf(store),
        mode: 'auto',
        log,
        model: storyModel(),
      },
      signal,
    );
    assert.deepEqual(
      both.changes.map(({ record }) => record.name),
      ['user-preference-single-quotes'],
    );
    assert.deepEqual(logged, ['[extraction] created "user-preference-single-quotes"']);
  });

  it('merges two memories about the same preference', async () => {
    const { store } = await storeAfter([TABS]);
    const twin = { name: 'indentation', description: 'Prefers tabs', type: 'user' as const };
    await store.create({ ...twin, body: 'Tabs, please.' });
    await consolidateMemories({ store, log: silentLog, model: storyModel() }, signal);
    const { records } = await store.list();
    assert.deepEqual(
      records.map(({ name }) => name),
      ['user-preference-tabs'],
    );
    assert.match(records[0]?.body ?? '', /Tabs, please\./);
  });

  async function storeAfter(prompts: string[]) {
    const store = new MemoryStore({ folder: `${temp.path}/.memory`, log: silentLog });
    const messages = prompts.map(userText);
    const { changes } = await extractMemories(
      {
        messages,
        scopes: scopesOf(store),
        mode: 'auto',
        log: silentLog,
        model: storyModel(),
      },
      signal,
    );
    return { store, said: changes.map(({ kind, record }) => [kind, record.name]) };
  }
});

/** The story as a model that is asked once. */
function storyModel(): ScriptedModel {
  return scriptedModel([
    ({ system, messages }) => {
      const body = { system: [{ type: 'text', text: system }], messages };
      return words(storyResponder(body as unknown as RequestBody) as Answer);
    },
  ]);
}

interface Answer {
  readonly blocks: readonly { type: string; text?: string; input?: unknown }[];
}
type Message = object;

/** A turn's request: `context` stands in blocks in front of the person's words. */
function turn(said: string, context: string[] = [], earlier: Message[] = []): Answer {
  return answerTo([...earlier, user([...context, said])]);
}

function afterTool(text: string, isError: boolean): Answer {
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text }] };
  return answerTo([
    user([SHOWN, CREATE]),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'write_file' }] },
    { role: 'user', content: [{ ...result, is_error: isError }] },
  ]);
}

function answerTo(messages: Message[]): Answer {
  const system = [{ type: 'text', text: 'You are Memory Agent, a coding agent.' }];
  const body = { system, messages, tools: [{ name: 'write_file' }] };
  return storyResponder(body as unknown as RequestBody) as Answer;
}

function user(texts: string[]): Message {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

function assistant(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

function words({ blocks }: Answer): string {
  return blocks.map(({ text }) => text ?? '').join('');
}

function fileWritten({ blocks }: Answer): { path: string; content: string } {
  const call = blocks.find(({ type }) => type === 'tool_use');
  assert(call);
  return call.input as { path: string; content: string };
}
