// What Claude's prompt cache makes of a request, by its documented rules: a prefix of tools, system and messages is
// kept at each marked block, and found again from a mark or from the few blocks before it. Nothing waits for a
// clock: an entry lives for a number of requests.

import { createHash } from 'node:crypto';
import { estimateTokens } from '../../src/models/tokens.ts';
import type { RequestBody } from './fakeMessagesApi.ts';

/** The API refuses a request with more. */
const MOST_MARKS = 4;

interface CacheSimulatorOptions {
  /** A shorter prefix is not kept. It depends on the model: 512 to 4,096. */
  readonly minimumTokens?: number;
  /** Blocks that are looked at from a mark, the marked one included. */
  readonly lookBack?: number;
  /** Requests after which an entry is gone that none of them used. For ever when left out. */
  readonly lifetime?: number;
}

/** Tokens of one request's input, which is their sum. */
export interface CacheUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface CacheSimulator {
  /** Throws for what the API refuses: too many marks, or one on thinking or on a blank text. */
  readonly request: (body: CachedBody) => CacheUsage;
}

/** The parts of a request that the cache looks at, as our Claude adapter sends them. */
export type CachedBody = Pick<RequestBody, 'model' | 'system' | 'messages' | 'tools'> & {
  readonly thinking?: unknown;
  readonly tool_choice?: unknown;
};

export function createCacheSimulator(options: CacheSimulatorOptions = {}): CacheSimulator {
  const { minimumTokens = 1_024, lookBack = 20, lifetime = Infinity } = options;
  /** The number of the request that last used it, by the prefix it ends. */
  const entries = new Map<string, number>();
  let requests = 0;
  return {
    request(body) {
      requests++;
      const blocks = prefixes(body);
      const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
      assertMarks(blocks, marks);
      const isKept = ({ key }: Prefix): boolean => {
        const used = entries.get(key);
        return used !== undefined && requests - used <= lifetime;
      };
      const hits = marks.flatMap((mark) => {
        const seen = blocks.slice(Math.max(0, mark - lookBack + 1), mark + 1);
        return seen.findLast(isKept) ?? [];
      });
      const hit = hits.toSorted((one, other) => other.tokens - one.tokens)[0];
      const long = marks.flatMap((mark) => blocks[mark] ?? []).filter(isLong);
      for (const { key } of [...long, ...hits]) entries.set(key, requests);
      const whole = blocks.at(-1)?.tokens ?? 0;
      const cacheRead = hit?.tokens ?? 0;
      const cached = Math.max(cacheRead, long.at(-1)?.tokens ?? 0);
      return { input: whole - cached, cacheRead, cacheWrite: cached - cacheRead };
    },
  };

  function isLong({ tokens }: Prefix): boolean {
    return tokens >= minimumTokens;
  }
}

/** What an input costs, in tokens at the price of uncached input. */
export function billed({ input, cacheRead, cacheWrite }: CacheUsage): number {
  return input + 1.25 * cacheWrite + 0.1 * cacheRead;
}

/** A request from its beginning to the end of one block. */
interface Prefix {
  /** Of all that it says; marks are not part of it. */
  readonly key: string;
  readonly tokens: number;
  readonly marked: boolean;
  readonly block: CachedBlock;
}

interface CachedBlock {
  readonly type?: string;
  readonly text?: string;
  readonly cache_control?: unknown;
  readonly [key: string]: unknown;
}

function prefixes(body: CachedBody): readonly Prefix[] {
  const { model, system = [], messages, tools = [], thinking, tool_choice } = body;
  const hash = createHash('sha256');
  const list: Prefix[] = [];
  let tokens = 0;
  const add = (place: string, block: CachedBlock): void => {
    const { cache_control, ...said } = block;
    const json = JSON.stringify(said);
    tokens += estimateTokens(json);
    hash.update(JSON.stringify([place, json]));
    const marked = cache_control !== undefined;
    list.push({ key: hash.copy().digest('hex'), tokens, marked, block });
  };
  // Another model has a cache of its own; another way of thinking or of choosing tools spoils the messages'.
  hash.update(JSON.stringify(model));
  for (const tool of tools) add('tools', tool);
  for (const block of system) add('system', block);
  hash.update(JSON.stringify([thinking, tool_choice]));
  messages.forEach(({ role, content }, index) => {
    for (const block of content) add(`${index} ${role}`, block);
  });
  return list;
}

function assertMarks(blocks: readonly Prefix[], marks: readonly number[]): void {
  if (marks.length > MOST_MARKS) throw new Error(`${marks.length} blocks are marked; 4 may be.`);
  for (const mark of marks) {
    const { type, text } = blocks[mark]?.block ?? {};
    const isThinking = type === 'thinking' || type === 'redacted_thinking';
    if (isThinking || (type === 'text' && text?.trim() === '')) {
      throw new Error(`Block ${mark} is marked, but a block of ${type} without words cannot be.`);
    }
  }
}
