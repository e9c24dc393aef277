// Compaction of one long turn, and the estimate that decides on it: how the time grows with the history, and what
// is asked of the disk. Nothing of a history is known before each run.

import path from 'node:path';

import { silentLog } from '../src/base/log.ts';
import { Archive } from '../src/context/archive.ts';
import type { CompactionOutcome } from '../src/context/compaction.ts';
import { Compactor } from '../src/context/compactor.ts';
import { measure } from '../src/context/measure.ts';
import { POLICY } from '../src/context/policy.ts';
import type { StageInput } from '../src/context/stage.ts';
import { micro } from '../src/context/stages/micro.ts';
import type { Message, Model } from '../src/models/model.ts';
import { says } from '../test/support/conversation.ts';
import { longTurn } from '../test/support/histories.ts';
import type { Results } from './bench.ts';
import { fileCounts } from './fileCounts.ts';
import { quantile, timesOf, timesOfEach } from './median.ts';
import { makeTempFolder } from './tempFolder.ts';

/** A request, and two messages a round. */
export const HISTORY_SIZES = [51, 201, 1_001, 5_001];
/** Stage 3 writes a file for each result. */
const MICRO_SIZES = [201, 1_001, 5_001];
/** The reference compacts at 50,000 characters, down to 40,000: as many as these, by our estimate. */
const COMPACT_AT_TOKENS = 13_900;
/** So few that the cheaper stages do not get there. */
const EVERY_STAGE_TOKENS = 1_500;
const RUNS = 15;
const MICRO_RUNS = 3;
/** A look at a list of which everything is known is shorter than the clock can tell. */
const LOOKS = 10_000;

const NEVER = new AbortController().signal;

export async function measureContext(): Promise<Results> {
  const root = makeTempFolder();
  const compaction = new CompactionRuns(root);
  const folders = await timesOfEach(RUNS, async () => () => compaction.readyArchive());
  const results: Results = {
    'making the folders of an archive, once': { value: quantile(folders, 0.5), unit: 'ms' },
  };
  const medians = new Map<number, number>();
  for (const size of HISTORY_SIZES) {
    const times = await compaction.times(size, COMPACT_AT_TOKENS);
    medians.set(size, quantile(times, 0.5));
    const name = compactionName(size);
    results[name] = { value: quantile(times, 0.5), unit: 'ms' };
    Object.assign(results, await compaction.counts(name, size, COMPACT_AT_TOKENS));
  }
  const growth = (medians.get(5_001) ?? Number.NaN) / (medians.get(1_001) ?? Number.NaN);
  results['compaction, 5 times as many messages (5001 : 1001)'] = {
    value: Math.round(growth * 10) / 10,
    unit: 'times as long',
  };
  const every = `compaction at ${EVERY_STAGE_TOKENS} tokens, 5001 messages`;
  const times = await compaction.times(5_001, EVERY_STAGE_TOKENS);
  results[every] = { value: quantile(times, 0.5), unit: 'ms' };
  Object.assign(results, await compaction.counts(every, 5_001, EVERY_STAGE_TOKENS));
  for (const size of MICRO_SIZES) Object.assign(results, await measureMicro(compaction, size));
  return { ...results, ...(await measureEstimate()) };
}

export function compactionName(messages: number): string {
  return `compaction at ${COMPACT_AT_TOKENS} tokens, ${messages} messages`;
}

/** Nothing was cut out before. */
export function microName(messages: number): string {
  return `stage 3 alone, ${messages} messages`;
}

export function estimateName(messages: number): string {
  return `estimate of ${messages} messages, unchanged`;
}

class CompactionRuns {
  readonly #root: string;
  #count = 0;

  constructor(root: string) {
    this.#root = root;
  }

