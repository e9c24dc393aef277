import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { ask } from '../../../src/models/ask.ts';
import { ModelError, userText } from '../../../src/models/model.ts';
import { asTold } from '../../support/asTold.ts';
import {
  readEvents,
  scriptedModel,
  type ScriptedModelOptions,
  type Step,
} from '../../support/scriptedModel.ts';

const schema = z.object({ indices: z.array(z.int()).check(z.maxLength(3)) });
const question = { system: 'Choose.', prompt: 'Which?', maxOutputTokens: 500 };
const never = new AbortController().signal;

async function askWith(steps: readonly Step[], options?: ScriptedModelOptions) {
  const model = scriptedModel(steps, options);
  const answer = await ask({ model, schema, ...question }, never);
  model.assertDone();
  return { answer, requests: model.requests };
}

describe('ask', () => {
  it('returns the value of an answer that fits the schema', async () => {
    const { answer, requests } = await askWith(['{"indices":[2,0]}']);
    assert.deepEqual(answer, { ok: true, value: { indices: [2, 0] } });
    assert.deepEqual(requests, [
      {
        system: 'Choose.',
        messages: [userText('Which?')],
        tools: [],
        maxOutputTokens: 500,
        outputSchema: {
          type: 'object',
          properties: {
            indices: {
              type: 'array',
              maxItems: 3,
              items: {
                type: 'integer',
                minimum: Number.MIN_SAFE_INTEGER,
                maximum: Number.MAX_SAFE_INTEGER,
              },
            },
          },
          required: ['indices'],
          additionalProperties: false,
        },
      },
    ]);
  });

  it('writes the schema into the system prompt when the model has no structured output', async () => {
    const { requests } = await askWith(['{"indices":[]}'], { structuredOutput: false });
    assert.match(
      requests[0]?.system ?? '',
      /^Choose\.\n\nAnswer with one JSON value .*"maxItems":3/s,
    );
  });

  it('lets the model leave out what has a default', async () => {
    const model = scriptedModel(['{}']);
    const withDefault = z.object({ limit: z._default(z.int(), 5) });
    const answer = await ask({ model, ...question, schema: withDefault }, never);
    assert.deepEqual(answer, { ok: true, value: { limit: 5 } });
    assert.equal(model.requests[0]?.outputSchema?.['required'], undefined);
  });

  const readable: readonly [string, string][] = [
    ['in a fenced block', 'Sure:\n```json\n{"indices":[1]}\n```\nAnything else?'],
    ['in prose', 'I choose {"indices":[1]}, as the request is about tabs.'],
    [
      'after a citation and an example',
      'Records [0] and {"indices":"list"} matter: {"indices":[1]}',
    ],
    ['after a draft', '{"indices":[2]} no, wait: {"indices":[1]}'],
    ['inside brackets that are not JSON', '[the answer is {"indices":[1]}]'],
    ['after a bracket that is never closed', 'Here [ it comes: {"indices":[1]}'],
    ['with brackets in a string', '{"why":"a } or ]\\" {","indices":[1]}'],
  ];
  for (const [where, text] of readable) {
    it(`finds the JSON ${where}`, async () => {
      const { answer } = await askWith([text]);
      assert.deepEqual(answer, { ok: true, value: { indices: [1] } });
    });
  }

  it('sends a wrong answer back once with what was wrong, and takes the corrected one', async () => {
    const { answer, requests } = await askWith(['{"indices":["one"]}', '{"indices":[1]}']);
    assert.deepEqual(answer, { ok: true, value: { indices: [1] } });
    const [prompt, wrong, correction] = requests[1]?.messages ?? [];
    assert.deepEqual(prompt, userText('Which?'));
    assert.equal(wrong?.role, 'assistant');
    assert.match(JSON.stringify(correction), /expected .*string.*indices\[0\]/);
  });

  it('gives up with the problem after one repair', async () => {
    const { answer } = await askWith(['I cannot say.', '{"indices":[true]}']);
    assert(!answer.ok);
    assert.match(String(answer.problem), /indices\[0\]/);
    assert.equal(answer.error, undefined);
  });

  it('repairs an empty answer without sending an empty message', async () => {
    const { answer, requests } = await askWith(['', '{"indices":[]}']);
    assert.deepEqual(answer, { ok: true, value: { indices: [] } });
    assert.deepEqual(
      requests[1]?.messages.map((message) => message.role),
      ['user'],
    );
  });

  it('calls a cut answer by name and reads nothing out of it', async () => {
    const { answer } = await askWith([{ content: '{"indices":[1]}', stopReason: 'max_tokens' }]);
    const problem = 'The answer was cut at 500 output tokens.';
    assert.deepEqual(asTold(answer), { ok: false, problem, isCut: true });
  });

  it('calls a refusal by name', async () => {
    const error = new ModelError('refused', 'Not this.');
    const { answer } = await askWith([error]);
    assert.deepEqual(asTold(answer), { ok: false, problem: 'The model refused: Not this.', error });
  });

  it('returns a failure of the model as a problem, also when it comes in mid-stream', async () => {
    const error = new ModelError('network', 'The connection broke.');
    const { answer } = await askWith([{ content: '{"indices":[1]}', error }]);
    assert.deepEqual(answer, { ok: false, problem: 'The connection broke.', error });
  });

  it('throws only when the caller cancelled', async () => {
    const controller = new AbortController();
    const model = scriptedModel([
      () => {
        controller.abort();
        return '{"indices":[1]}';
      },
    ]);
    const asking = ask({ model, schema, ...question }, controller.signal);
    await assert.rejects(asking, { name: 'ModelError', kind: 'cancelled' });
  });

  it('looks behind some brackets that open nothing, but not behind hundreds', async () => {
    const behind = (brackets: number) => `${'['.repeat(brackets)} {"indices":[1]}`;
    const { answer } = await askWith([behind(10)]);
    assert.deepEqual(answer, { ok: true, value: { indices: [1] } });
    const { answer: none } = await askWith([behind(300), behind(300)]);
    assert.deepEqual(asTold(none), { ok: false, problem: 'There was no JSON in the answer.' });
  });
});

describe('scriptedModel', () => {
  it('streams a text in several events and ends with the whole message', async () => {
    const events = await readEvents(scriptedModel(['Hello there']).stream(request(), never));
    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    assert.equal(texts.length, 3);
    assert.equal(texts.join(''), 'Hello there');
    assert.equal(events.at(-1)?.type, 'end');
  });

  it('fails on a request that no step is there for', async () => {
    const model = scriptedModel();
    await assert.rejects(readEvents(model.stream(request(), never)), {
      name: 'AssertionError',
    });
    assert.throws(() => model.assertDone());
  });

  it('stops waiting for a step that hangs when it is aborted', async () => {
    const controller = new AbortController();
    const model = scriptedModel([() => new Promise(() => controller.abort())]);
    await assert.rejects(readEvents(model.stream(request(), controller.signal)), {
      kind: 'cancelled',
    });
  });
});

function request() {
  return { system: '', messages: [userText('Hi')], tools: [] };
}
