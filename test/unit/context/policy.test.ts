import assert from 'node:assert/strict';
import { budgetOf, roomForInput, triggerTokens } from '../../../src/context/policy.ts';

const UNSET = { maxTokens: 0, maxMessages: 0 };
const CLAUDE = { input: 200_000, output: 64_000 };

describe('where compaction begins', () => {
  it('is 80 % of the window less what the answer needs', () => {
    assert.equal(triggerTokens({ input: 100_000, output: 8_000 }, UNSET), 73_600);
  });

  it('leaves room for input in a model that may put out as much as it takes in', () => {
    assert.equal(roomForInput(CLAUDE), 150_000);
    assert.equal(triggerTokens(CLAUDE, UNSET), 120_000);
    assert.equal(roomForInput({ input: 8_000, output: 8_000 }), 6_000);
  });

  it('is what the person set, but for more than the window', () => {
    assert.equal(triggerTokens(CLAUDE, { ...UNSET, maxTokens: 50_000 }), 50_000);
    assert.equal(triggerTokens(CLAUDE, { ...UNSET, maxTokens: 900_000 }), 200_000);
  });
});

describe('the budget of messages', () => {
  const whole = { trigger: 80_000, room: 100_000, fixed: 10_000, request: 0 };

  it('is what system prompt and tools leave, and aims at 80 % of it', () => {
    assert.deepEqual(budgetOf(whole), { trigger: 70_000, target: 56_000, limit: 70_000 });
  });

  it('takes the target from what stands beside the current request', () => {
    const { trigger, target } = budgetOf({ ...whole, request: 20_000 });
    assert.deepEqual([trigger, target], [70_000, 60_000]);
  });

  it('gives a long request of the room that is else kept free', () => {
    const { trigger, target } = budgetOf({ ...whole, request: 50_000 });
    assert.deepEqual([trigger, target], [85_000, 78_000]);
    assert.equal(budgetOf({ ...whole, request: 80_000 }).trigger, 90_000);
  });

  it('has no limit beside a request that fills all of it', () => {
    const budget = budgetOf({ ...whole, request: 95_000 });
    assert.deepEqual(budget, { trigger: 90_000, target: 90_000, limit: Infinity });
  });

  it('is not positive when system prompt and tools fill the window', () => {
    const { trigger, target } = budgetOf({ ...whole, fixed: 120_000 });
    assert.ok(trigger < 0 && target < 0, `${trigger}, ${target}`);
  });
});
