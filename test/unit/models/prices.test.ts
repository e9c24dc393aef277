import assert from 'node:assert/strict';
import { checkPrices, costOf, type Price, type Prices } from '../../../src/models/prices.ts';

const NONE: Prices = new Map();
const MILLION = 1_000_000;

describe('prices', () => {
  it('count each kind of token at its own price', () => {
    const own = prices({ m: { input: 1, output: 10, cacheRead: 100, cacheWrite: 1000 } });
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    assert.equal(cost('m', usage, own), (1 + 20 + 300 + 4000) / MILLION);
  });

  it('take the usual share of the input price for the cache', () => {
    const own = prices({ m: { input: 10, output: 0 } });
    assert.equal(cost('m', { cacheRead: MILLION }, own), 1);
    assert.equal(cost('m', { cacheWrite: MILLION }, own), 12.5);
  });

  it('go by the longest beginning of the id that the person gave, before the list', () => {
    const own = prices({
      'claude-opus': { input: 1, output: 1 },
      'claude-opus-5-5': { input: 2, output: 2 },
      claude: { input: 3, output: 3 },
    });
    const inputs = ['claude-opus-5-5', 'claude-opus-4', 'claude-sonnet-5-5', 'gpt-9'].map((model) =>
      cost(model, { input: MILLION }, own),
    );
    assert.deepEqual(inputs, [2, 1, 3, undefined]);
  });

  it('are known for a listed model and its snapshots, not for another of its line', () => {
    const ids = ['claude-opus-5', 'claude-opus-5-20260724', 'claude-opus-5-6', 'claude-opus'];
    const inputs = ids.map((model) => cost(model, { input: MILLION }));
    assert.deepEqual(inputs, [5, 5, undefined, undefined]);
  });

  it('are higher for a long prompt where the list says so, the cache counted in', () => {
    const short = { input: 50_000, cacheRead: 50_000, output: MILLION };
    assert.equal(cost('claude-haiku-5-5', short), (5_000 + 500 + 500_000) / MILLION);
    const long = { input: 50_001, cacheRead: 50_000, output: MILLION };
    const expected = (5 * (5_000.1 + 500 + 500_000)) / MILLION;
    assert(Math.abs((cost('claude-haiku-5-5', long) ?? 0) - expected) < 1e-9);
  });

  it('of the list do not hold for a model that hides its usage, those of the person do', () => {
    const usage = { ...NOTHING, input: MILLION };
    const request = { model: 'claude-sonnet-5-5', usage, estimated: true };
    assert.equal(costOf([request], NONE), undefined);
    assert.equal(costOf([request], prices({ claude: { input: 7, output: 7 } })), 7);
  });

  it('are none at all when one of several models has none', () => {
    const known = { model: 'claude-opus-5', usage: { ...NOTHING, output: 40 }, estimated: false };
    assert.equal(costOf([known, known], NONE), 0.002);
    assert.equal(costOf([known, { ...known, model: 'unknown' }], NONE), undefined);
  });

  it('of a setting are checked one by one', () => {
    const { prices: checked, problems } = checkPrices({
      good: { input: 1, output: 2 },
      whole: { input: 1, output: 2, cacheRead: 0, cacheWrite: 3 },
      text: { input: '1', output: 2 },
      half: { input: 1 },
      negative: { input: -1, output: 2 },
      misspelt: { input: 1, output: 2, cachRead: 1 },
      number: 5,
      ' ': { input: 1, output: 2 },
    });
    assert.deepEqual([...checked.keys()], ['good', 'whole']);
    assert.deepEqual([...problems.keys()], ['text', 'half', 'negative', 'misspelt', 'number', ' ']);
    assert.match(problems.get('misspelt') ?? '', /cachRead/);
  });

  it('of a setting that is no object are none', () => {
    for (const value of [undefined, null, 3, 'x', []]) {
      assert.equal(checkPrices(value).prices.size, 0);
    }
  });
});

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function prices(given: Record<string, Price>): Prices {
  return new Map(Object.entries(given));
}

function cost(model: string, usage: Partial<typeof NOTHING>, own = NONE): number | undefined {
  return costOf([{ model, usage: { ...NOTHING, ...usage }, estimated: false }], own);
}
