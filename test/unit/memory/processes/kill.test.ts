import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { hashOf } from '../../../../src/memory/record.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import {
  assertTidy,
  linesOfIndex,
  recordsIn,
  temporaryFiles,
} from '../../../support/memoryChecks.ts';
import type { Answer, Command } from '../../../support/storeProgram.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';

/** Each with folders of its own, in which one process after the other is killed. */
const LANES = 4;
/** Others each time that the tests run. */
const KILLS = 100;
/** So many changes are made before the one that is cut off. */
const MOST_CHANGES = 4;
const LEAST_RECORDS = 4;
const SEED = Number(process.env['MEMORY_KILL_SEED'] ?? Date.now() % 1_000_000);
/** What a killed process left half written is cleared away later than this. */
const LATER_MS = 2 * 60 * 60 * 1000;

/** What a memory says; the hash is known when the process told it. */
interface Text {
  readonly body: string;
  readonly hash?: string | undefined;
}

/** By the paths of the files. */
type Memories = ReadonlyMap<string, Text>;

/** A command, and the memories before and after it. */
interface Planned {
  readonly command: Command;
  readonly after: Memories;
}

describe('processes that are killed at any moment', function () {
  this.timeout(300_000);
  const processes = useStoreProcesses();

  it(`lose nothing that was there, and nothing that they had told, ${KILLS} times (seed ${SEED})`, async () => {
    const interrupted = new Map<string, number>();
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      runLane(lane, KILLS / LANES, interrupted),
    );
    // All have ended before the folders go, also when one has failed.
    for (const end of await Promise.allSettled(lanes))
      if (end.status === 'rejected') throw end.reason;
    // If hardly any were cut off in the middle of a change, the test says nothing.
    const cutOff = [...interrupted.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(cutOff > KILLS / 5, `Only ${cutOff} of ${KILLS} were cut off.`);
  });

  async function runLane(
    lane: number,
    kills: number,
    interrupted: Map<string, number>,
  ): Promise<void> {
    const random = randomFrom(SEED + lane);
    const folder = path.join(processes.path, `${lane}`, '.memory');
    const personal = path.join(processes.path, `${lane}`, 'personal');
    // A change takes about as long as the ones before it.
    let usualMs = 5;
    for (let kill = 0; kill < kills; kill++) {
      const where = `lane ${lane}, kill ${kill}, seed ${SEED}`;
      const started = processes.start({ folder, personal });
      await started.tell({ do: 'list' });
      let memories = await memoriesIn(folder, personal);
      let earlier: readonly Memories[] = [];
      const changes = Math.floor(random() * MOST_CHANGES);
      for (let change = 0; ; change++) {
        const planned = plan({
          memories,
          earlier,
          folder,
          personal,
          random,
          id: `${kill}-${change}`,
        });
        const beganAt = performance.now();
        const answering = started.ask(planned.command);
        if (change < changes) {
          const answer = await answering;
          assert.equal(answer?.error, undefined, `${where}: ${JSON.stringify(planned.command)}`);
          assert.deepEqual(answer?.warnings, [], where);
          usualMs = 0.8 * usualMs + 0.2 * (performance.now() - beganAt);
          const undid = planned.command.do === 'undo';
          earlier = undid ? earlier.slice(0, -1) : [...earlier, memories];
          memories = withHashes(planned.after, answer);
          continue;
        }
        await afterMs(random() * 1.2 * usualMs);
        await started.kill();
        const answer = await answering;
        if (answer) assert.equal(answer.error, undefined, where);
        else interrupted.set(planned.command.do, (interrupted.get(planned.command.do) ?? 0) + 1);
        await checkAll({ planned, answer, memories, folder, personal, where });
        break;
      }
    }
  }
});

/** All that must hold after a kill, and that the next window can go on at once. */
async function checkAll(given: {
  readonly planned: Planned;
  /** Undefined when the process was cut off before it answered. */
  readonly answer: Answer | undefined;
  readonly memories: Memories;
  readonly folder: string;
  readonly personal: string;
  readonly where: string;
}): Promise<void> {
  const { planned, answer, memories: before, folder, personal, where } = given;
  const found = await memoriesIn(folder, personal);
  const what = `${where}, ${JSON.stringify(planned.command)}`;
  if (answer) {
    assertHolds(found, withHashes(planned.after, answer), what);
    assert.equal(found.size, planned.after.size, what);
  } else {
    const { after } = planned;
    for (const file of new Set([...before.keys(), ...after.keys(), ...found.keys()])) {
      const states = [before.get(file), after.get(file)];
      // At worst both the old and the new one of a memory that was renamed or moved are there.
      assert.ok(
        states.some((state) => isSame(found.get(file), state)),
        `${what}: ${file} is neither as before nor as after it.`,
      );
    }
    const isThere = (memories: Memories) =>
      [...memories].every(([file, state]) => isSame(found.get(file), state));
    assert.ok(isThere(before) || isThere(after), `${what}: a memory is neither here nor there.`);
    await assertTextsKept(before, found, [folder, personal], what);
  }

  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
  const newStore = (folder: string) => new MemoryStore({ folder, log });
  const stores = [newStore(folder), newStore(personal)] as const;
  for (const store of stores) await linesOfIndex(store.folder);
  // The lock of the killed process is free, changes can be made and taken back, and the index is right again.
  for (const store of stores) {
    const record = { name: 'next', description: 'Next', type: 'user', body: 'Next.' } as const;
    const beganAt = performance.now();
    const change = await store.create(record);
    assert.ok(performance.now() - beganAt < 5_000, `${what}: the next window had to wait.`);
    const group = await store.lastGroup();
    assert.deepEqual(group?.steps, [change.step], what);
    await store.undoGroup(group);
  }
  assert.deepEqual(warnings, [], what);
  assert.deepEqual(await memoriesIn(folder, personal), found, what);

  // What is left half written is hidden, and goes when it is nobody's any more.
  const now = () => new Date(Date.now() + LATER_MS);
  for (const store of stores) {
    await new MemoryStore({ folder: store.folder, log, now }).refresh();
    assert.deepEqual(await temporaryFiles(store.folder), [], what);
    await assertTidy(store.folder);
  }
}

