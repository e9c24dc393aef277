import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { silentLog } from '../../../../src/base/log.ts';
import type { Scope } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import { GitMarks } from '../../../../src/vscode/sidebar/gitMarks.ts';
import { aRecord } from '../../../support/records.ts';

describe('GitMarks', () => {
  const work = listing('workspace', '/work');
  const personal = listing('personal', '/personal');
  /** Open questions, by folder. */
  let asked: { folder: string; answer: PromiseWithResolvers<ReadonlySet<string>> }[];
  let late: number;
  let marks: GitMarks;

  beforeEach(() => {
    asked = [];
    late = 0;
    marks = new GitMarks({
      ask: (folder) => {
        const answer = Promise.withResolvers<ReadonlySet<string>>();
        asked.push({ folder, answer });
        return answer.promise;
      },
      onLate: () => late++,
      log: silentLog,
    });
  });

  it('marks what git takes, and asks once until something changes', async () => {
    const first = shared();
    asked[0]?.answer.resolve(new Set(['a.md']));
    assert.deepEqual(await first, ['a.md']);
    assert.deepEqual(await shared(), ['a.md']);
    assert.equal(asked.length, 1);

    marks.outdate();
    const second = shared();
    asked[1]?.answer.resolve(new Set());
    assert.deepEqual(await second, []);
    assert.equal(late, 0);
  });

  it('asks nothing about personal memories and empty folders', async () => {
    const empty = { ...work, list: { records: [], damaged: [] } };
    await marks.mark([empty, personal]);
    assert.deepEqual(asked, []);
  });

  it('does not wait for a slow git, and tells when the answer has come', async () => {
    assert.deepEqual(await shared(), []);
    assert.equal(late, 0);
    asked[0]?.answer.resolve(new Set(['a.md']));
    await setImmediate();
    assert.equal(late, 1);
    assert.deepEqual(await shared(), ['a.md']);
    assert.equal(asked.length, 1);
  });

  it('keeps the last marks while a slow git looks anew', async () => {
    const first = shared();
    asked[0]?.answer.resolve(new Set(['a.md']));
    await first;
    marks.outdate();
    assert.deepEqual(await shared(), ['a.md']);
  });

  it('asks a slow git one question at a time, and tells of its answer once', async () => {
    await shared();
    marks.outdate();
    await shared();
    assert.equal(asked.length, 1);
    asked[0]?.answer.resolve(new Set());
    await setImmediate();
    assert.equal(late, 1);
    void shared();
    assert.equal(asked.length, 2);
  });

  it('shows no marks when git cannot be asked', async () => {
    const answer = shared();
    asked[0]?.answer.reject(new Error('EACCES'));
    assert.deepEqual(await answer, []);
  });

  async function shared(): Promise<readonly string[]> {
    const [first] = await marks.mark([work, personal]);
    return [...(first?.shared ?? [])];
  }
});

function listing(kind: Scope['kind'], folder: string) {
  const store = new MemoryStore({ folder, log: silentLog });
  const scope: Scope = { kind, name: '', store };
  return { scope, list: { records: [aRecord({ name: 'a' })], damaged: [] } };
}
