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

  it('takes null for an argument that is left out', async () => {
    const tool = implementTool(declaration, async (input) => JSON.stringify(input));
    assert.equal(await tool.run({ path: 'a', limit: null }, signal), '{"path":"a"}');
  });

  it('never returns half a character', async () => {
    const tool = implementTool(declaration, async () => '😀'.slice(0, 1));
    assert.equal(await tool.run({ path: 'a' }, signal), '\uFFFD');
  });
});
