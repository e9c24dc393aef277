// What holds for every tool that a model is offered: it is described, it refuses what it does not take in words from
// which the input can be mended, and whatever it meets, its result stays within bounds.

import assert from 'node:assert/strict';
import path from 'node:path';
import { Learning } from '../../../../src/agent/learning/learning.ts';
import { createMemoryTools } from '../../../../src/agent/memoryTools.ts';
import { createSessionTools } from '../../../../src/agent/sessionTools.ts';
import { createSkillTools } from '../../../../src/agent/skillTools.ts';
import type { Tool } from '../../../../src/agent/tools.ts';
import { createWorkspaceTools } from '../../../../src/agent/workspaceTools.ts';
import { errorText, silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { isJsonObject, userText, type JsonObject } from '../../../../src/models/model.ts';
import { SessionStore } from '../../../../src/sessions/sessionStore.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { newRecord } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
/** About 15,000 tokens. */
const MAX_RESULT_CHARS = 60_000;
const MAX_ERROR_CHARS = 5_000;
/** Of a line of a file, with what stands in front of it. */
const MAX_LINE_CHARS = 2_600;
/** A portion of what was said, whose lines are the person's own. */
const WORD_FOR_WORD = ['search_history', 'search_memory'];

describe('every tool', () => {
  const root = useTempFolder();

  function allTools(): readonly Tool[] {
    const workspace = diskWorkspace([root.path]);
    const sessions = new SessionStore();
    const store = new MemoryStore({ folder: path.join(root.path, '.memory'), log: silentLog });
    const scopes = scopesOf(store);
    const learning = new Learning({ scopes, log: silentLog });
    const memory = createMemoryTools({
      memory: () => ({ scopes, learning }),
      recall: () => 'auto',
      extraction: () => 'auto',
      sessions,
      folder: () => root.path,
      now: () => new Date(),
      log: silentLog,
    });
    return [
      ...createWorkspaceTools({ workspace }),
      ...createSessionTools(sessions),
      ...memory,
      ...createSkillTools(workspace),
    ];
  }

  it('is one of those that are promised', () => {
    assert.deepEqual(
      allTools().map(({ name }) => name),
      'read_file write_file edit_file glob grep bash compact search_history task todo_write save_memory search_memory load_skill'.split(
        ' ',
      ),
    );
  });

  it('is described, with each of its arguments, and takes no others', () => {
    for (const { name, description, inputSchema } of allTools()) {
      const { length } = description;
      assert.ok(length >= 100 && length <= 1_000, `${name}: ${length} characters`);
      assert.equal(inputSchema['type'], 'object', name);
      assert.equal(inputSchema['additionalProperties'], false, name);
      for (const [argument, schema] of Object.entries(argumentsOf(inputSchema))) {
        assert.match(argument, /^[a-z_]+$/);
        const told = textOf(schema, 'description');
        assert.ok(told.length >= 10 && told.length <= 300, `${name}.${argument}: "${told}"`);
      }
    }
  });

  it('says of an input that does not fit which tool and which argument it is about', async () => {
    for (const tool of allTools()) {
      const fits = fittingInput(tool.inputSchema);
      const about = async (input: unknown, expected: RegExp) => {
        const message = await failureOf(tool, input);
        assert.match(message, new RegExp(`^Invalid input for ${tool.name}: `), tool.name);
        assert.match(message, expected, tool.name);
        assert.ok(message.length < MAX_ERROR_CHARS, tool.name);
      };
      for (const input of ['text', 7, null, undefined, [fits]]) await about(input, /object/);
      await about({ ...fits, nowhere_to_be_found: 1 }, /nowhere_to_be_found/);
      await about({ ...fits, ['x'.repeat(100_000)]: 1 }, /more characters/);
      for (const argument of Object.keys(argumentsOf(tool.inputSchema))) {
        await about({ ...fits, [argument]: { wrong: 'kind' } }, new RegExp(`at ${argument}\\b`));
        if (!(argument in fits)) continue;
        const { [argument]: _, ...others } = fits;
        await about(others, new RegExp(`at ${argument}\\b`));
        await about({ ...others, [argument]: null }, new RegExp(`at ${argument}\\b`));
      }
    }
  });

  it('answers in few words when what it is asked for is long and not there', async () => {
    const long = 'x'.repeat(100_000);
    const asked: readonly [name: string, input: object][] = [
      ['read_file', { path: long }],
      ['read_file', { path: 'x/'.repeat(2_000) }],
      ['write_file', { path: long, content: '' }],
      ['edit_file', { path: long, old_text: 'a', new_text: 'b' }],
      ['glob', { pattern: long }],
      ['glob', { pattern: 'a', path: long }],
      ['grep', { pattern: `(${long}` }],
      ['grep', { pattern: `[[:${long}:]]` }],
      ['grep', { pattern: 'a', path: long }],
      ['grep', { pattern: 'a', glob: long }],
      ['search_history', { query: long }],
      ['search_memory', { query: long }],
    ];
    for (const [name, input] of asked) {
      const answer = await outcomeOf(toolOf(allTools(), name), input);
      assert.ok(answer.length < MAX_ERROR_CHARS, `${name}: ${answer.length} characters`);
    }
  });

  it('keeps its result within bounds, whatever the workspace holds', async function () {
    this.timeout(60_000);
    const many = Array.from({ length: 300 }, (_, index) => [
      `${'d'.repeat(200)}/${'e'.repeat(200)}/${String(index).padStart(4, '0')}-${'f'.repeat(200)}`,
      `needle ${'y'.repeat(index * 50)}`,
    ]);
    await writeTree(root.path, {
      ...Object.fromEntries(many),
      'lines.txt': 'needle and hay\n'.repeat(100_000),
      'line.txt': `needle ${'x'.repeat(1_500_000)} needle`,
      'large.log': `needle ${'z'.repeat(5_000)}\n`.repeat(1_000),
      '.claude/skills/long/SKILL.md': `---\nname: long\n---\n${'A guide.\n'.repeat(20_000)}`,
    });
    const tools = allTools();
    const print = `node -e "for (let i = 0; i < 9e4; i++) console.log('needle ' + i)"`;
    const printLine = `node -e "console.log('x'.repeat(3e6))"`;
    const asked: readonly [name: string, input: object][] = [
      ['read_file', { path: 'lines.txt' }],
      ['read_file', { path: 'line.txt' }],
      ['read_file', { path: 'large.log' }],
      ['read_file', { path: `${'d'.repeat(200)}/${'e'.repeat(200)}` }],
      ['read_file', { path: `${'d'.repeat(200)}/${'e'.repeat(199)}` }],
      ['glob', { pattern: '**' }],
      ['grep', { pattern: 'needle' }],
      ['grep', { pattern: 'needle', context: 10 }],
      ['grep', { pattern: 'needle', files_only: true }],
      ['grep', { pattern: 'needle', path: 'large.log', context: 10 }],
      ['bash', { command: print }],
      ['bash', { command: printLine }],
      ['edit_file', { path: 'large.log', old_text: 'needle', new_text: 'pin' }],
      ['edit_file', { path: 'line.txt', old_text: 'needle xyz', new_text: 'pin' }],
      ['load_skill', { name: 'long' }],
      ['load_skill', {}],
    ];
    for (const [name, input] of asked) {
      const answer = await outcomeOf(toolOf(tools, name), input);
      const what = `${name} ${JSON.stringify(input).slice(0, 60)}`;
      assert.ok(answer.length <= MAX_RESULT_CHARS, `${what}: ${answer.length} characters`);
      if (WORD_FOR_WORD.includes(name)) continue;
      const longest = Math.max(...answer.split('\n').map(({ length }) => length));
      assert.ok(longest <= MAX_LINE_CHARS, `${what}: a line of ${longest} characters`);
    }
  });

  it('keeps its result within bounds, whatever was said and saved', async () => {
    const sessions = new SessionStore();
    const turn = await sessions.begin({ request: 'a' });
    for (let index = 0; index < 40; index += 1) {
      turn.append(userText(`needle ${'x'.repeat(30_000)}`));
      turn.append(calls(call(`c${index}`, 'bash', { command: 'needle' })));
      turn.append(results([`c${index}`, 'needle '.repeat(10_000)]));
      turn.append(says('needle'));
    }
    turn.end();
    const history = toolOf(createSessionTools(sessions), 'search_history');
    const hits = await outcomeOf(history, { query: 'needle' });
    const number = Number(/#(-?\d+).*person/.exec(hits)?.[1]);
    const message = await outcomeOf(history, { message: number });
    sessions.close();
    const store = new MemoryStore({ folder: path.join(root.path, '.memory'), log: silentLog });
    for (let index = 0; index < 20; index += 1)
      await store.create(newRecord(`needle-${index}`, `needle ${'words '.repeat(600)}`));
    const found = await outcomeOf(toolOf(allTools(), 'search_memory'), {
      query: 'needle',
      limit: 20,
    });
    for (const [what, answer] of Object.entries({ hits, message, found })) {
      assert.match(answer, /needle/, what);
      assert.ok(answer.length <= 25_000, `${what}: ${answer.length} characters`);
    }
  });
});

function textOf(schema: unknown, key: string): string {
  const value = isJsonObject(schema) ? schema[key] : undefined;
  return typeof value === 'string' ? value : '';
}

function argumentsOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

/** The arguments that must be there, with something in each. */
function fittingInput(schema: JsonObject): Record<string, unknown> {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return Object.fromEntries(
    required.map((name) => {
      const argument = argumentsOf(schema)[name];
      if (!isJsonObject(argument)) return [name, ''];
      const [first] = Array.isArray(argument['enum']) ? argument['enum'] : [];
      return [name, first ?? (argument['type'] === 'array' ? [] : 'words')];
    }),
  );
}

function toolOf(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`There is no tool ${name}.`);
  return found;
}

async function failureOf(tool: Tool, input: unknown): Promise<string> {
  try {
    await tool.run(input, NEVER);
  } catch (error) {
    return errorText(error);
  }
  return 'It did not fail.';
}

/** What a model is told, of a success or a failure. */
async function outcomeOf(tool: Tool, input: unknown): Promise<string> {
  return tool.run(input, NEVER).catch(errorText);
}
