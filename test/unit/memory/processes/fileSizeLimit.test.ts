import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { assertTidy } from '../../../support/memoryChecks.ts';
import { newRecord } from '../../../support/records.ts';
import { useStoreProcesses } from '../../../support/storeProcess.ts';
import { readTree } from '../../../support/tempFolder.ts';

describe('a limit on the size of files', function () {
  this.timeout(20_000);
  const processes = useStoreProcesses();

  it('fails each write with the reason, and leaves what is there', async function () {
    if (process.platform === 'win32') {
      console.log('      SKIPPED: there is no such limit here');
      this.skip();
    }
    const folder = path.join(processes.path, '.memory');
    const store = new MemoryStore({ folder, log: silentLog });
    for (const name of ['a', 'b']) await store.create(newRecord(name));
    const before = await readTree(folder);

    const limited = processes.start({ prepare: "trap '' XFSZ; ulimit -f 0" });
    const file = path.join(folder, 'a.md');
    for (const command of [
      { do: 'create', name: 'new', body: 'New.' },
      { do: 'update', path: file, body: 'Other.' },
      { do: 'rename', path: file, to: 'other' },
      { do: 'remove', path: file },
      { do: 'move', path: file },
      { do: 'createAll', names: ['x', 'y'], body: 'New.' },
    ] as const) {
      const answer = await limited.ask(command);
      assert.match(
        answer?.error?.message ?? '',
        /was not written, and what was there is unchanged: the file would be larger/,
        command.do,
      );
      const now = await readTree(folder);
      assert.deepEqual(now, before, command.do);
    }
    await limited.kill();
    await store.create(newRecord('later'));
    await assertTidy(folder);
  });
});
