import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { declareTool, implementTool } from '../../../../src/agent/tools/declareTool.ts';

const declaration = declareTool({
  name: 'sample',
  description: 'A sample.',
  readOnly: true,
  input: z.strictObject({ path: z.string(), limit: z.optional(z.int().check(z.minimum(1))) }),
});

describe('a declared tool', () => {
  const signal = new AbortController().signal;

  it('has a schema that says no more than the declaration', () => {
    assert.deepEqual(declaration.inputSchema, {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
      required: ['path'],
      additionalProperties: false,
    });
  });

  it('tells what is wrong with an input, and where', async () => {
    const tool = implementTool(declaration, async () => 'ran');
    await assert.rejects(
      tool.run({}, signal),
      /Invalid input for sample: .*expected string.*path/s,
    );
    await assert.rejects(tool.run({ path: 'a', lines: 2 }, signal), /lines/);
    await assert.rejects(tool.run({ path: 'a', limit: 1.5 }, signal), /limit/);
    await assert.rejects(tool.run('a', signal), /expected object/);
  });

  it('names its arguments when one of them is not known, in a short result', async () => {
    const tool = implementTool(declaration, async () => 'ran');
    await assert.rejects(
      tool.run({ path: 'a', file: 1 }, signal),
      /Unrecognized key: "file".*\nIts arguments are: path, limit \(optional\)\.$/s,
    );
    await assert.rejects(
      tool.run({ path: 'a', ['x'.repeat(50_000)]: 1 }, signal),
      (error: Error) => {
        assert.ok(error.message.length < 2_200, `${error.message.length} characters`);
        return true;
      },
    );
  });

  it('takes what stands in quotes by mistake, where that can mean only one thing', async () => {
    const kinds = declareTool({
      name: 'kinds',
      description: 'A sample.',
      readOnly: true,
      input: z.strictObject({
        text: z.optional(z.string()),
        count: z.optional(z.int()),
        sure: z.optional(z.boolean()),
        list: z.optional(z.array(z.string())),
      }),
    });
    const tool = implementTool(kinds, async (input) => JSON.stringify(input));
    const run = (input: object) => tool.run(input, signal);
    assert.equal(
      await run({ text: '10', count: ' 10', sure: 'True', list: '["a","b"]' }),
      '{"text":"10","count":10,"sure":true,"list":["a","b"]}',
    );
    for (const input of [
      { count: '1.5' },
      { count: 'ten' },
      { count: '' },
      { sure: 'yes' },
      { list: '[' },
    ])
      await assert.rejects(run(input), /Invalid input for kinds/, JSON.stringify(input));
  });

  it('takes null for an argument that is left out', async () => {
    const tool = implementTool(declaration, async (input) => JSON.stringify(input));
    assert.equal(await tool.run({ path: 'a', limit: null }, signal), '{"path":"a"}');
  });

  it('never returns half a character', async () => {
    const tool = implementTool(declaration, async () => '😀'.slice(0, 1));
    assert.equal(await tool.run({ path: 'a' }, signal), '\uFFFD');
  });
});
