// What memory adds to the bill: the input tokens of one session of 20 turns, by the rules of Claude's prompt cache,
// for our way and for others. Tokens are estimated, and told at the price of input that is not cached.

import fs from 'node:fs';
import path from 'node:path';

import { Learning } from '../src/agent/learning/learning.ts';
import { createSessionTools } from '../src/agent/sessionTools.ts';
import { SeenFilesOfSessions } from '../src/agent/seenFiles.ts';
import { indexInPrompt } from '../src/agent/systemPrompt.ts';
import type { Tool } from '../src/agent/tools.ts';
import type { SessionDeps } from '../src/agent/sessionDeps.ts';
import { runTurn } from '../src/agent/turn.ts';
import { createWorkspaceTools } from '../src/agent/workspaceTools.ts';
import { silentLog } from '../src/base/log.ts';
import { Archive } from '../src/context/archive.ts';
import { Compactor } from '../src/context/compactor.ts';
import { recallContext } from '../src/memory/recall/recallContext.ts';
import { printRecord } from '../src/memory/record.ts';
import { MemoryScopes } from '../src/memory/scopes.ts';
import { MemoryStore } from '../src/memory/store.ts';
import { createClaude } from '../src/models/claude.ts';
import type { Model } from '../src/models/model.ts';
import type { TurnRef } from '../src/sessions/session.ts';
import { SessionStore } from '../src/sessions/sessionStore.ts';
import { billed, createCacheSimulator } from '../test/support/cacheSimulator.ts';
import { diskWorkspace } from '../test/support/diskWorkspace.ts';
import type { RequestBody } from '../test/support/fakeMessagesApi.ts';
import { eventText, streamedEvents, text, toolUse } from '../test/support/messageEvents.ts';
import type { ReplyStep } from '../test/support/messageEvents.ts';
import type { Results } from './bench.ts';
import { MEMORIES, printed, roundsOf, TURNS } from './scriptedSession.ts';
import { makeTempFolder } from './tempFolder.ts';

export async function measureBilling(): Promise<Results> {
  const folder = makeTempFolder();
  const memories = path.join(folder, '.memory');
  writeMemories(memories);
  const ours = await runSession(folder, { memories });
  const without = await runSession(folder, {});
  const longer = await runSession(folder, { memories, scale: 2 });
  const longerWithout = await runSession(folder, { scale: 2 });
  const plain = ours.requests.map((request) => ({ ...request, body: withoutRecalled(request) }));
  const noIndex = plain.map(({ body }) => withSystem(body, withoutIndex));
  const base = bill(bodiesOf(without));
  const way = (bodies: readonly RequestBody[], other = base): Results[string] => {
    const extra = (bill(bodies) / other - 1) * 100;
    return { value: Math.round(extra * 10) / 10, unit: '% more than without memory' };
  };
  const name = `input billed for memory, ${TURNS.length} turns`;
  return {
    [`${name}: requests`]: { value: without.requests.length, unit: 'requests' },
    [`${name}: without memory`]: { value: Math.round(base), unit: 'tokens' },
    [`${name}: ours`]: way(bodiesOf(ours)),
    [`${name}: ours, when tools print twice as much`]: way(
      bodiesOf(longer),
      bill(bodiesOf(longerWithout)),
    ),
    [`${name}: ours, the rules in the system prompt alone`]: way(noIndex),
    [`${name}: ours, rules and index alone`]: way(plain.map(({ body }) => body)),
    [`${name}: recalled text in a copy of each request`]: way(plain.map(inEachRequest)),
    [`${name}: recalled text in the system prompt, made anew each turn`]: way(
      plain.map(inSystemPrompt),
    ),
    [`${name}: questions to the utility model, of its own tokens`]: {
      value: Math.round(bill(ours.questions)),
      unit: `tokens (${ours.questions.length} questions)`,
    },
  };
}

function bodiesOf({ requests }: RunSession): readonly RequestBody[] {
  return requests.map(({ body }) => body);
}

function bill(bodies: readonly RequestBody[]): number {
  const cache = createCacheSimulator();
  return bodies.reduce((sum, body) => sum + billed(cache.request(body)), 0);
}

interface SentRequest {
  readonly body: RequestBody;
  /** The person's words of the turn. */
  readonly words: string;
  /** All that was recalled for the turn, also what stands in the history already. */
  readonly recalled: string;
}

interface RunSession {
  readonly requests: readonly SentRequest[];
  /** To the utility model. */
  readonly questions: readonly RequestBody[];
}

