import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLog } from '../../../../src/base/log.ts';
import { SentenceError } from '../../../../src/base/sentence.ts';
import { lateCode } from '../../../../src/vscode/host/lateCode.ts';

describe('code that is read when it is first used', () => {
  it('is read once, however often it is used, and not before', async () => {
    let reads = 0;
    const code = lateCode(async () => (reads += 1), silentLog);
    assert.equal(reads, 0);
    assert.deepEqual(await Promise.all([code(), code()]), [1, 1]);
    assert.equal(await code(), 1);
  });

  it('is looked for again when it was not there, and a person is told what to do', async () => {
    const logged: string[] = [];
    const log = { ...silentLog, error: (line: string) => void logged.push(line) };
    let isThere = false;
    const code = lateCode(async () => {
      if (!isThere) throw new Error("Cannot find module './answer.cjs'");
      return 'code';
    }, log);
    await assert.rejects(
      code(),
      (error) => error instanceof SentenceError && error.message.endsWith('Reload the window.'),
    );
    assert.match(logged.join(), /Cannot find module '\.\/answer\.cjs'/);
    isThere = true;
    assert.equal(await code(), 'code');
  });
});
