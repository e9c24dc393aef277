import assert from 'node:assert/strict';
import {
  checkHealth,
  scanSecrets,
  type HealthCheck,
} from '../../../../src/memory/upkeep/healthCheck.ts';
import { rankRecords } from '../../../../src/memory/words/lexical.ts';
import { projectFiles } from '../../../../src/memory/upkeep/projectFiles.ts';
import { MEMORY_TYPES, type MemoryRecord } from '../../../../src/memory/record.ts';
import { aRecord } from '../../../support/records.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

const now = new Date('2026-06-30T12:00:00Z');
/** Put together, so that no scanner takes this file for a leak. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

const check = (records: readonly MemoryRecord[], parts: Partial<HealthCheck> = {}) =>
  checkHealth({ records, damaged: [], projectOf: () => undefined, now, ...parts });

const aFact = (parts: Partial<MemoryRecord>) => aRecord({ type: 'project', ...parts });

describe('the health check', () => {
  const temp = useTempFolder();

  it('finds nothing in memories that are as they should be', async () => {
    const records = [
      aRecord({ name: 'tabs', description: 'Prefers tabs', body: 'Use tabs. See [b](quotes.md).' }),
      aRecord({ name: 'quotes', description: 'Single quotes', body: 'Use single quotes.' }),
      aRecord({ name: '缩进', description: '用制表符缩进', body: '不用空格。' }),
    ];
    assert.deepEqual(await check(records), []);
  });

  it('finds secrets in every field, and tells where and of which kind, never which', async () => {
    const records = [
      aRecord({ name: 'a', body: `Use ${TOKEN} for pushes.` }),
      aRecord({ name: 'b', description: `Token ${TOKEN}` }),
      aRecord({ file: 'c.md', name: TOKEN }),
    ];
    const findings = (await check(records)).filter(({ kind }) => kind === 'secret');
    assert.deepEqual(
      findings.map((finding) => finding.kind === 'secret' && [finding.place.file, finding.field]),
      [
        ['a.md', 'body'],
        ['b.md', 'description'],
        ['c.md', 'name'],
        ['c.md', 'description'],
        ['c.md', 'body'],
      ],
    );
    assert.ok(
      findings.every((finding) => finding.kind === 'secret' && /GitHub/.test(finding.rule)),
    );
    assert.ok(!JSON.stringify(findings).includes(TOKEN));
  });

  it('finds secrets in texts that are no records', () => {
    const file = { file: 'old.md', path: '/x/.memory/.trash/old.md' };
    const [finding, ...others] = scanSecrets([
      { ...file, text: `---\nnote: ${TOKEN}\n---\n` },
      { file: 'b', path: '/b', text: 'Use tabs.' },
    ]);
    assert.deepEqual(others, []);
    assert.deepEqual(finding, { kind: 'secret', place: file, field: 'text', rule: finding?.rule });
  });

  it('passes on what is damaged, with the reason', async () => {
    const place = { file: 'x.md', path: '/x.md', problem: 'The file is not UTF-8 text.' };
    assert.deepEqual(await check([], { damaged: [place] }), [{ kind: 'damaged', place }]);
  });

  it('finds memories that say the same, once for all fields that do, whatever the spelling', async () => {
    const records = [
      aRecord({ file: 'a.md', name: 'tabs', description: 'Prefers tabs', body: 'Use  tabs.' }),
      aRecord({ file: 'b.md', name: 'Tabs', description: 'prefers tabs.', body: 'use tabs' }),
      aRecord({ file: 'c.md', name: 'other', description: '“Prefers tabs”', body: 'Else.' }),
      aRecord({ file: 'd.md', name: 'empty-1', description: 'One', body: '' }),
      aRecord({ file: 'e.md', name: 'empty-2', description: 'Two', body: '' }),
    ];
    assert.deepEqual(await check(records), [
      { kind: 'duplicate', records: records.slice(0, 2), by: ['name', 'body'] },
      { kind: 'duplicate', records: records.slice(0, 3), by: ['description'] },
    ]);
  });

  it('finds what names something that its project does not have', async () => {
    await writeTree(temp.path, {
      'src/there.ts': '',
      'package.json': '{ "scripts": { "lint": "x" } }',
      Makefile: 'all:\n\ttrue\n',
    });
    const project = projectFiles([temp.path], new AbortController().signal);
    const record = aFact({
      description: 'Lives in src/there.ts and src/gone.ts',
      body: '`src/lost/` and `feature/login`; npm run lint, npm run fix; `make all` and `make it`.',
    });
    const findings = await check([record], { projectOf: () => project });
    assert.deepEqual(
      findings.map((finding) => finding.kind === 'stale' && finding.reference),
      [
        { kind: 'file', name: 'src/gone.ts' },
        { kind: 'folder', name: 'src/lost' },
        { kind: 'target', name: 'it' },
        { kind: 'script', name: 'fix' },
      ],
    );
    assert.deepEqual(await check([record]), []);
  });

  it('finds links to memories that are not there', async () => {
    await writeTree(temp.path, { 'README.md': '' });
    const project = projectFiles([temp.path], new AbortController().signal);
    const record = aRecord({
      name: 'links',
      body: '[b](beta.md) [i](MEMORY.md) [d](bad%20one.md#x) [r](README.md) [g](gone.md) [u](http://x.y/z.md) [g](gone.md)',
    });
    const damaged = { file: 'bad one.md', path: '/workspace/.memory/bad one.md', problem: 'x' };
    assert.deepEqual(
      await check([record, aRecord({ name: 'beta' })], {
        damaged: [damaged],
        projectOf: () => project,
      }),
      [
        { kind: 'damaged', place: damaged },
        { kind: 'brokenLink', record, target: 'gone.md' },
      ],
    );
  });

  it('takes a link to a memory of another folder for broken', async () => {
    const record = aRecord({ name: 'links', body: '[b](beta.md)' });
    const other = aRecord({ name: 'beta', path: '/personal/beta.md' });
    assert.deepEqual(await check([record, other]), [
      { kind: 'brokenLink', record, target: 'beta.md' },
    ]);
  });

  it('finds what recall cannot find, or cannot tell by its description', async () => {
    const records = [
      aRecord({ file: 'a.md', name: '!!!', description: '—', body: '???' }),
      aRecord({ name: 'tabs', description: 'All of this', body: 'Use tabs.' }),
      aRecord({ name: 'user-quotes', description: 'User quotes', body: 'Use single quotes.' }),
    ];
    assert.deepEqual(
      (await check(records)).map((f) => f.kind === 'unreachable' && [f.record, f.because]),
      [
        [records[0], 'noWords'],
        [records[1], 'emptyDescription'],
        [records[2], 'nameAsDescription'],
      ],
    );
  });

  it('agrees with the ranking on what recall cannot find', async () => {
    const texts = ['', '—', 'all of this', 'tabs', '缩进', '42', '🙂', 'the the'];
    for (const description of texts) {
      for (const body of texts) {
        const record = aRecord({ file: 'a.md', name: '!', description, body });
        const found = rankRecords([record], [record.name, description, body].join('\n'));
        const findings = await check([record]);
        const lost = findings.some((f) => f.kind === 'unreachable' && f.because === 'noWords');
        assert.equal(lost, found.length === 0, JSON.stringify([description, body]));
      }
    }
  });

  it('finds what is too long, counted in whole characters', async () => {
    const fits = aRecord({ name: 'fits', description: '界'.repeat(150), body: '😀'.repeat(8_000) });
    const long = aRecord({ name: 'long', description: '图'.repeat(151), body: 'x'.repeat(8_001) });
    assert.deepEqual(await check([fits, long]), [
      { kind: 'overLong', record: long, field: 'description', length: 151, limit: 150 },
      { kind: 'overLong', record: long, field: 'body', length: 8_001, limit: 8_000 },
    ]);
  });

  it('finds what is kept past its own date', async () => {
    const expires = '2026-06-01T10:00:00.000Z';
    const at = Date.parse(expires);
    const records = MEMORY_TYPES.map((type) => aRecord({ name: `a-${type}`, type, expires }));
    const pinned = aFact({ name: 'pinned', pinned: true, expires });
    const later = aRecord({ name: 'later', expires: '2026-07-01' });
    assert.deepEqual(await check([...records, pinned, later]), [
      { kind: 'kept', record: records[0], because: 'type', at },
      { kind: 'kept', record: records[1], because: 'type', at },
      { kind: 'kept', record: pinned, because: 'pinned', at },
    ]);
  });

  it('checks 2,000 memories in well under two seconds', async () => {
    await writeTree(temp.path, { 'package.json': '{ "scripts": {} }', 'src/a.ts': '' });
    const project = projectFiles([temp.path], new AbortController().signal);
    const records = Array.from({ length: 2_000 }, (_, n) =>
      aFact({
        name: `fact-${n}`,
        description: `Service ${n} retries its calls in src/service${n}.ts`,
        body: `${`The retry number ${n} waits and npm run job${n} restarts it. `.repeat(10)}[x](gone.md)`,
      }),
    );
    const started = performance.now();
    const findings = await check(records, { projectOf: () => project });
    const elapsed = performance.now() - started;
    assert.equal(findings.length, 3 * records.length);
    assert.ok(elapsed < 2_000, `${elapsed} ms`);
  });
});
