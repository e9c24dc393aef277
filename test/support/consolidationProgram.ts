// A window that carries out what was planned and is killed while it does, or while it completes what another began. Its
// arguments: the folder of the memories, the planned changes in JSON or an empty text, the step at which it dies by
// SIGKILL, 0 for never, and whether that is before the step is begun or while it is under way. A step is what changes the
// disk. It prints how many there were.

import { promises as fs } from 'node:fs';
import { silentLog } from '../../src/base/log.ts';
import { applyConsolidation } from '../../src/memory/consolidation/consolidation.ts';
import type { PlannedChange } from '../../src/memory/consolidation/changeSet.ts';
import { recoverConsolidation } from '../../src/memory/consolidation/consolidationRecovery.ts';
import { MemoryStore } from '../../src/memory/store.ts';

const [folder = '', changes = '', killAt = '0', when] = process.argv.slice(2);
const steps = { done: 0 };

/** What a killed process leaves is the same before and after these: what it wrote need not be synced for that. */
const CHANGES_NOTHING = /^(?:constructor|access|l?stat|read|realpath|opendir|sync|datasync|close)/;

type Method = (...args: unknown[]) => unknown;

/** Wraps the functions of an object that change the disk, so that a step is counted when one is called. */
function countCallsOf(object: object): void {
  const methods = object as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(object)) {
    const method = methods[name];
    if (typeof method !== 'function' || CHANGES_NOTHING.test(name)) continue;
    methods[name] = function (this: unknown, ...args: unknown[]) {
      if (name === 'open' && args[1] === 'r') return Reflect.apply(method as Method, this, args);
      const isLast = ++steps.done === Number(killAt);
      if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
      const result = Reflect.apply(method as Method, this, args);
      if (isLast) process.kill(process.pid, 'SIGKILL');
      return result;
    };
  }
}

const store = new MemoryStore({ folder, log: silentLog });
await countDiskSteps();
if (changes === '') await recoverConsolidation(store, silentLog);
else await applyConsolidation(JSON.parse(changes) as PlannedChange[], { store, log: silentLog });
console.log(steps.done);

/** Those of open files too. */
async function countDiskSteps(): Promise<void> {
  const handle = await fs.open(process.execPath);
  await handle.close();
  countCallsOf(Object.getPrototypeOf(handle) as object);
  countCallsOf(fs);
  steps.done = 0;
}
