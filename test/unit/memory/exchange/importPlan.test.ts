import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ImportCandidate } from '../../../../src/memory/exchange/importCandidate.ts';
import { planImport } from '../../../../src/memory/exchange/importPlan.ts';
import { MAX_BODY, printRecord, slugFor, type NewRecord } from '../../../../src/memory/record.ts';
import { aRecord, TABS } from '../../../support/records.ts';

function candidate(parts: Partial<NewRecord> = {}): ImportCandidate {
  const record = { ...TABS, source: 'import', ...parts };
  return { record, origin: { path: '/w/CLAUDE.md' } };
}

/** The records of a plan, each of which the store must take as it is. */
function records(...given: Parameters<typeof planImport>): NewRecord[] {
  return planImport(...given).map(({ record }) => {
    assert.ok(record);
    assert.equal(slugFor(record.name), record.name);
    printRecord(record, new Date(0));
    return record;
  });
}

describe('planImport', () => {
  it('marks what is not known as new, under a name the store takes', () => {
    const given = candidate({ name: 'Build & Test' });
    assert.deepEqual(planImport([given], []), [
      { kind: 'new', candidate: given, record: { ...given.record, name: 'build-test' } },
    ]);
  });

  it('marks what has the text of a memory, or its description, as a duplicate of it', () => {
    const known = aRecord({ description: 'Prefers “tabs”.', body: 'Use TABS' });
    const same = [
      candidate({ description: 'Another', body: 'use\n\ntabs.' }),
      candidate({ description: 'prefers "tabs"', body: 'Another' }),
    ];
    for (const given of same) {
      const [planned] = planImport([given], [known]);
      assert.ok(planned?.kind === 'duplicate');
      assert.deepEqual(planned.of, { kind: 'record', record: known });
    }
  });

  it('marks what stands in the import twice as a duplicate of the first', () => {
    const [first, second] = [candidate(), candidate({ name: 'other', description: 'Another' })];
    const [, planned] = planImport([first, second], []);
    assert.ok(planned?.kind === 'duplicate');
    assert.deepEqual(planned.of, { kind: 'candidate', candidate: first });
  });

  it('does not take texts without a word for the same', () => {
    const plan = planImport(
      [candidate({ description: 'A', body: '!!!' }), candidate({ description: 'B', body: '???' })],
      [],
    );
    assert.deepEqual(
      plan.map(({ kind }) => kind),
      ['new', 'new'],
    );
  });

  it('gives a suffix to a name that is taken, even in other letters', () => {
    const other = (n: number) => candidate({ name: 'TABS', description: `D${n}`, body: `B${n}` });
    const existing = [aRecord({ name: 'x', file: 'Tabs.md', description: 'X', body: 'X' })];
    assert.deepEqual(
      records([other(1), other(2)], existing).map(({ name }) => name),
      ['tabs-2', 'tabs-3'],
    );
  });

  it('gives a suffix even to a name of full length, of any script', () => {
    for (const name of ['a'.repeat(300), '名'.repeat(300), `${'a'.repeat(72)}😀é`]) {
      const named = [1, 2].map((n) => candidate({ name, description: `D${n}`, body: `B${n}` }));
      const names = records(named, []).map((record) => record.name);
      assert.equal(new Set(names).size, 2);
      assert.ok(names[1]?.endsWith('-2'));
    }
  });

  it('finds free names for thousands of one name without trying all those before', () => {
    const count = 5_000;
    const given = Array.from({ length: count }, (_, at) =>
      candidate({ name: 'Added', description: `The ${at}th`, body: `The ${at}th.` }),
    );
    const start = performance.now();
    const planned = planImport(given, [aRecord({ name: 'added-2' })]);
    // A second is many times what it takes; trying all of them takes ten.
    assert.ok(performance.now() - start < 3_000, `${performance.now() - start} ms`);
    const names = planned.map(({ record }) => record?.name);
    assert.deepEqual(
      [...names.slice(0, 2), names.at(-1)],
      ['added', 'added-3', `added-${count + 1}`],
    );
  });

  it('takes a long text apart into parts that can be told apart, with nothing lost', () => {
    const sections = Array.from({ length: 5 }, (_, n) => `# S${n}\n\n${`word${n} `.repeat(500)}`);
    const given = candidate({
      name: 'long',
      description: 'D'.repeat(150),
      body: sections.join('\n'),
    });
    const parts = records([given], []);
    assert.deepEqual(
      parts.map(({ name }) => name),
      ['long', 'long-2', 'long-3'],
    );
    assert.equal(new Set(parts.map(({ description }) => description)).size, 3);
    assert.deepEqual(words(parts.map(({ body }) => body).join('\n')), words(given.record.body));
  });

  it('marks each part of a long text again when it is imported again', () => {
    const given = candidate({
      body: `${'a '.repeat(MAX_BODY / 2)}\n\n${'b '.repeat(MAX_BODY / 2)}`,
    });
    const saved = records([given], []).map((record) => aRecord(record));
    assert.deepEqual(
      planImport([given], saved).map(({ kind }) => kind),
      ['duplicate', 'duplicate'],
    );
  });

  it('does not take parts of one text for duplicates of each other', () => {
    const given = candidate({ body: `${'same '.repeat(1599)}\n\n`.repeat(2) });
    assert.deepEqual(
      planImport([given], []).map(({ kind }) => kind),
      ['new', 'new'],
    );
  });

  it('shortens a long description at a word and keeps it whole in the body', () => {
    const description = `${'word '.repeat(40)}end`;
    const [record] = records([candidate({ description })], []);
    assert.equal(record?.description, `${'word '.repeat(29).trimEnd()}…`);
    assert.equal(record?.body, `${description}\n\nUse tabs.`);
  });

  it('lets the description stand for a body that is empty', () => {
    assert.equal(records([candidate({ body: '' })], [])[0]?.body, TABS.description);
  });

  it('offers what holds a secret without the secret, and says which kind it is', () => {
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const [planned] = planImport([candidate({ body: `The token of CI is ${secret}.` })], []);
    assert.ok(planned?.kind === 'secret');
    assert.match(planned.rule, /GitHub token/);
    assert.match(planned.record?.body ?? '', /The token of CI is/);
    assert.ok(!JSON.stringify(planned.record).includes(secret));
  });

  it('offers nothing where a secret shows only when the fields are read together', () => {
    const value = ['s3cr', 'tX9'].join('3');
    const [planned] = planImport(
      [candidate({ name: 'Database password:', description: value })],
      [],
    );
    assert.ok(planned?.kind === 'secret');
    assert.equal(planned.record, undefined);
  });

  it('knows what was imported without its secret', () => {
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const given = candidate({ body: `The token of CI is ${secret}.` });
    const saved = records([given], []).map((record) => aRecord(record));
    const [planned] = planImport([given], saved);
    assert.equal(planned?.kind, 'duplicate');
    assert.ok(!JSON.stringify(planned?.record).includes(secret));
  });
});

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
