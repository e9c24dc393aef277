import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { planConsolidation } from '../../../../src/memory/consolidation/consolidationPlan.ts';
import { recoverConsolidation } from '../../../../src/memory/consolidation/consolidationRecovery.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { bundleProgram } from '../../../support/bundledProgram.ts';
import { AFTERWARDS, CHANGES, RECORDS } from '../../../support/consolidationCase.ts';
import { assertTidy, recordsIn } from '../../../support/memoryChecks.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { newTempFolder, readTree } from '../../../support/tempFolder.ts';

const PROGRAM = path.resolve('test/support/consolidationProgram.ts');
/** Each step is one before which a process is killed; one of so many is also killed while it is under way. */
const KILLED_DURING = 3;
/** One process after the other in each. */
const LANES = 4;
/** Every so many, the window that completes what was begun is killed too. */
const KILLED_AGAIN = 8;
/** What a killed process left half written is cleared away later than this. */
const LATER_MS = 2 * 60 * 60 * 1000;
/** So many are to be killed with the work begun. */
const LEAST = 40;
const NOTES = { 'notes.txt': 'Mine.', '.draft.md': 'Not yet a memory.' };

interface Kill {
  readonly step: number;
  readonly when: 'before' | 'during';
}

describe('a window that is killed while it consolidates', function () {
  this.timeout(300_000);
  const disk = { path: '', template: '', program: '', changes: '', steps: 0 };
  const original: { files: Record<string, string> } = { files: {} };

  before(async () => {
    disk.path = await newTempFolder();
    disk.program = path.join(disk.path, 'program.mjs');
    await bundleProgram(PROGRAM, disk.program);
    disk.template = path.join(disk.path, 'template', '.memory');
    const store = new MemoryStore({ folder: disk.template, log: silentLog });
    for (const record of RECORDS) await store.create(record);
    for (const [name, text] of Object.entries(NOTES))
      await fs.writeFile(path.join(disk.template, name), text);
    original.files = await filesOf(disk.template);
    // What is planned once is carried out by each process.
    const model = scriptedModel([JSON.stringify(CHANGES)]);
    const { changes, refused } = await planConsolidation(
      { store, model, log: silentLog, unattended: true },
      new AbortController().signal,
    );
    assert.deepEqual(refused, []);
    disk.changes = JSON.stringify(changes);
    // One that is left alone says how many steps there are.
    const folder = await copyOf('whole');
    disk.steps = Number(await run(folder, changesIn(folder)));
    assert.deepEqual(await bodiesIn(folder), AFTERWARDS);
  });
  after(() => fs.rm(disk.path, { recursive: true, force: true }));

  it('leaves each change done or not begun, and all of it to undo', async () => {
    const kills = Array.from({ length: disk.steps }, (_, index): readonly Kill[] => {
      const step = index + 1;
      const before = { step, when: 'before' } as const;
      return step % KILLED_DURING === 0 ? [before, { step, when: 'during' }] : [before];
    }).flat();
    const outcomes = { before: 0, after: 0 };
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (let at = lane; at < kills.length; at += LANES) outcomes[await killAt(kills[at]!, at)]++;
    });
    // All have ended before the folders go, also when one has failed.
    for (const end of await Promise.allSettled(lanes))
      if (end.status === 'rejected') throw end.reason;
    // If nearly all died before they had begun, the test says nothing.
    const { before, after } = outcomes;
    assert.ok(after > LEAST && before > 0, JSON.stringify(outcomes));
  });

  /** Whether the consolidation was made, once another window had opened. */
  async function killAt({ step, when }: Kill, number: number): Promise<'before' | 'after'> {
    const folder = await copyOf(`${number}`);
    const what = `killed ${when} step ${step}`;
    assert.equal(
      await run(folder, changesIn(folder), step, when),
      undefined,
      `${what}, which came too late`,
    );
    if (number % KILLED_AGAIN === 0) await run(folder, '', 1 + (number % 40), when);

    const now = () => new Date(Date.now() + LATER_MS);
    const store = new MemoryStore({ folder, log: silentLog, now });
    await recoverConsolidation(store, silentLog);
    await store.refresh();
    await assertTidy(folder);
    const bodies = await bodiesIn(folder);
    const wasMade = Object.keys(bodies).length < RECORDS.length;
    if (wasMade) {
      assert.deepEqual(bodies, AFTERWARDS, what);
      const scopes = scopesOf(store);
      await scopes.undoChange((await scopes.lastConsolidation())!);
    }
    assert.deepEqual(await filesOf(folder), original.files, what);
    assert.equal(await store.consolidations.begun(), undefined);
    await fs.rm(path.dirname(folder), { recursive: true });
    return wasMade ? 'after' : 'before';
  }

  async function copyOf(name: string): Promise<string> {
    const folder = path.join(disk.path, name, '.memory');
    await fs.cp(disk.template, folder, { recursive: true, preserveTimestamps: true });
    return folder;
  }

  const changesIn = (folder: string) => disk.changes.replaceAll(disk.template, folder);

  /** What the program printed; undefined when it was killed. */
  async function run(folder: string, ...args: readonly (string | number)[]) {
    const child = spawn(process.execPath, [disk.program, folder, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (text) => (printed += String(text)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    assert.ok(code === 0 || signal === 'SIGKILL', `It ended with ${code ?? signal}.`);
    return code === 0 ? printed.trim() : undefined;
  }
});

/** The texts of the folder itself, without the index. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await readTree(folder));
  return Object.fromEntries(
    files.filter(([file]) => !/^(?:\.(?:trash\/|lock|gitignore)|MEMORY\.md)/.test(file)),
  );
}

async function bodiesIn(folder: string): Promise<Record<string, string>> {
  return Object.fromEntries((await recordsIn(folder)).map(({ file, body }) => [file, body]));
}
