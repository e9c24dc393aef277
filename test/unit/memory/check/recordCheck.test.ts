import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Neighbours } from '../../../../src/memory/check/neighbours.ts';
import { checkRecord } from '../../../../src/memory/check/recordCheck.ts';
import type { RecordProblem } from '../../../../src/memory/check/problem.ts';
import { MAX_BODY, MAX_DESCRIPTION, type MemoryRecord } from '../../../../src/memory/record.ts';
import { anyText, yamlText } from '../../../support/frontMatters.ts';
import { aRecord } from '../../../support/records.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const FINE = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const HIDDEN = '\u200b';

describe('the check of a memory as it is written', () => {
  it('says nothing of one that is fine, whoever wrote it and however', () => {
    for (const text of [
      FINE,
      FINE.replaceAll('\n', '\r\n'),
      `\uFEFF${FINE}`,
      withLines('pinned: true', 'created: 2026-01-01', 'source: import', 'supersedes: spaces'),
      withLines('tags:\n  - a\n  - b', 'aliases: [x]', 'alwaysApply: false', 'metadata:\n  a: b'),
      withLines('# a comment', '', 'expires: 2026-04-01 # then').replace('user', 'project'),
    ])
      assert.deepEqual(marks(text), [], text);
  });

  it('tells a file without front matter, and one whose front matter does not end or is no YAML', () => {
    assert.deepEqual(marks('Use tabs.\nAlways.\n'), ['noFrontMatter: Use tabs.']);
    assert.deepEqual(marks('---\nname: tabs\ntype: user\n\nUse tabs.\n'), ['notClosed: ---']);
    assert.deepEqual(marks(FINE.replace('---', '---js')), ['otherLanguage: ---js']);
    assert.deepEqual(marks(FINE.replace('---\n\n', '---x\n\n')), ['unreadable: ---x']);
  });

  it('marks the line that YAML cannot read, also behind a byte order mark and with other line ends', () => {
    const broken = FINE.replace('Prefers tabs', '"Prefers" tabs');
    for (const text of [broken, broken.replaceAll('\n', '\r\n'), `\uFEFF${broken}`])
      assert.deepEqual(marks(text), ['unreadable: tabs'], text);
    assert.deepEqual(marks(FINE.replace('type: user', 'type: [user')).map(kindOf), ['unreadable']);
  });

  it('tells what is missing at the line that opens the front matter, or at the empty key', () => {
    assert.deepEqual(marks('---\ntags: []\n---\nUse tabs.'), [
      'missing: ---',
      'missing: ---',
      'missing: ---',
    ]);
    for (const nothing of ['', ' ', '  # later'])
      assert.deepEqual(marks(FINE.replace(' user', nothing)), ['missing: type']);
    assert.deepEqual(marks(FINE.replace('Prefers tabs', '""')), ['missing: ""']);
    assert.deepEqual(marks(FINE.replace('\nUse tabs.', '')), ['emptyBody: ---']);
  });

  it('tells an unknown type, and which one is meant', () => {
    const text = FINE.replace('user', 'refernce # or so');
    const [problem] = check(text);
    assert.ok(problem?.kind === 'unknownType');
    assert.deepEqual(marks(text), ['unknownType: refernce']);
    assert.equal(problem.meant, 'reference');
    assert.deepEqual(marks(FINE.replace('user', 'User')), []);
  });

  it('tells a key that is not known, with the one that is meant when that is not there', () => {
    const meant = (line: string) => {
      const [problem] = check(withLines(line));
      return problem?.kind === 'unknownKey' ? [problem.key, problem.meant] : undefined;
    };
    assert.deepEqual(meant('pined: true'), ['pined', 'pinned']);
    assert.deepEqual(meant('expiry: 2026-09-01'), ['expiry', 'expires']);
    assert.deepEqual(meant('descripton: x'), ['descripton', undefined]);
    assert.deepEqual(meant('colour: red'), ['colour', undefined]);
    assert.deepEqual(meant('"my key": red'), ['my key', undefined]);
    assert.deepEqual(meant('constructor: red'), ['constructor', undefined]);
  });

  it('takes no other word for a slip of a key', () => {
    const keys = ['related', 'creator', 'linked', 'resource', 'sources', 'created_at', 'updatedAt'];
    for (const key of keys)
      for (const problem of check(withLines(`${key}: x`)))
        assert.ok(problem.kind === 'unknownKey' && problem.meant === undefined, key);
    for (const slip of ['expries', 'supercedes', 'pinend', 'soruce'])
      assert.equal(
        check(withLines(`${slip}: x`)).some((found) => 'meant' in found && found.meant),
        true,
        slip,
      );
  });

  it('takes what people call a type for the type they mean', () => {
    const meant = (type: string) => {
      const [problem] = check(FINE.replace('user', type));
      return problem?.kind === 'unknownType' ? problem.meant : undefined;
    };
    assert.deepEqual(['preference', 'rule', 'fact', 'link', '偏好', 'nothing'].map(meant), [
      'user',
      'feedback',
      'project',
      'reference',
      'user',
      undefined,
    ]);
  });

  it('tells a key that stands twice, once, at the second place', () => {
    const problems = check(withLines('name: spaces'));
    assert.deepEqual(problems.map(kindOf), ['duplicateKey']);
    assert.equal(problems[0]?.start, FINE.indexOf('---\n\n'));
  });

  it('marks what of a description stands behind the limit, in any script', () => {
    for (const sign of ['x', '字', '👩']) {
      const text = FINE.replace('Prefers tabs', sign.repeat(MAX_DESCRIPTION) + 'over');
      assert.deepEqual(marks(text), ['tooLong: over']);
      assert.deepEqual(marks(text.replace('over', '')), []);
    }
    const folded = FINE.replace(
      'Prefers tabs',
      `>\n  ${'word '.repeat(20)}\n  ${'word '.repeat(20)}`,
    );
    assert.match(marks(folded).join(), /^tooLong: >\n {2}word/);
  });

  it('marks the first line of a body that is behind the limit', () => {
    const body = `${'字'.repeat(MAX_BODY)}over\r\nand over\r\n`;
    assert.deepEqual(marks(FINE.replace('Use tabs.\n', body)), ['tooLong: over']);
    assert.deepEqual(marks(FINE.replace('Use tabs.\n', body.slice(0, MAX_BODY))), []);
    const lines = 'a\r\n'.repeat(MAX_BODY / 2);
    assert.deepEqual(marks(FINE.replace('Use tabs.\n', `${lines}over`)), ['tooLong: over']);
  });

  it('tells a name that no list shows whole, and one that is not that of its file', () => {
    const long = 'n'.repeat(80);
    assert.deepEqual(marks(FINE.replace('tabs', `${long}over`), `${long.slice(0, 75)}.md`), [
      'tooLong: over',
    ]);
    assert.deepEqual(marks(FINE.replace('name: tabs', 'name: spaces')), ['otherFile: spaces']);
    for (const file of ['tabs-2.md', 'Tabs.md']) assert.deepEqual(marks(FINE, file), [], file);
    assert.deepEqual(marks(FINE.replace('name: tabs', 'name: My Tabs'), 'my_tabs.md'), []);
  });

  it('marks a secret exactly, wherever it stands, and does not repeat it', () => {
    const text = `${FINE.replace('Prefers tabs', `令牌 👩‍👧 ${TOKEN}`)}And "${TOKEN}"!\r\n`;
    assert.deepEqual(marks(text), [`secret: ${TOKEN}`, `secret: ${TOKEN}`]);
    assert.ok(!JSON.stringify(check(text)).includes(TOKEN));
  });

  it('marks what nobody sees, but not the byte order mark of a file', () => {
    const text = `\uFEFF${FINE.replace('Use tabs', `Use${HIDDEN}${HIDDEN} tabs ❤️`)}`;
    assert.deepEqual(marks(text), [`hidden: ${HIDDEN}${HIDDEN}`]);
  });

  it('tells what is no date, with the day that is meant', () => {
    const text = withLines('created: yesterday', 'updated: 2026/3/1', 'expires: 2026年4月1日');
    const problems = check(text.replace('user', 'project'));
    assert.deepEqual(
      problems.map((problem) => problem.kind === 'noDate' && [problem.key, problem.meant]),
      [
        ['created', undefined],
        ['updated', '2026-03-01'],
        ['expires', '2026-04-01'],
      ],
    );
    assert.deepEqual(
      check(withLines('expires: 2026/2/30')).map((problem) => 'meant' in problem && problem.meant),
      [undefined],
    );
  });

  it('tells a date that is over, and why the memory stays where it does', () => {
    const kept = (text: string) =>
      check(text).map((problem) => (problem.kind === 'expired' ? problem.kept : problem.kind));
    const project = withLines('expires: 2026-02-01').replace('user', 'project');
    assert.deepEqual(kept(project), [undefined]);
    assert.deepEqual(kept(project.replace('expires', 'pinned: true\nexpires')), ['pinned']);
    assert.deepEqual(kept(withLines('expires: 2026-02-01')), ['type']);
    assert.deepEqual(kept(withLines('expires: 2026-12-01')), ['neverExpires']);
    assert.deepEqual(kept(project.replace('02-01', '03-01')), []);
  });

  it('tells what is neither yes nor no, and which is meant', () => {
    const meant = (value: string) => {
      const [problem] = check(withLines(`pinned: ${value}`));
      return problem?.kind === 'noBoolean' ? problem.meant : problem;
    };
    assert.equal(meant('yes'), true);
    assert.equal(meant('"true"'), true);
    assert.equal(meant('Off'), false);
    assert.equal(meant('maybe'), undefined);
    assert.deepEqual(marks(withLines('pinned:')), ['noBoolean: pinned']);
  });

  it('tells another memory that says the same, has the name, or the description', () => {
    const by = (other: Partial<MemoryRecord>) =>
      check(FINE, 'tabs.md', [aRecord({ name: 'other', ...other })]).map((problem) =>
        problem.kind === 'duplicate' ? problem.by : problem.kind,
      );
    assert.deepEqual(by({ body: 'Use  tabs.' }), ['text']);
    assert.deepEqual(by({ name: 'Tabs', body: 'Eight wide.' }), ['name']);
    assert.deepEqual(by({ description: 'prefers tabs', body: 'Eight wide.' }), ['description']);
    assert.deepEqual(by({ body: 'Eight wide.' }), []);
    const empty = aRecord({ name: 'other', body: '' });
    const kinds = check(FINE.replace('Use tabs.', ''), 'tabs.md', [empty]).map(kindOf);
    assert.deepEqual(kinds, ['emptyBody']);
  });

  it('does not take a heading that stands in for a description for a double', () => {
    const text = '---\nname: tabs\ntype: user\n---\n\n# Notes\n\nUse tabs.\n';
    const other = aRecord({ description: 'Notes', body: '# Notes\n\nUse vim.' });
    assert.deepEqual(check(text, 'tabs.md', [other]).map(kindOf), ['missing']);
  });

  it('tells of a few of many that are alike, and first of those that say the same', () => {
    const alike = Array.from({ length: 2000 }, (_, i) =>
      aRecord({ name: `m-${i}`, description: 'Prefers tabs', body: `${i}. `.repeat(1000) }),
    );
    const same = aRecord({ name: 'z', body: 'Use tabs.' });
    const found = check(FINE, 'tabs.md', [...alike, same]);
    assert.deepEqual(
      found.map((problem) => problem.kind === 'duplicate' && problem.other.name),
      ['z', 'm-0', 'm-1', 'm-2', 'm-3'],
    );
  });

  it('does not take a memory for its own double', () => {
    const own = aRecord({ name: 'tabs', description: 'Prefers tabs', body: 'Use tabs.' });
    assert.deepEqual(check(FINE, own.file, [own]), []);
  });

  it('never throws, and marks only what is there, whatever the text', () => {
    const text = fc.oneof(
      anyText(600),
      fc.tuple(yamlText, anyText(200)).map(([head, body]) => `---\n${head}\n---\n${body}`),
      fc
        .tuple(fc.array(anyText(40), { maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
        .map(([lines, end]) =>
          ['---', 'name: a', ...lines.map((line, i) => `${KEYS[i]}: ${line}`), '---', 'b'].join(
            end,
          ),
        ),
    );
    const others = [aRecord({ name: 'a' }), aRecord({ name: 'b', body: 'b' })];
    fc.assert(
      fc.property(text, (text) => {
        for (const { start, end } of check(text, 'a.md', others))
          assert.ok(0 <= start && start <= end && end <= text.length, `${start}-${end}`);
      }),
      { numRuns: 300 },
    );
  });
});

const KEYS = ['description', 'type', 'expires', 'pinned', 'created'];

/** A memory that is fine with these lines at the end of its front matter. */
function withLines(...lines: readonly string[]): string {
  return FINE.replace('type: user\n', `type: user\n${lines.join('\n')}\n`);
}

function check(
  text: string,
  file = 'tabs.md',
  others: readonly MemoryRecord[] = [],
): readonly RecordProblem[] {
  const path = `/workspace/.memory/${file}`;
  return checkRecord({ path, text, neighbours: new Neighbours(others), now: NOW });
}

/** Each problem with the text that it marks. */
function marks(text: string, file?: string): readonly string[] {
  return check(text, file).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);
}

function kindOf(problem: RecordProblem | string): string {
  return typeof problem === 'string' ? (problem.split(':', 1)[0] ?? '') : problem.kind;
}
