import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { Step } from '../../../../src/memory/change.ts';
import { Journal } from '../../../../src/memory/folder/journal.ts';
import { Trash } from '../../../../src/memory/folder/trash.ts';
import { readTree, useTempFolder } from '../../../support/tempFolder.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

describe('Journal', () => {
  const temp = useTempFolder();
  let journal: Journal;

  beforeEach(() => {
    journal = newJournal();
  });

  const newJournal = () => new Journal(new Trash(temp.path, () => NOW));
  const file = () => path.join(temp.path, '.trash', 'journal.jsonl');
  const step = (id: string): Step => ({
    id,
    after: { file: `${id}.md`, hash: 'h' },
    before: { file: `${id}.md`, hash: 'g', trash: `t-${id}.md` },
  });

  it('is empty, and makes nothing, before the first change', async () => {
    await journal.append('a', [], NOW);
    await journal.markUndone([], NOW);
    assert.equal(journal.size(), 0);
    assert.equal(await journal.last(), undefined);
    assert.deepEqual(await journal.undone(), new Set());
    assert.deepEqual(await readTree(temp.path), {});
  });

  it('gives the last group of which something is left, whole and in order', async () => {
    await journal.append('a', [step('1')], NOW);
    await journal.append('b', [step('2'), step('3')], NOW);
    await journal.append('a', [step('4')], new Date(NOW.getTime() + 1));
    const at = '2026-03-01T12:00:00.001Z';
    const a = { id: 'a', at, steps: [step('1'), step('4')], undone: [] };
    assert.deepEqual(await newJournal().last(), a);
    await journal.markUndone(['4', '1'], NOW);
    const b = { id: 'b', at: NOW.toISOString(), steps: [step('2'), step('3')], undone: [] };
    assert.deepEqual(await newJournal().last(), b);
    await journal.markUndone(['3'], NOW);
    assert.deepEqual(await newJournal().last(), { ...b, steps: [step('2')], undone: [step('3')] });
    assert.deepEqual(await newJournal().group('a'), { ...a, steps: [], undone: a.steps });
    assert.deepEqual(await newJournal().undone(), new Set(['4', '1', '3']));
  });

  it('is another size after every line', async () => {
    const sizes = [journal.size()];
    for (const id of ['1', '2']) {
      await journal.append(id, [step(id)], NOW);
      sizes.push(journal.size());
      await journal.markUndone([id], NOW);
      sizes.push(journal.size());
    }
    assert.equal(new Set(sizes).size, 5);
  });

  it('is private, and so is what it stands in', async () => {
    await journal.append('a', [step('1')], NOW);
    assert.equal((await readTree(temp.path))['.trash/.gitignore'], '*\n');
    if (process.platform === 'win32') return;
    assert.equal((await fs.stat(file())).mode & 0o777, 0o600);
  });

  it('is neither read nor written where a link or a pipe stands in its place', async () => {
    await journal.append('a', [step('1')], NOW);
    const outside = path.join(temp.path, 'outside');
    await fs.rename(file(), outside);
    const before = await fs.readFile(outside, 'utf8');
    await fs.symlink('../outside', file());
    assert.equal(await journal.last(), undefined);
    await assert.rejects(
      journal.append('b', [step('2')], NOW),
      /journal\.jsonl is not a regular file/,
    );
    assert.equal(await fs.readFile(outside, 'utf8'), before);
    if (process.platform === 'win32') return;
    await fs.rm(file());
    execFileSync('mkfifo', [file()]);
    assert.equal(await journal.last(), undefined);
    await assert.rejects(journal.append('b', [step('2')], NOW), /is not a regular file/);
  });

  it('loses no line beside one that was cut off', async () => {
    await journal.append('a', [step('1')], NOW);
    await journal.append('b', [step('2')], NOW);
    const whole = await fs.readFile(file(), 'utf8');
    for (let cut = 0; cut < whole.length; cut++) {
      await fs.writeFile(file(), whole.slice(0, cut));
      await journal.append('c', [step('3')], NOW);
      assert.deepEqual((await journal.group('c'))?.steps, [step('3')], `cut at ${cut}`);
    }
  });
});
