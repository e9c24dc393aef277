import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { recoverConsolidation } from '../../../../src/memory/consolidation/consolidationRecovery.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { AFTERWARDS, RECORDS } from '../../../support/consolidationCase.ts';
import { assertTidy, recordsIn } from '../../../support/memoryChecks.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { readTree } from '../../../support/tempFolder.ts';

const PROGRAM = path.resolve('test/support/consolidationProgram.ts');
/** Of packages in the older form, which an ES module lacks. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
const KILLS = 200;
/** One process after the other in each. */
const LANES = 4;
/** Every so many, the window that completes what was begun is killed too. */
const KILLED_AGAIN = 8;
/** What a killed process left half written is cleared away later than this. */
const LATER_MS = 2 * 60 * 60 * 1000;
/** Where a system keeps files in memory: there the writes take no time, and a killed process is the same. */
const MEMORY_DISK = '/dev/shm';
const NOTES = { 'notes.txt': 'Mine.', '.draft.md': 'Not yet a memory.' };

describe('a window that is killed while it consolidates', function () {
  this.timeout(300_000);
  const disk = { path: '', template: '', program: '', codeCache: '', steps: 0 };
  const original: { files: Record<string, string> } = { files: {} };

  before(async () => {
    const place = existsSync(MEMORY_DISK) ? MEMORY_DISK : os.tmpdir();
    disk.path = await fs.realpath(await fs.mkdtemp(path.join(place, 'memory-agent-')));
    disk.codeCache = path.join(disk.path, 'code');
    disk.program = path.join(disk.path, 'program.mjs');
    // In one file: finding and reading a hundred is most of what a process costs that is killed at once.
    await build({
      entryPoints: [PROGRAM],
      outfile: disk.program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: REQUIRE },
    });
    disk.template = path.join(disk.path, 'template', '.memory');
    const store = new MemoryStore({ folder: disk.template, log: silentLog });
    for (const record of RECORDS) await store.create(record);
    for (const [name, text] of Object.entries(NOTES))
      await fs.writeFile(path.join(disk.template, name), text);
    original.files = await filesOf(disk.template);
    // One that is left alone says how many steps there are, and leaves its compiled code to the others.
    const folder = await copyOf('whole');
    disk.steps = Number(await run(folder, 'apply'));
    assert.deepEqual(await bodiesIn(folder), AFTERWARDS);
  });
  after(() => fs.rm(disk.path, { recursive: true, force: true }));

  it(`leaves each change done or not begun, and all of it to undo, ${KILLS} times`, async () => {
    assert.ok(disk.steps > KILLS / 2, `There are only ${disk.steps} steps.`);
    const outcomes = { before: 0, after: 0 };
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (let kill = lane; kill < KILLS; kill += LANES) outcomes[await killAt(kill)]++;
    });
    // All have ended before the folders go, also when one has failed.
    for (const end of await Promise.allSettled(lanes))
      if (end.status === 'rejected') throw end.reason;
    // If nearly all died before they had begun, the test says nothing.
    assert.ok(outcomes.after > KILLS / 2 && outcomes.before > 0, JSON.stringify(outcomes));
  });

  /** Whether the consolidation was made, once another window had opened. */
  async function killAt(kill: number): Promise<'before' | 'after'> {
    const folder = await copyOf(`${kill}`);
    // Over all steps evenly, before every second and while the others are under way.
    const step = 1 + Math.floor((kill / KILLS) * disk.steps);
    const when = kill % 2 === 0 ? 'before' : 'during';
    assert.equal(await run(folder, 'apply', step, when), undefined, `kill ${kill} came too late`);
    if (kill % KILLED_AGAIN === 0) await run(folder, 'recover', 1 + (kill % 40), when);

    const now = () => new Date(Date.now() + LATER_MS);
    const store = new MemoryStore({ folder, log: silentLog, now });
    await recoverConsolidation(store, silentLog);
    await store.refresh();
    await assertTidy(folder);
    const bodies = await bodiesIn(folder);
    const wasMade = Object.keys(bodies).length < RECORDS.length;
    if (wasMade) {
      assert.deepEqual(bodies, AFTERWARDS, `kill ${kill} at step ${step}`);
      const scopes = scopesOf(store);
      await scopes.undoChange((await scopes.lastConsolidation())!);
    }
    assert.deepEqual(await filesOf(folder), original.files, `kill ${kill} at step ${step}`);
    assert.equal(await store.consolidations.begun(), undefined);
    await fs.rm(path.dirname(folder), { recursive: true });
    return wasMade ? 'after' : 'before';
  }

  async function copyOf(name: string): Promise<string> {
    const folder = path.join(disk.path, name, '.memory');
    await fs.cp(disk.template, folder, { recursive: true, preserveTimestamps: true });
    return folder;
  }

  /** What the program printed; undefined when it was killed. */
  async function run(folder: string, ...args: readonly (string | number)[]) {
    const child = spawn(process.execPath, [disk.program, folder, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: disk.codeCache },
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
