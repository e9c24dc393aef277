import assert from 'node:assert/strict';
import { createMeter } from '../../../src/agent/meter.ts';
import { measure, measureTools } from '../../../src/context/measure.ts';
import { ModelError, userText, type Model, type ModelRequest } from '../../../src/models/model.ts';
import { estimateTokens } from '../../../src/models/tokens.ts';
import { call } from '../../support/conversation.ts';
import { readEvents, scriptedModel } from '../../support/scriptedModel.ts';

const USAGE = { input: 10, output: 5, cacheRead: 80, cacheWrite: 20 };
const never = new AbortController().signal;

describe('the meter of a turn', () => {
  it('counts the answers of each model, and passes on what they stream', async () => {
    const meter = createMeter();
    const big = scriptedModel([{ content: 'Hi', usage: USAGE }], { id: 'big' });
    const small = scriptedModel(
      [
        { content: 'a', usage: USAGE },
        { content: 'b', usage: USAGE },
      ],
      { id: 'small' },
    );
    const plain = await readEvents(
      scriptedModel([{ content: 'Hi', usage: USAGE }]).stream(request(), never),
    );
    assert.deepEqual(await ask(meter.counting(big)), plain);
    await ask(meter.counting(small));
    await ask(meter.counting(small));
    const counted = (model: string) => ({ model, usage: USAGE, estimated: false });
    assert.deepEqual(meter.reading(), {
      requests: ['big', 'small', 'small'].map(counted),
      brokenOff: 0,
    });
  });

  it('is the same model to those who ask it', () => {
    const model = scriptedModel([], { id: 'x', name: 'X', structuredOutput: false });
    const counting = createMeter().counting(model);
    assert.deepEqual({ ...counting, stream: null }, { ...model, stream: null });
  });

  it('estimates what a model hides, from the request and the reply', async () => {
    const meter = createMeter();
    const reply = [{ type: 'text', text: 'Look.' } as const, call('c1', 'glob', { pattern: '*' })];
    await ask(meter.counting(hiding(scriptedModel([reply]))));
    const { system, tools, messages } = request();
    const [counted] = meter.reading().requests;
    assert.deepEqual(counted, {
      model: 'scripted',
      usage: {
        input: estimateTokens(system) + measureTools(tools) + measure(messages),
        output: measure([{ role: 'assistant', content: reply }]),
        cacheRead: 0,
        cacheWrite: 0,
      },
      estimated: true,
    });
    assert((counted?.usage.input ?? 0) > 10);
  });

  it('knows a reply that broke off from a request that was never answered', async () => {
    const meter = createMeter();
    const error = new ModelError('network', 'Cut.');
    const model = meter.counting(scriptedModel([{ content: 'Half', error }, error]));
    await assert.rejects(ask(model), error);
    await assert.rejects(ask(model), error);
    assert.deepEqual(meter.reading(), { requests: [], brokenOff: 1 });
  });

  it('counts a refused reply, which was paid for', async () => {
    const usage = { input: 70, output: 3, cacheRead: 0, cacheWrite: 0 };
    const error = new ModelError('refused', 'No.', { usage });
    const meter = createMeter();
    const model = meter.counting(scriptedModel([{ content: 'I', error }], { id: 'refuser' }));
    await assert.rejects(ask(model), error);
    assert.deepEqual(meter.reading(), {
      requests: [{ model: 'refuser', usage, estimated: false }],
      brokenOff: 0,
    });
  });

  it('counts what is known of a stopped reply, and that it is not all', async () => {
    const usage = { input: 70, output: 1, cacheRead: 0, cacheWrite: 0 };
    const error = new ModelError('cancelled', 'Cancelled.', { usage });
    const meter = createMeter();
    const model = meter.counting(scriptedModel([{ content: 'Half', error }], { id: 'stopped' }));
    await assert.rejects(ask(model), error);
    assert.deepEqual(meter.reading(), {
      requests: [{ model: 'stopped', usage, estimated: false }],
      brokenOff: 1,
    });
  });

  it('counts a reply that nobody reads to its end as broken off', async () => {
    const meter = createMeter();
    const model = meter.counting(scriptedModel(['A long answer']));
    for await (const event of model.stream(request(), never)) {
      assert.equal(event.type, 'text');
      break;
    }
    assert.equal(meter.reading().brokenOff, 1);
  });

  it('does not change what it has told', async () => {
    const meter = createMeter();
    const before = meter.reading();
    await ask(meter.counting(scriptedModel(['a'])));
    assert.deepEqual(before.requests, []);
  });
});

function ask(model: Model) {
  return readEvents(model.stream(request(), never));
}

function request(): ModelRequest {
  const tools = [{ name: 'glob', description: 'Finds files.', inputSchema: { type: 'object' } }];
  return { system: 'Be brief.', messages: [userText('Which files are there?')], tools };
}

/** As VS Code's models are. */
function hiding(model: Model): Model {
  return {
    ...model,
    async *stream(asked, signal) {
      for await (const event of model.stream(asked, signal)) {
        yield event.type === 'end' ? { ...event, usage: undefined } : event;
      }
    },
  };
}
