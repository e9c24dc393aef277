// What must hold of the memories after months of use: each evening, and in the end, when a person would call them tidy.

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { hashOf, type MemoryRecord } from '../../src/memory/record.ts';
import { REFUSALS } from '../../src/memory/extraction/policy.ts';
import { assertTidy } from './memoryChecks.ts';
import { holdsValue, notedAsTakenBack, type Fact } from './simulatedFacts.ts';
import { BY_HAND } from './simulatedPerson.ts';
import { NEVER_MEMORIES } from './simulatedTalk.ts';
import { readTree } from './tempFolder.ts';
import { factOf, states, type Life } from './threeMonths.ts';

const MAX_INDEX_BYTES = 25_000;

/** However imperfect the model was up to now. */
export async function assertSound(life: Life): Promise<void> {
  const { window, person, own } = life;
  await assertTidy(window.memoryFolder);
  const { records } = await window.store.list();

  for (const [fact, value] of person.truth)
    if (value !== undefined && !person.isToSayAgain(fact))
      assert.notEqual(holding(records, fact, value).length, 0, `${fact.id} is lost: ${value}`);

  const texts = records.map((record) => `${record.name}\n${textOf(record)}`);
  for (const words of NEVER_MEMORIES)
    assert.deepEqual(
      texts.filter((text) => text.includes(words)),
      [],
      `nobody said as lasting: ${words}`,
    );
  for (const id of [BY_HAND.deleted, BY_HAND.undone])
    if (person.truth.has(factOf(id)) && person.truth.get(factOf(id)) === undefined)
      assert.deepEqual(
        records.filter((record) => states(record, factOf(id))),
        [],
        `${id} came back`,
      );
  for (const [file, text] of own)
    assert.equal(await fs.readFile(file, 'utf8'), text, `${path.basename(file)} was changed`);

  const waiting = await window.store.proposals.list();
  assert.equal(new Set(waiting.map(({ fields }) => fields.body)).size, waiting.length);
  const mistakes = new Set(life.model.faults.map(({ name }) => name));
  for (const { from, fields } of waiting) {
    // Of what the person says, only what the model gets wrong is in doubt.
    assert.ok(from !== 'person' || mistakes.has(fields.name), fields.body);
    assert.ok(!life.rejected.has(fields.body), `proposed again: ${fields.body}`);
  }
  await assertNothingLeaksOrVanishes(life);
}

/** When the model is done with what was left over. */
export async function assertWouldBeCalledTidy(life: Life): Promise<void> {
  const { window, person } = life;
  const { records } = await window.store.list();
  const live = [...person.truth].filter(([, value]) => value !== undefined);
  for (const [fact, value] of person.truth) {
    if (value === undefined) {
      const standing = records.filter((record) =>
        fact.values.some((each) => saysOf(record, fact, each)),
      );
      assert.deepEqual(standing.map(textOf), [], `${fact.id} was taken back`);
      continue;
    }
    const places = records.filter((record) => states(record, fact));
    assert.equal(
      places.length,
      1,
      `${fact.id} stands in: ${places.map(({ file }) => file).join(', ')}`,
    );
    assert.deepEqual(places, holding(records, fact, value));
    for (const old of fact.values.filter((each) => each !== value))
      assert.ok(!records.some((record) => saysOf(record, fact, old)), `${fact.id} is still ${old}`);
  }
  assert.ok(records.length <= live.length, `${records.length} records for ${live.length} facts`);
  const told = [...person.truth.keys()];
  const strange = records.filter((record) => !told.some((fact) => states(record, fact)));
  assert.deepEqual(strange.map(textOf), [], 'a memory says nothing that was said');
  const index = await fs.readFile(window.store.indexPath, 'utf8');
  assert.equal(index.match(/^- \[/gm)?.length, records.length);
  assert.ok(Buffer.byteLength(index) <= MAX_INDEX_BYTES);
}

/** What became of each kind of mistake that the log tells of: how often, by the reason, or by what was done. */
export function outcomesOf({
  model,
  window,
}: Life): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const byName = new Map<string, string>();
  for (const line of window.lines) {
    const [, name = '', reason = ''] = REFUSED.exec(line) ?? [];
    const [, done = '', made = ''] = DONE.exec(line) ?? [];
    if (name !== '')
      byName.set(name, REASONS.find(([, words]) => reason.startsWith(words))?.[0] ?? reason);
    else if (made !== '' && !byName.has(made)) byName.set(made, done);
  }
  const outcomes = new Map<string, Map<string, number>>();
  for (const { kind, name } of model.faults) {
    const outcome = name === undefined ? 'the whole answer' : (byName.get(name) ?? 'not decided');
    const counts = outcomes.get(kind) ?? new Map<string, number>();
    outcomes.set(kind, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  }
  return outcomes;
}

const REFUSED = /^\[extraction\] "(.*?)" was not saved: (.*)$/;
const DONE = /^\[extraction\] (created|updated|proposed) "(.*?)"(?:: .*)?$/;
const REASONS = Object.entries(REFUSALS);

function textOf({ description, body }: MemoryRecord): string {
  return `${description}\n${body}`;
}

function holding(
  records: readonly MemoryRecord[],
  fact: Fact,
  value: string,
): readonly MemoryRecord[] {
  return records.filter((record) => saysOf(record, fact, value));
}

/** By the value alone, whatever the words around it are. */
function saysOf(record: MemoryRecord, fact: Fact, value: string): boolean {
  const text = textOf(record);
  return holdsValue(text, value) && !text.includes(notedAsTakenBack(fact)) && isAbout(text, fact);
}

/** Values are told apart by themselves, but for a few that would be short words. */
function isAbout(text: string, { label }: Fact): boolean {
  return text.toLowerCase().includes(label.toLowerCase());
}

/** No secret is anywhere on the disk of the memories or in the log, and what is gone from them is in the trash. */
async function assertNothingLeaksOrVanishes({ window, person, seen }: Life): Promise<void> {
  const tree = Object.entries(await readTree(window.memoryFolder));
  for (const secret of person.secrets) {
    const files = tree.filter(([, text]) => text.includes(secret)).map(([file]) => file);
    assert.deepEqual(files, [], 'a secret is on the disk');
    assert.ok(!window.lines.some((line) => line.includes(secret)), 'a secret is in the log');
  }
  const kept = new Set(
    tree.filter(([file]) => file.endsWith('.md')).map(([, text]) => hashOf(Buffer.from(text))),
  );
  for (const [hash, text] of seen) assert.ok(kept.has(hash), `gone without a copy: ${text}`);
}