/** The real turns over the real adapter, up to the network. */
async function runSession(
  folder: string,
  { memories, scale = 1 }: { readonly memories?: string; readonly scale?: number },
): Promise<RunSession> {
  const script: ReplyStep[] = [];
  const main = recordedClaude('main', () => script.shift() ?? { blocks: [text('Done.')] });
  let relevant: readonly string[] = [];
  const utility = recordedClaude('utility', (body) => ({
    blocks: [text(sideAnswer(body, relevant))],
  }));
  const scopes = memories === undefined ? undefined : scopesOf(memories);
  const sessions = new SessionStore();
  const deps: SessionDeps = {
    sessions,
    compactor: new Compactor({ log: silentLog }),
    seen: new SeenFilesOfSessions(),
    archive: new Archive({ root: folder, pointers: 'relative' }),
    memory: scopes && { scopes, learning: new Learning({ scopes, log: silentLog }) },
    log: silentLog,
    now: () => NOW,
  };
  const requests: SentRequest[] = [];
  let previous: TurnRef | undefined;
  let calls = 0;
  for (const [number, { words, relevant: named }] of TURNS.entries()) {
    relevant = named;
    for (let round = 0; round < roundsOf(number); round++) script.push(toolRound(calls + round));
    script.push({ blocks: [text(`That is done: ${words}`)] });
    let recalled = '';
    const { ref, learning } = await runTurn(
      deps,
      {
        text: words,
        previous,
        unfinished: [],
        visibleHistory: [],
        model: main.model,
        utilityModel: utility.model,
        folders: [folder],
        recall: 'auto',
        extraction: 'auto',
        compaction: { maxTokens: 0, maxMessages: 0 },
        maxRounds: 100,
        tools: printingTools(folder, sessions, () => printed(calls++, scale)),
      },
      (event) => {
        if (event.type !== 'recalled') return;
        const { receipt } = event;
        const existing = receipt.recalled.map(({ record }) => record);
        const chosen = existing.map((record) => ({ record, reason: { kind: 'all' } as const }));
        const standing = new Map<string, string>();
        const told = { folder, scopeOf: () => undefined, now: NOW };
        const { leftOut } = receipt;
        const options = { ...told, recalled: chosen, leftOut, standing, existing };
        recalled = recallContext(options)?.text ?? '';
      },
      new AbortController().signal,
    );
    await learning;
    previous = ref;
    const sent = main.bodies.splice(0);
    requests.push(...sent.map((body) => ({ body, words, recalled })));
  }
  return { requests, questions: utility.bodies };
}

const NOW = new Date('2026-03-02T09:00:00Z');

function toolRound(number: number): ReplyStep {
  const path = `src/part${number}.ts`;
  return { blocks: [text(`I look at ${path}.`), toolUse(`call_${number}`, 'read_file', { path })] };
}

/** The real tools as the model is told of them; what they print is scripted. */
function printingTools(
  folder: string,
  sessions: SessionStore,
  print: () => string,
): readonly Tool[] {
  const workspace = diskWorkspace([folder]);
  const tools = [...createWorkspaceTools({ workspace }), ...createSessionTools(sessions)];
  return tools.map((tool) => ({ ...tool, run: async () => print() }));
}

function writeMemories(folder: string): void {
  fs.mkdirSync(folder);
  for (const memory of MEMORIES) {
    fs.writeFileSync(path.join(folder, `${memory.name}.md`), printRecord(memory, NOW));
  }
}

function scopesOf(folder: string): MemoryScopes {
  const store = new MemoryStore({ folder, log: silentLog });
  const personal = new MemoryStore({ folder: `${folder}-personal`, log: silentLog });
  const scopes = new MemoryScopes({ personal });
  scopes.setWorkspace([{ kind: 'workspace', name: 'bench', store }]);
  return scopes;
}

/** The real adapter, whose requests end here, with the usage that the cache would report. */
function recordedClaude(
  modelId: string,
  answer: (body: RequestBody) => ReplyStep,
): { readonly model: Model; readonly bodies: RequestBody[] } {
  const bodies: RequestBody[] = [];
  const cache = createCacheSimulator();
  const model = createClaude({
    modelId,
    name: modelId,
    apiKey: 'none',
    structuredOutput: true,
    limits: { input: 200_000, output: 32_000 },
    fetch: async (_url, init) => {
      const body: RequestBody = JSON.parse(typeof init?.body === 'string' ? init.body : '');
      bodies.push(body);
      const { input, cacheRead, cacheWrite } = cache.request(body);
      const usage = {
        input_tokens: input,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
      };
      const step = { ...answer(body), usage };
      const { events } = streamedEvents(step, { id: `${bodies.length}`, model: modelId });
      const headers = { 'content-type': 'text/event-stream' };
      return new Response(events.map(eventText).join(''), { headers });
    },
  });
  return { model, bodies };
}

/** To the question of recall by the numbers of its catalogue, to that of extraction with nothing. */
function sideAnswer(body: RequestBody, relevant: readonly string[]): string {
  if (!JSON.stringify(body.output_config).includes('"relevant"')) return '{"operations":[]}';
  const prompt = body.messages.at(-1)?.content.at(-1)?.text ?? '';
  const numbers = relevant.map((name) => {
    const number = new RegExp(`^(\\d+): ${name} — `, 'm').exec(prompt)?.[1];
    if (number === undefined) throw new Error(`The memory ${name} is not in the catalogue.`);
    return Number(number);
  });
  return JSON.stringify({ relevant: numbers });
}

function withoutRecalled({ body }: SentRequest): RequestBody {
  const messages = body.messages.map((message) => ({
    ...message,
    content: message.content.filter(({ text }) => !text?.startsWith('<relevant_memories>')),
  }));
  return { ...body, messages };
}

/** As the reference does it in one of its variants: what is recalled is in the history of no later turn. */
function inEachRequest({ body, words, recalled }: SentRequest): RequestBody {
  const request = body.messages.findLastIndex(({ content }) =>
    content.some(({ type, text }) => type === 'text' && text === words),
  );
  const messages = body.messages.map((message, index) => {
    if (index !== request || recalled === '') return message;
    return { ...message, content: [{ type: 'text', text: recalled }, ...message.content] };
  });
  return { ...body, messages };
}

/** As the reference does it in the other. */
function inSystemPrompt({ body, recalled }: SentRequest): RequestBody {
  return withSystem(body, (system) => `${system}\n\n${recalled}`);
}

function withSystem(body: RequestBody, change: (system: string) => string): RequestBody {
  const system = (body.system ?? []).map((block) => ({ ...block, text: change(block.text ?? '') }));
  return { ...body, system };
}

function withoutIndex(system: string): string {
  const index = indexInPrompt(system);
  return index === '' ? system : system.slice(0, system.length - index.length);
}
