import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { createNoticeQueue, type NoticeQueue } from '../../../../src/vscode/notices/noticeQueue.ts';

describe('notices that nobody asked for', () => {
  let told: string[];
  let answers: PromiseWithResolvers<void>[];
  let queue: NoticeQueue;
  afterEach(() => queue.dispose());

  it('are told as one when they come at one moment', async () => {
    begin({ sightMs: 60_000 });
    add('a');
    add('b');
    assert.deepEqual(told, []);
    await untilTold(1);
    assert.deepEqual(told, ['a b']);
  });

  it('wait as one while the one before is in sight, until it is answered', async () => {
    begin({ sightMs: 60_000 });
    add('a');
    await untilTold(1);
    add('b');
    add('c');
    await untilOthersAreTold();
    assert.deepEqual(told, ['a']);
    answers[0]?.resolve();
    await untilTold(2);
    assert.deepEqual(told, ['a', 'b c']);
  });

  it('do not wait for one that stays unanswered out of sight', async () => {
    begin({ sightMs: 0 });
    add('a');
    await untilTold(1);
    add('b');
    await untilTold(2);
  });

  it('wait for the newest one, not for an answer to one before it', async () => {
    begin({ sightMs: 60_000 });
    add('a');
    await untilTold(1);
    add('b');
    queue.flush();
    add('c');
    answers[0]?.resolve();
    await untilOthersAreTold();
    assert.deepEqual(told, ['a', 'b']);
  });

  it('are told at once when they are asked for', () => {
    begin({ sightMs: 60_000, collectMs: 60_000 });
    add('a');
    queue.flush();
    assert.deepEqual(told, ['a']);
    queue.flush();
    assert.deepEqual(told, ['a']);
  });

  function begin(limits: { readonly sightMs: number; readonly collectMs?: number }): void {
    told = [];
    answers = [];
    queue = createNoticeQueue({
      collectMs: 0,
      ...limits,
      tell: ({ refusedSecrets }) => {
        told.push(refusedSecrets.join(' '));
        const answer = Promise.withResolvers<void>();
        answers.push(answer);
        return answer.promise;
      },
    });
  }

  function add(secret: string): void {
    queue.add({ refusedSecrets: [secret] });
  }

  /** What is collected no longer than by now. */
  async function untilOthersAreTold(): Promise<void> {
    await setImmediate();
    const told = Promise.withResolvers<void>();
    const tell = async () => told.resolve();
    const other = createNoticeQueue({ collectMs: 0, sightMs: 0, tell });
    other.add({ refusedSecrets: ['x'] });
    await told.promise;
    other.dispose();
  }

  async function untilTold(count: number): Promise<void> {
    while (told.length < count) await setImmediate();
  }
});
