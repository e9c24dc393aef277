import assert from 'node:assert/strict';
import { promises as fs, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type Context } from 'mocha';
import { silentLog } from '../../../src/base/log.ts';
import { messageText, userText } from '../../../src/models/model.ts';
import type { SessionTurn, SessionView } from '../../../src/sessions/session.ts';
import { says } from '../../support/conversation.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/smallDisk.ts';
import { markOf, useSessionStores, writeTurn } from '../../support/sessionStores.ts';

const SEED = [userText('seen')];
const PAGE = 4096;

describe('sessions whose database is', () => {
  const stores = useSessionStores();

  function kinds(): readonly string[] {
    return stores.problems.map(({ kind }) => kind);
  }

  function filesBeside(): readonly string[] {
    return readdirSync(path.dirname(stores.file)).toSorted();
  }

  /** A session of many pages, closed; the reference names its last turn. */
  async function stored() {
    const store = stores.open();
    const first = await writeTurn(store, [userText('one'), says('x'.repeat(50_000))]);
    const second = await writeTurn(store, [userText('two')], { previous: first.ref });
    await store.search('two');
    store.close();
    return second.ref;
  }

  /** Goes on from a turn that cannot be read any more, and says what is there then. */
  async function assertBegunAnew(previous: { sessionId: string; turnId: string }): Promise<void> {
    const store = stores.open();
    const turn = await writeTurn(store, [userText('next')], { previous, seed: SEED });
    assert.deepEqual(turn.log().map(messageText), ['seen', 'next']);
    const next = await writeTurn(store, [userText('last')], { previous: turn.ref });
    store.close();
    const later = await stores.open().find(next.ref);
    assert.deepEqual(later?.log().map(messageText), ['seen', 'next', 'last']);
  }

  /** Skips the test where no disk may be mounted. `use` closes what it opened. */
  async function withSmallDisk(
    test: Context,
    use: (disk: SmallDisk, file: string) => Promise<void>,
  ): Promise<void> {
    const disk = await mountSmallDisk(path.join(path.dirname(stores.file), 'disk'));
    if ('problem' in disk) {
      console.log(`      SKIPPED: no small disk can be mounted here: ${disk.problem}`);
      return test.skip();
    }
    try {
      await use(disk, path.join(disk.path, 'sessions.db'));
    } finally {
      disk.unmount();
    }
  }

  /** Told by yes or no: to show where two databases differ would take minutes. */
  async function assertHolds(file: string, bytes: Buffer): Promise<void> {
    assert.ok((await fs.readFile(file)).equals(bytes), `${file} has changed.`);
  }

  it('missing: the chat goes on with what it shows, and says so once', async () => {
    const previous = await stored();
    await fs.rm(path.dirname(stores.file), { recursive: true });
    await assertBegunAnew(previous);
    assert.deepEqual(kinds(), ['lostTurn']);
    assert.deepEqual(stores.problems[0], {
      kind: 'lostTurn',
      file: stores.file,
      detail: `Turn ${previous.turnId} is not in it, or not sound.`,
    });
  });

  for (const [what, damage] of [
    ['no database at its beginning', (bytes: Buffer) => bytes.fill('no database ', 0, 200)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 3 * PAGE)],
    ['cut off in its header', (bytes: Buffer) => bytes.subarray(0, 50)],
    ['garbage in its middle', (bytes: Buffer) => bytes.fill(0xa5, PAGE)],
  ] as const)
    it(`${what}: it is moved aside as it is, and a new one is begun`, async () => {
      const previous = await stored();
      const damaged = Buffer.from(damage(await fs.readFile(stores.file)));
      await fs.writeFile(stores.file, damaged);
      await assertBegunAnew(previous);
      assert.deepEqual(kinds().toSorted(), ['damaged', 'lostTurn']);
      const [problem] = stores.problems.filter(({ kind }) => kind === 'damaged');
      assert.ok(
        problem?.kind === 'damaged' && problem.movedTo.startsWith(`${stores.file}.damaged-`),
      );
      await assertHolds(problem.movedTo, damaged);
    });

  it('sound, but for one message: that chat goes on with what it shows, and no other is touched', async () => {
    const previous = await stored();
    const other = await writeTurn(stores.open(), [userText('other')]);
    await fs.writeFile(stores.file, withDamagedMessage(await fs.readFile(stores.file)));
    await assertBegunAnew(previous);
    assert.deepEqual(kinds(), ['lostTurn']);
    assert.deepEqual((await stores.open().find(other.ref))?.log(), [userText('other')]);
  });

  for (const [what, body] of [
    ['names a place that is not there', '{"working":["gone:0"]}'],
    ['is cut off', '{"working":['],
    ['holds no message', '{"working":[{"role":"nobody","content":[]}]}'],
    ['does not say how it was compacted', '{"working":[],"mark":{"stages":["snip"]}}'],
    [
      'says no time',
      '{"working":[],"mark":{"stages":[],"before":1,"after":1,"archive":"a","at":"-"}}',
    ],
  ] as const)
    it(`sound, but for a compaction that ${what}: that chat alone goes on with what it shows`, async () => {
      const store = stores.open();
      const turn = await store.begin();
      turn.append(userText('one'));
      turn.compacted([userText('summary')], markOf());
      turn.end();
      const other = await writeTurn(store, [userText('other')]);
      store.close();
      const database = new DatabaseSync(stores.file);
      database.prepare(`UPDATE entries SET body = ? WHERE kind = 'compaction'`).run(body);
      database.close();
      await assertBegunAnew(turn.ref);
      assert.deepEqual(kinds(), ['lostTurn']);
      assert.deepEqual((await stores.open().find(other.ref))?.log(), [userText('other')]);
    });

  it('sound, but for one message: a search finds all others, and says of that one that it is not there', async () => {
    const store = stores.open();
    await writeTurn(store, [userText('needle 1'), userText('needle 2'), userText('needle 3')]);
    await store.search('needle');
    const found = await store.search('needle 2');
    const database = new DatabaseSync(stores.file);
    database.exec(`UPDATE entries SET body = '{' WHERE body LIKE '%needle 2%';
      DELETE FROM words; UPDATE indexed SET up_to = 0`);
    database.close();
    const later = stores.open();
    const hits = await later.search('needle');
    assert.deepEqual(
      hits.map(({ excerpt }) => excerpt),
      ['needle 3', 'needle 1'],
    );
    assert.equal(await later.message(found[0]?.number ?? 0), undefined);
    assert.deepEqual(kinds(), []);
  });

  it('empty, with changes beside it: both are moved aside, not removed', async () => {
    const store = stores.open();
    const { ref } = await writeTurn(store, [userText('one')]);
    const changes = await fs.readFile(`${stores.file}-wal`);
    store.close();
    await fs.writeFile(stores.file, '');
    await fs.writeFile(`${stores.file}-wal`, changes);
    await assertBegunAnew(ref);
    const [problem] = stores.problems;
    assert.ok(problem?.kind === 'damaged');
    await assertHolds(`${problem.movedTo}-wal`, changes);
  });

  it('damaged while it is open: what is known here is whole in the new one', async () => {
    const previous = await stored();
    const store = stores.open();
    await store.find(previous);
    const bytes = await fs.readFile(stores.file);
    await fs.writeFile(stores.file, bytes.fill(0xa5, PAGE));
    const turn = await store.begin({ previous, request: 'three' });
    turn.append(userText('three'), userText('short three'));
    turn.compacted([userText('summary'), ...turn.working().slice(1)], markOf());
    turn.append(says('3'));
    turn.end();
    const next = await writeTurn(store, [userText('four')], { previous: turn.ref });
    const before = JSON.stringify([next.entries(), next.working(), next.lastCompaction()]);
    store.close();
    assert.deepEqual(kinds(), ['damaged']);
    const later = await stores.open().find(next.ref);
    const after = JSON.stringify([later?.entries(), later?.working(), later?.lastCompaction()]);
    assert.equal(after, before);
    assert.equal(later?.ref.sessionId, previous.sessionId);
  });

  it('where no path can be followed any more: sessions live in memory', async function () {
    if (process.platform === 'win32') this.skip();
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const folder = path.dirname(stores.file);
    await fs.rm(folder, { recursive: true });
    await fs.symlink(folder, folder);
    assert.equal((await store.find(first.ref))?.log().length, 1);
    const second = await writeTurn(store, [userText('two')], { previous: first.ref });
    assert.deepEqual((await store.begin({ previous: second.ref })).log(), second.log());
    assert.deepEqual(kinds(), ['unavailable']);
  });

  it('gone, with changes beside it: they are moved aside, and the log says where', async () => {
    const store = stores.open();
    await writeTurn(store, [userText('one')]);
    const changes = await fs.readFile(`${stores.file}-wal`);
    store.close();
    await fs.rm(stores.file);
    await fs.writeFile(`${stores.file}-wal`, changes);
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (text: string) => warnings.push(text) };
    await writeTurn(stores.open({ log }), [userText('two')]);
    const [, moved = ''] = /moved to (\S+-wal)\.$/.exec(warnings[0] ?? '') ?? [];
    await assertHolds(moved, changes);
    assert.deepEqual(kinds(), []);
  });

  it('deleted while it is open: the next turn makes a new one with all that is known here', async function () {
    if (process.platform === 'win32') this.skip();
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const second = await store.begin({ previous: first.ref, request: 'two' });
    second.append(userText('two'), userText('short two'));
    const changes = await fs.readFile(`${stores.file}-wal`);
    await fs.rm(stores.file);
    second.append(says('2'));
    second.end();
    const third = await writeTurn(store, [userText('three')], { previous: second.ref });
    const before = [third.entries(), third.working()];
    store.close();
    const later = await stores.open().find(third.ref);
    assert.deepEqual([later?.entries(), later?.working()], before);
    assert.deepEqual(kinds(), []);
    // What was beside it may be all that is left of sessions that are not known here.
    const [left] = filesBeside().filter((name) => /damaged-.*-wal$/.test(name));
    assert.ok(left);
    assert.deepEqual(
      (await fs.readFile(path.join(path.dirname(stores.file), left))).subarray(0, changes.length),
      changes,
    );
  });

  it('deleted while a turn runs that is cut off then: it can be gone on from', async function () {
    if (process.platform === 'win32') this.skip();
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    const second = await store.begin({ previous: first.ref, request: 'two' });
    await fs.rm(stores.file);
    await writeTurn(store, [userText('other')]);
    second.append(userText('two'));
    const next = await stores.open().begin({ previous: first.ref, unfinished: ['two'] });
    assert.deepEqual(next.log(), [userText('one'), userText('two')]);
  });

  it('replaced while it is open: this window goes on in the new one, beside the other', async function () {
    if (process.platform === 'win32') this.skip();
    const store = stores.open();
    const first = await writeTurn(store, [userText('one')]);
    await fs.rm(stores.file);
    const other = await writeTurn(stores.open(), [userText('other')]);
    const second = await writeTurn(store, [userText('two')], { previous: first.ref });
    store.close();
    const later = stores.open();
    assert.deepEqual((await later.find(other.ref))?.log(), [userText('other')]);
    assert.deepEqual((await later.find(second.ref))?.log(), [userText('one'), userText('two')]);
  });

  for (const [what, damage] of [
    ['damaged', (bytes: Buffer) => bytes.fill(0xa5, 0, 2 * PAGE)],
    ['empty, with changes beside it', () => Buffer.alloc(0)],
    ['gone, with changes beside it', () => undefined],
  ] as const)
    it(`${what}, which six windows find at once: all go on in one new file`, async () => {
      await stored();
      const damaged = damage(await fs.readFile(stores.file));
      if (damaged) await fs.writeFile(stores.file, damaged);
      else await fs.rm(stores.file);
      await fs.writeFile(`${stores.file}-wal`, 'changes');
      const turns = await Promise.all(
        Array.from({ length: 6 }, () => writeTurn(stores.open(), [userText('one'), says('1')])),
      );
      const later = stores.open();
      for (const { ref } of turns) assert.equal((await later.find(ref))?.log().length, 2);
      assert.deepEqual(kinds(), what.startsWith('gone') ? [] : ['damaged']);
      const aside = filesBeside().filter((name) => name.includes('.damaged-'));
      assert.equal(new Set(aside.map((name) => name.replace(/-(wal|shm)$/, ''))).size, 1);
    });

  it('newer than this extension: it is left alone, and sessions live in memory', async () => {
    const previous = await stored();
    const database = new DatabaseSync(stores.file);
    database.exec('PRAGMA user_version = 1000');
    database.close();
    const before = await fs.readFile(stores.file);
    const store = stores.open();
    const turn = await writeTurn(store, [userText('next')], { previous, seed: SEED });
    const next = await store.begin({ previous: turn.ref });
    assert.deepEqual(next.log().map(messageText), ['seen', 'next']);
    assert.equal((await store.search('next')).length, 1);
    store.close();
    assert.deepEqual(kinds(), ['newer', 'lostTurn']);
    await assertHolds(stores.file, before);
    assert.deepEqual(filesBeside(), ['.lock', path.basename(stores.file)]);
  });

  for (const version of [0, 1, 1_000])
    it(`of another program, version ${version}: it is left alone, and sessions live in memory`, async () => {
      await fs.mkdir(path.dirname(stores.file));
      const database = new DatabaseSync(stores.file);
      database.exec(`CREATE TABLE theirs (a); PRAGMA user_version = ${version}`);
      database.close();
      const before = await fs.readFile(stores.file);
      const store = stores.open();
      const turn = await writeTurn(store, [userText('one')]);
      assert.deepEqual((await store.begin({ previous: turn.ref })).log(), [userText('one')]);
      store.close();
      await assertHolds(stores.file, before);
      assert.deepEqual(kinds(), ['unavailable']);
      assert.match(stores.problems[0]?.detail ?? '', /of another program/);
    });

  for (const [what, goOn] of [
    ['it goes on', () => {}],
    [
      'it is compacted',
      (turn: SessionTurn) =>
        turn.compacted([userText('summary'), ...turn.working().slice(-3)], markOf()),
    ],
  ] as const)
    it(`replaced by an older copy that has half of a turn: it is completed when ${what}`, async function () {
      if (process.platform === 'win32') this.skip();
      const store = stores.open();
      const first = await store.begin({ request: 'one' });
      first.append(userText('one'));
      const checkpoint = new DatabaseSync(stores.file);
      checkpoint.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      checkpoint.close();
      const copy = await fs.readFile(stores.file);
      first.append(says('1'), says('short 1'));
      first.appendWorking(userText('hurry'));
      first.end();
      for (const end of ['', '-wal', '-shm']) await fs.rm(stores.file + end);
      await fs.writeFile(stores.file, copy);
      const second = await store.begin({ previous: first.ref, request: 'two' });
      second.append(userText('two'));
      goOn(second);
      second.append(says('2'));
      second.end();
      const whole = (view: SessionView | undefined) => [view?.entries(), view?.working()];
      assert.deepEqual(whole(await stores.open().find(second.ref)), whole(second));
      assert.deepEqual(stores.problems, []);
    });

  it('on a disk that can only be read: sessions live in memory', async function () {
    await withSmallDisk(this, async (disk, file) => {
      const store = stores.open({ file });
      disk.makeReadOnly();
      const turn = await writeTurn(store, [userText('one')]);
      const next = await store.begin({ previous: turn.ref });
      assert.deepEqual(next.log(), [userText('one')]);
      assert.equal(await store.prune({ maxAgeDays: 1, maxBytes: 1 }), 0);
      assert.deepEqual(kinds(), ['unavailable']);
      store.close();
    });
  });

  it('on a full disk: what was written stays, and the rest lives in memory', async function () {
    await withSmallDisk(this, async (disk, file) => {
      const store = stores.open({ file });
      const first = await writeTurn(store, [userText('one')]);
      // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- It is a disk, no list.
      await disk.fill({ pages: 2 });
      const turn = await store.begin({ previous: first.ref });
      const texts = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
      for (const text of texts) turn.append(userText(text));
      turn.end();
      const next = await store.begin({ previous: turn.ref });
      assert.deepEqual(next.log().map(messageText), ['one', ...texts]);
      assert.equal((await store.search('19')).length, 1);
      assert.deepEqual(kinds(), ['unavailable']);
      store.close();
      await disk.free();
      const later = stores.open({ file });
      assert.deepEqual((await later.find(first.ref))?.log(), [userText('one')]);
      later.close();
    });
  });

  it('in a folder that cannot be made: sessions live in memory', async () => {
    await fs.writeFile(path.dirname(path.dirname(stores.file)) + '/file', '');
    const file = path.join(path.dirname(path.dirname(stores.file)), 'file', 'sessions.db');
    const store = stores.open({ file });
    const turn = await writeTurn(store, [userText('one')]);
    assert.deepEqual((await store.begin({ previous: turn.ref })).log(), [userText('one')]);
    assert.deepEqual(kinds(), ['unavailable']);
    assert.equal(statSync(path.dirname(file)).size, 0);
  });

  it('not there yet: only a turn makes it', async () => {
    const store = stores.open();
    assert.equal(await store.find({ sessionId: 's', turnId: 't' }), undefined);
    assert.deepEqual(await store.search('x'), []);
    assert.equal(await store.message(1), undefined);
    assert.equal(await store.prune({ maxAgeDays: 1, maxBytes: 1 }), 0);
    await assert.rejects(fs.stat(path.dirname(stores.file)), { code: 'ENOENT' });
  });
});

/** Its text is one that SQLite keeps outside of its tree. */
function withDamagedMessage(bytes: Buffer): Buffer {
  const at = bytes.indexOf('x'.repeat(1_000));
  assert.ok(at > 0);
  return bytes.fill('"', at, at + 100);
}
