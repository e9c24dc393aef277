import assert from 'node:assert/strict';
import path from 'node:path';
import { together } from '../../../../src/agent/learning/learned.ts';
import { Learning, type LearningRequest } from '../../../../src/agent/learning/learning.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { ModelError, userText } from '../../../../src/models/model.ts';
import { SessionStore } from '../../../../src/sessions/sessionStore.ts';
import { says } from '../../../support/conversation.ts';
import { scriptedModel, type Step } from '../../../support/scriptedModel.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { writeTurn } from '../../../support/sessionStores.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

describe('learning', () => {
  const folder = useTempFolder();

  function setUp(steps: readonly Step[], deadlineMs = 60_000) {
    const errors: string[] = [];
    const log = { ...silentLog, error: (line: string) => errors.push(line) };
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log });
    const now = () => new Date('2026-03-04T05:06:07Z');
    const learning = new Learning({ scopes: scopesOf(store), log, now, deadlineMs });
    const model = scriptedModel(steps);
    const sessions = new SessionStore();
    const learn = async (text: string, more: Partial<LearningRequest> = {}) => {
      const messages = [userText(text), says('Understood.')];
      const turn = await writeTurn(sessions, messages, { request: text });
      return learning.learn({ turn, model, mode: 'auto', ...more });
    };
    return { store, sessions, learning, model, errors, learn };
  }

  async function fill(store: MemoryStore, count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      const text = `Fact ${number}`;
      await store.create({
        name: `fact-${number}`,
        description: text,
        type: 'project',
        body: text,
      });
    }
  }

  it('consolidates after it saved the tenth memory, and tells of both', async () => {
    const merge = [
      {
        files: ['fact-0.md', 'fact-1.md'],
        name: 'facts',
        description: 'Facts',
        type: 'project',
        body: 'Fact 0. Fact 1.',
        reason: 'They belong together.',
      },
    ];
    const { store, model, learn } = setUp([saving('I like tea'), JSON.stringify({ merge })]);
    await fill(store, 9);
    const steps: unknown[] = [];
    const learned = await learn('I like tea', { onStep: (step) => steps.push(step) });
    assert.deepEqual(
      learned.saved.map(({ record }) => record.name),
      ['i-like-tea'],
    );
    assert.ok(learned.consolidated.length > 0);
    assert.equal((await store.list()).records.length, 9);
    assert.deepEqual(steps, ['extraction', 'consolidation', undefined]);
    assert.deepEqual(
      model.requests.map((request) => /Today is [^.]*/.exec(JSON.stringify(request.messages))?.[0]),
      ['Today is Wed Mar 04 2026', 'Today is Wed Mar 04 2026'],
    );
    model.assertDone();
  });

  it('does not consolidate below ten memories, nor when nothing was saved', async () => {
    const { store, model, learn } = setUp([saving('I like tea'), saving()]);
    await fill(store, 8);
    await learn('I like tea');
    await fill(store, 3);
    await learn('Hello.');
    model.assertDone();
  });

  it('still tells what was saved when the consolidation behind it fails', async () => {
    const { store, errors, learn } = setUp([
      saving('I like tea'),
      new ModelError('network', 'cut'),
    ]);
    await fill(store, 9);
    const learned = await learn('I like tea');
    assert.equal(learned.saved.length, 1);
    assert.deepEqual(learned.consolidated, []);
    assert.equal(errors.length, 1);
    assert.equal((await store.list()).records.length, 10);
  });

  it('runs one at a time, in the order of the turns', async () => {
    const gate = Promise.withResolvers<string>();
    const order: string[] = [];
    const { learn } = setUp([
      async () => {
        order.push('first asked');
        return gate.promise;
      },
      () => {
        order.push('second asked');
        return saving();
      },
    ]);
    const first = learn('The first.').then(() => order.push('first done'));
    const second = learn('The second.').then(() => order.push('second done'));
    gate.resolve(saving());
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first asked', 'first done', 'second asked', 'second done']);
  });

  it('goes on with the next turn after one that failed', async () => {
    const { errors, learn } = setUp([new ModelError('auth', 'wrong key'), saving('I like tea')]);
    await learn('one');
    assert.equal((await learn('I like tea')).saved.length, 1);
    assert.equal(errors.length, 1);
  });

  it('tells what was saved before the model failed in the middle of a long turn', async () => {
    const { sessions, learning, model } = setUp([
      saving('I like tea'),
      new ModelError('network', 'cut'),
    ]);
    const words = ['I like tea.', ...Array.from({ length: 8 }, (_, index) => `Look at ${index}.`)];
    const messages = words.flatMap((text) => [userText(text), says('Understood.')]);
    const turn = await writeTurn(sessions, messages, { request: 'Look at 7.' });
    const { saved } = await learning.learn({ turn, model, mode: 'auto' });
    assert.equal(saved.length, 1);
    assert.equal(turn.learned(), 0);
    model.assertDone();
  });

  it('gives up on a model that never answers, and goes on with the next turn', async () => {
    const { errors, learn } = setUp(
      [() => new Promise<string>(() => undefined), saving('I like tea')],
      20,
    );
    const first = learn('one');
    const second = learn('I like tea');
    assert.deepEqual((await first).saved, []);
    assert.equal(errors.length, 1);
    assert.equal((await second).saved.length, 1);
  });

  it('ends quietly when the window closes in the middle of it', async () => {
    const asked = Promise.withResolvers<void>();
    const never = new Promise<string>(() => undefined);
    const { learning, errors, learn } = setUp([
      () => {
        asked.resolve();
        return never;
      },
    ]);
    const run = learn('one');
    await asked.promise;
    learning.dispose();
    assert.deepEqual(await run, together([]));
    assert.deepEqual(errors, []);
  });
});

function saving(quote?: string): string {
  const operation = {
    op: 'add',
    name: 'i-like-tea',
    description: 'Likes tea',
    type: 'user',
    body: 'Tea, please.',
    scope: 'persistent',
    quote,
  };
  return JSON.stringify({ operations: quote === undefined ? [] : [operation] });
}