  times(size: number, maxTokens: number): Promise<number[]> {
    return timesOfEach(RUNS, () => this.#prepared(size, maxTokens));
  }

  async counts(name: string, size: number, maxTokens: number): Promise<Results> {
    const compact = await this.#prepared(size, maxTokens);
    let outcome: CompactionOutcome = { compaction: undefined, hasGivenUp: false };
    const counts = await fileCounts(async () => (outcome = await compact()));
    const written: Results = {
      [`${name}: files made`]: { value: counts.filesMade, unit: 'files' },
      [`${name}: written`]: { value: counts.bytesWritten, unit: 'bytes' },
    };
    return { ...written, ...sizes(name, longTurn(size), outcome) };
  }

  /** In a new place, since an archive writes a text only once. Its folders are there, as they nearly always are. */
  async readyArchive(): Promise<Archive> {
    const archive = new Archive({
      root: path.join(this.#root, `run${this.#count++}`),
      pointers: 'relative',
    });
    await archive.saveTranscript('earlier', []);
    await archive.saveText('earlier');
    return archive;
  }

  async #prepared(size: number, maxTokens: number): Promise<() => Promise<CompactionOutcome>> {
    const messages = longTurn(size);
    const request = {
      sessionId: 'bench',
      modelId: 'instant',
      messages,
      log: messages.map((message, index) => ({ id: `m${index}`, message })),
      fixed: 0,
      limits: { input: 200_000, output: 32_000 },
      settings: { maxTokens, maxMessages: 0 },
      archive: await this.readyArchive(),
      summariser: SUMMARISER,
      changedFiles: [],
      openTodos: () => undefined,
      loadedSkills: () => [],
      beforeLeaving: async () => {},
    };
    const compactor = new Compactor({ log: silentLog });
    return () => compactor.beforeRequest(request, NEVER);
  }
}

function sizes(
  name: string,
  before: readonly Message[],
  { compaction }: CompactionOutcome,
): Results {
  const stages = compaction ? compaction.stages.join(', ') : 'none';
  return {
    [`${name}: tokens before`]: { value: measure(before), unit: 'tokens' },
    [`${name}: tokens after`]: { value: compaction?.after ?? measure(before), unit: 'tokens' },
    [`${name}: messages after`]: {
      value: compaction?.messages.length ?? before.length,
      unit: 'messages',
    },
    [`${name}: stages that did something`]: {
      value: compaction?.stages.length ?? 0,
      unit: `(${stages})`,
    },
  };
}

/** Alone, as stage 3 of the reference is measured beside it. */
async function measureMicro(runs: CompactionRuns, size: number): Promise<Results> {
  const prepared = async () => {
    const input = microInput(await runs.readyArchive(), longTurn(size));
    return () => micro.run(input, NEVER);
  };
  const times = await timesOfEach(MICRO_RUNS, prepared);
  const name = microName(size);
  const counts = await fileCounts(await prepared());
  return {
    [name]: { value: quantile(times, 0.5), unit: 'ms' },
    [`${name}: files made`]: { value: counts.filesMade, unit: 'files' },
  };
}

function microInput(archive: Archive, messages: readonly Message[]): StageInput {
  const log = messages.map((message, index) => ({ id: `m${index}`, message }));
  const trigger = COMPACT_AT_TOKENS;
  return {
    messages,
    budget: { trigger, target: trigger * POLICY.targetShare, limit: trigger },
    policy: POLICY,
    maxMessages: 0,
    archive,
    saveTranscript: () => archive.saveTranscript('bench', log),
    changedFiles: [],
    openTodos: () => undefined,
    loadedSkills: () => [],
    said: () => [],
    summariser: SUMMARISER,
    focus: '',
  };
}

async function measureEstimate(): Promise<Results> {
  const size = 5_001;
  const first = await timesOfEach(RUNS, async () => {
    const messages = longTurn(size);
    return async () => measure(messages);
  });
  const messages = longTurn(size);
  measure(messages);
  const unchanged = await timesOf(RUNS, async () => {
    for (let look = 0; look < LOOKS; look++) measure(messages);
  });
  const appended = await timesOf(RUNS, async () => {
    for (let look = 0; look < LOOKS; look++) {
      messages.push(says('Done.'));
      measure(messages);
    }
  });
  return {
    [`estimate of ${size} messages, nothing known`]: { value: quantile(first, 0.5), unit: 'ms' },
    [estimateName(size)]: perLook(unchanged),
    [`estimate of ${size} messages and one more`]: perLook(appended),
  };
}

/** To a millionth of a millisecond. */
function perLook(times: readonly number[]): Results[string] {
  return { value: Math.round((quantile(times, 0.5, 1e6) / LOOKS) * 1e6) / 1e6, unit: 'ms' };
}

/** Answers at once. */
const SUMMARISER: Model = {
  id: 'instant',
  name: 'Instant',
  limits: { input: 200_000, output: 32_000 },
  structuredOutput: true,
  async *stream() {
    const message = says(JSON.stringify(SUMMARY));
    yield { type: 'end', message, stopReason: 'end_turn', usage: undefined };
  },
};

const SUMMARY = {
  goal: 'Mend every test of the project.',
  decisions: ['The tests are mended one after the other, since each has a cause of its own.'],
  files: [{ path: 'src/part1.ts', note: 'It was read from its beginning to its end.' }],
  done: ['All parts of the project were read.'],
  remaining: ['Mend the tests that fail.'],
  constraints: [],
  facts: ['The parts lie in src and are called part1.ts and so on.'],
};
