// What tokens cost, in dollars, by the model that took them. A model whose price is not known has none: a wrong
// figure would be worse than no figure.

import * as z from 'zod/mini';
import { checkValue } from './checkValue.ts';
import { isJsonObject, type Usage } from './model.ts';

/** Dollars for a million tokens. What is left out is the usual share of the input price. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** By the beginning of a model's id. */
export type Prices = ReadonlyMap<string, Price>;

interface ListPrice extends Price {
  /** A request whose whole input is longer than `tokens` costs so many times as much, its output too. */
  readonly long?: { readonly tokens: number; readonly times: number };
}

const USUAL_CACHE_READ = 0.1;
/** For a cache of five minutes, the only one that is asked for. */
const USUAL_CACHE_WRITE = 1.25;

/**
 * Anthropic's prices for its own API, from https://platform.claude.com/docs/en/about-claude/pricing and the pages of
 * the models beside it, as they stood in October 2026. A later model of the same line is not in it on purpose: prices
 * of a line go down as well as up.
 */
const LIST: ReadonlyMap<string, ListPrice> = new Map<string, ListPrice>([
  ['claude-fable-5-1', { input: 10, output: 50, cacheRead: 0.25 }],
  ['claude-fable-5', { input: 10, output: 50 }],
  ['claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2 }],
  ['claude-opus-5', { input: 5, output: 25 }],
  ['claude-opus-4-8', { input: 5, output: 25 }],
  ['claude-opus-4-7', { input: 5, output: 25 }],
  ['claude-opus-4-6', { input: 5, output: 25 }],
  ['claude-opus-4-5', { input: 5, output: 25 }],
  ['claude-sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1 }],
  ['claude-sonnet-5', { input: 2, output: 10 }],
  ['claude-sonnet-4-6', { input: 3, output: 15 }],
  ['claude-sonnet-4-5', { input: 3, output: 15 }],
  ['claude-haiku-5-5', { input: 0.1, output: 0.5, long: { tokens: 100_000, times: 5 } }],
  ['claude-haiku-4-5', { input: 1, output: 5 }],
]);

/** Snapshots of a model are named by their day, and cost what it costs. */
const SNAPSHOT = /-\d{8}$/;

const TOKENS_PER_PRICE = 1_000_000;

/** One request of which something was counted. */
export interface CountedRequest {
  /** Its id. */
  readonly model: string;
  readonly usage: Usage;
  /** The model hides what it took. */
  readonly estimated: boolean;
}

/** In dollars. Undefined when the price of one of them is not known. `own` goes before the list. */
export function costOf(requests: readonly CountedRequest[], own: Prices): number | undefined {
  let sum = 0;
  for (const request of requests) {
    const cost = costOfOne(request, own);
    if (cost === undefined) return undefined;
    sum += cost;
  }
  return sum;
}

function costOfOne({ model, usage, estimated }: CountedRequest, own: Prices): number | undefined {
  const chosen = longestBeginning(model, own);
  if (chosen) return priced(usage, chosen);
  // A model that hides its usage is paid in the way of its vendor, whatever its name is, and caches unseen.
  const listed = estimated ? undefined : LIST.get(model.replace(SNAPSHOT, ''));
  if (!listed) return undefined;
  const { long } = listed;
  const isLong = long !== undefined && wholeInput(usage) > long.tokens;
  return priced(usage, listed) * (isLong ? long.times : 1);
}

function longestBeginning(model: string, prices: Prices): Price | undefined {
  const [best] = [...prices.keys()]
    .filter((beginning) => model.startsWith(beginning))
    .toSorted((a, b) => b.length - a.length);
  return best === undefined ? undefined : prices.get(best);
}

function wholeInput({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

function priced(usage: Usage, price: Price): number {
  const { input, output } = price;
  const { cacheRead = input * USUAL_CACHE_READ, cacheWrite = input * USUAL_CACHE_WRITE } = price;
  const sum =
    usage.input * input +
    usage.output * output +
    usage.cacheRead * cacheRead +
    usage.cacheWrite * cacheWrite;
  return sum / TOKENS_PER_PRICE;
}

const dollars = z.number().check(z.gte(0));
const priceSchema = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: z.optional(dollars),
  cacheWrite: z.optional(dollars),
});

/** Those of a setting that can be used, and what is wrong with the others, by their names. */
export function checkPrices(value: unknown): {
  readonly prices: Prices;
  readonly problems: ReadonlyMap<string, string>;
} {
  const prices = new Map<string, Price>();
  const problems = new Map<string, string>();
  for (const [beginning, entry] of Object.entries(isJsonObject(value) ? value : {})) {
    const checked = checkValue(priceSchema, entry);
    if (beginning.trim() === '') problems.set(beginning, 'the beginning of an id is missing');
    else if (checked.ok) prices.set(beginning.trim(), checked.value);
    else problems.set(beginning, checked.problem);
  }
  return { prices, problems };
}