function assertHolds(found: Memories, wanted: Memories, what: string): void {
  for (const [file, state] of wanted)
    assert.ok(isSame(found.get(file), state), `${what}: ${file} is not as it was told to be.`);
}

/** Each text is still in a memory or in the trash, byte for byte. */
async function assertTextsKept(
  before: Memories,
  found: Memories,
  folders: readonly string[],
  what: string,
): Promise<void> {
  const hashes = new Set([...found.values()].map(({ hash }) => hash));
  for (const folder of folders)
    for (const trashed of await new MemoryStore({ folder, log: silentLog }).trashed())
      hashes.add(hashOf(await fs.readFile(trashed.path)));
  for (const [file, { hash }] of before)
    assert.ok(hashes.has(hash), `${what}: the text of ${file} is gone.`);
}

function isSame(found: Text | undefined, wanted: Text | undefined): boolean {
  if (!found || !wanted) return found === wanted;
  return found.body === wanted.body && (!wanted.hash || found.hash === wanted.hash);
}

async function memoriesIn(...folders: readonly string[]): Promise<Memories> {
  const records = (await Promise.all(folders.map(recordsIn))).flat();
  return new Map(records.map(({ path, body, hash }) => [path, { body, hash }]));
}

function withHashes(memories: Memories, answer: Answer | undefined): Memories {
  const told = new Map(answer?.records.map(({ path, hash }) => [path, hash]));
  return new Map(
    [...memories].map(([file, { body, hash }]) => [file, { body, hash: told.get(file) ?? hash }]),
  );
}

/** The next command, and what it makes of the memories. `earlier` are the states that undoing leads back to. */
function plan(given: {
  readonly memories: Memories;
  readonly earlier: readonly Memories[];
  readonly folder: string;
  readonly personal: string;
  readonly random: () => number;
  /** Of its own for each command in a folder. */
  readonly id: string;
}): Planned {
  const { memories, earlier, folder, personal, random, id } = given;
  const files = [...memories.keys()];
  const file = files[Math.floor(random() * files.length)];
  const last = earlier.at(-1);
  const body = `Says ${id}. ${'And more. '.repeat(Math.floor(random() * 300))}`.trim();
  const create: Planned = {
    command: { do: 'create', name: `memory-${id}`, body },
    after: new Map([...memories, [path.join(folder, `memory-${id}.md`), { body }]]),
  };
  if (file === undefined || files.length < LEAST_RECORDS) return create;
  const rest = new Map([...memories].filter(([each]) => each !== file));
  const text = memories.get(file)!;
  const moved = path.join(path.dirname(file) === folder ? personal : folder, path.basename(file));
  const renamed = path.join(path.dirname(file), `renamed-${id}.md`);
  // What was removed by this very process, and can be brought back.
  const removed = last && [...last].find(([each]) => !memories.has(each));
  const wasRemoved = removed && last.size > memories.size ? removed : undefined;
  const restored = ([path, text]: readonly [string, Text]): Planned => ({
    command: { do: 'restore', path },
    after: new Map([...memories, [path, text]]),
  });
  const choices: readonly Planned[] = [
    create,
    {
      command: { do: 'update', path: file, body },
      after: new Map([...memories, [file, { body }]]),
    },
    {
      command: { do: 'rename', path: file, to: `renamed ${id}` },
      after: new Map([...rest, [renamed, { body: text.body }]]),
    },
    { command: { do: 'remove', path: file }, after: rest },
    ...(memories.has(moved)
      ? []
      : [
          {
            command: { do: 'move', path: file } as const,
            after: new Map([...rest, [moved, text]]),
          },
        ]),
    ...(last ? [{ command: { do: 'undo' } as const, after: last }] : []),
    // Seldom possible, so often chosen where it is.
    ...(wasRemoved ? Array.from({ length: 4 }, () => restored(wasRemoved)) : []),
  ];
  return choices[Math.floor(random() * choices.length)]!;
}

/** Timers count whole milliseconds; the rest is waited out. */
async function afterMs(ms: number): Promise<void> {
  const end = performance.now() + ms;
  if (ms >= 2) await new Promise((resolve) => setTimeout(resolve, Math.floor(ms) - 1));
  while (performance.now() < end) await new Promise(setImmediate);
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
