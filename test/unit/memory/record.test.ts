import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorText } from '../../../src/base/log.ts';
import {
  hashOf,
  MAX_BODY,
  MAX_DESCRIPTION,
  parseRecord,
  printRecord,
  RecordError,
  reviseRecord,
  type MemoryRecord,
  type NewRecord,
  type RecordChanges,
} from '../../../src/memory/record.ts';
import { TABS } from '../../support/records.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const UPDATED = 'updated: 2026-03-01T12:00:00.000Z';

function parse(text: string | Uint8Array, file = '/w/.memory/some-file.md'): MemoryRecord {
  return parseRecord(file, typeof text === 'string' ? Buffer.from(text) : text, 1);
}

function revise(text: string, changes: RecordChanges): string {
  return reviseRecord(text, changes, NOW);
}

/** For assert.throws: a RecordError whose message matches. */
function recordError(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof RecordError, String(error));
    assert.match(error.message, message);
    return true;
  };
}

describe('parseRecord', () => {
  it('reads a file that has only the three keys', () => {
    const text = '---\nname: tabs\ndescription: Tabs\ntype: user\n---\n\nUse tabs.\n';
    assert.deepEqual(parseRecord('/w/.memory/a.md', Buffer.from(text), 7), {
      file: 'a.md',
      path: '/w/.memory/a.md',
      name: 'tabs',
      description: 'Tabs',
      type: 'user',
      body: 'Use tabs.',
      pinned: false,
      hash: hashOf(Buffer.from(text)),
      modified: 7,
    });
  });

  it('reads the type where newer versions of Claude Code write it, below metadata', () => {
    const { type } = parse(
      '---\nname: a\nmetadata:\n  node_type: memory\n  type: feedback\n---\nB',
    );
    assert.equal(type, 'feedback');
    assert.equal(parse('---\ntype: user\nmetadata:\n  type: feedback\n---\nB').type, 'user');
  });

  it('changes a type that stands below metadata at the top, and leaves it where it stays', () => {
    const text = '---\nname: a\nmetadata:\n  type: feedback\n---\nB\n';
    assert.equal(revise(text, { type: 'feedback' }), text);
    assert.equal(parse(revise(text, { type: 'project' })).type, 'project');
  });

  it('reads our own keys', () => {
    const { pinned, created, updated, source } = parse(
      '---\ntype: user\npinned: true\ncreated: 2024-01-01\nupdated: "2024-01-02T03:04:05+01:00"\nsource: person\n---\nB',
    );
    assert.deepEqual(
      { pinned, created, updated, source },
      {
        pinned: true,
        created: '2024-01-01T00:00:00.000Z',
        updated: '2024-01-02T02:04:05.000Z',
        source: 'person',
      },
    );
  });

  const noDates = ['1:20', '2024', 'when v 2 is out', '2024-13-01', '01/02/2024', '2024-01-01x'];
  for (const text of noDates) {
    it(`leaves out the date ${text}, which is none`, () => {
      const record = parse(`---\ntype: user\ncreated: ${text}\nexpires: ${text}\n---\nB`);
      assert.ok(!('created' in record || 'expires' in record));
    });
  }

  it('lets a memory that expires on a day hold until the day is over', () => {
    const expires = (text: string) => parse(`---\ntype: user\nexpires: ${text}\n---\nB`).expires;
    assert.equal(expires('2026-03-01'), '2026-03-01T23:59:59.999Z');
    assert.equal(expires('2026-03-01 10:00:00 +01:00'), '2026-03-01T09:00:00.000Z');
  });

  it('takes no more than a description from a first line without end', () => {
    const { description } = parse(`---\ntype: user\n---\n${'😀'.repeat(10_000)}`);
    assert.equal(description, '😀'.repeat(MAX_DESCRIPTION));
  });

  it('keeps numbers in the form they are written in', () => {
    const { name, description } = parse('---\nname: 007\ndescription: 1.10\ntype: user\n---\nB');
    assert.deepEqual([name, description], ['007', '1.10']);
    assert.equal(parse('---\nname: 1e3 # c\ntype: user\n---\nB').name, '1e3');
  });

  it('takes the file name and the first line of the body for what is missing', () => {
    const { name, description } = parse('---\ntype: user\n---\n\n## Tabs, *always*\n\nMore.');
    assert.deepEqual([name, description], ['some-file', 'Tabs, *always*']);
    assert.equal(parse('---\ntype: user\n---').description, 'some-file');
  });

  it('reads numbers and booleans as text and folds several lines to one', () => {
    const { name, description } = parse(
      '---\nname: 5\ndescription: |\n  one\n\n  two\ttwo\ntype: user\n---\nB',
    );
    assert.deepEqual([name, description], ['5', 'one two two']);
    assert.equal(parse('---\nname: true\ntype: user\n---\nB').name, 'true');
  });

  it('is not fooled by three dashes inside a value or the body', () => {
    const { description, type, body } = parse(
      '---\ndescription: has --- inside\ntype: user\nnote: |\n  ---\n---\nText --- text\n---\nmore',
    );
    assert.deepEqual(
      [description, type, body],
      ['has --- inside', 'user', 'Text --- text\n---\nmore'],
    );
  });

  it('reads a byte order mark and CRLF', () => {
    const { name, type, body } = parse(
      '\uFEFF---\r\nname: a\r\ntype: user\r\n---\r\n\r\nB\r\nC\r\n',
    );
    assert.deepEqual([name, type, body], ['a', 'user', 'B\nC']);
  });

  it('tells nothing that a person cannot see, and leaves the file as it is', () => {
    const hidden = '\u200b\u202e\u{e0041}';
    const text = `---\nname: ta${hidden}bs\ndescription: Tabs${hidden}\ntype: user\n---\nUse ${hidden}tabs.\n`;
    const record = parse(text);
    const { name, description, body, hash } = record;
    assert.deepEqual([name, description, body], ['tabs', 'Tabs', 'Use tabs.']);
    assert.equal(hash, hashOf(Buffer.from(text)));
    assert.equal(revise(text, { name, description, body }), text);
    assert.ok(revise(text, { type: 'project' }).includes(`Use ${hidden}tabs.`));
    assert.equal(parse('---\ntype: user\n---\nB', `/w/ta${hidden}bs.md`).name, 'tabs');
    assert.equal(parse('---\ntype: user\n---\nB', `/w/${hidden}.md`).name, 'memory-record');
  });

  it('never runs code from a file', () => {
    const flag = globalThis as { ranCode?: boolean };
    for (const fence of [
      '---js',
      '---javascript',
      '--- JS',
      '---coffee',
      '---json',
      '---__proto__',
    ]) {
      const text = `${fence}\n{ "type": (globalThis.ranCode = true) }\n---\nB`;
      assert.throws(() => parse(text), recordError(/only YAML is read/));
    }
    const tag = '---\ntype: user\nx: !!js/function "globalThis.ranCode = true"\n---\nB';
    assert.throws(() => parse(tag), recordError(/not valid YAML: Unresolved tag/));
    assert.equal(flag.ranCode, undefined);
  });

  const damaged: [string, string, RegExp][] = [
    ['notes without front matter', 'Just my notes.\n', /no front matter/],
    ['an empty file', '', /no front matter/],
    ['a ruler at the top', '-----\ntype: user\n---\n', /no front matter/],
    ['front matter that is not closed', '---\ntype: user\n', /not closed/],
    ['a line that starts like the end', '---\ntype: user\n---x\n---\n', /only closes it/],
    ['broken YAML', '---\ntype: user\na: [\n---\n', /not valid YAML: .* at line 4, column 1\.$/],
    ['a key that stands twice', '---\ntype: user\ntype: user\n---\n', /keys must be unique/],
    ['a list', '---\n- type\n---\n', /not made of/],
    ['a word', '---\ntype\n---\n', /not made of/],
    ['no type', '---\nname: a\n---\n', /no type; it must be one of user, feedback, project/],
    ['an unknown type', '---\ntype: opinion\n---\n', /type "opinion" is unknown/],
    ['an expansion of aliases', aliasBomb(), /Excessive alias count/],
    ['endless nesting', `---\na: ${'['.repeat(9_000)}\n---\n`, /more than 100 levels deep/],
    ['a tag that makes objects', '---\ntype: user\nx: !!set {a}\n---\n', /Unresolved tag/],
    ['endless nesting of lists', `---\na:\n  ${'- '.repeat(3_000)}\n---\n`, /levels deep/],
    ['endless front matter', `---\na: ${'x'.repeat(20_000)}\n---\n`, /more than 10000/],
  ];
  for (const [what, text, message] of damaged) {
    it(`refuses ${what}`, () => assert.throws(() => parse(text), recordError(message)));
  }

  for (const [what, line] of [
    ['a key', 'SECRET: b: c'],
    ['a value', "a: 'x' SECRET"],
    ['a tag', 'a: !SECRET b'],
    ['a tag without end', 'a: !SECRET! b'],
    ['an alias', 'a: *SECRET'],
    ['the head of a text', 'a: |SECRET\n  b'],
    ['a directive', '%SECRET a'],
  ] as const)
    it(`says what is wrong with ${what}, and where, without its text`, () => {
      let said = '';
      try {
        parse(`---\n${line}\ntype: user\n---\n`);
      } catch (error) {
        assert.ok(recordError(/^The front matter (?:is not valid YAML|cannot be read): /)(error));
        said = errorText(error);
      }
      assert.match(said, /[a-z]{4}/);
      assert.doesNotMatch(said, /SECRET|\n/);
    });

  it('says the same about broken YAML the second time', () => {
    const text = '---\ntype: user\nb: [\n---\n';
    assert.throws(() => parse(text), recordError(/not valid YAML/));
    assert.throws(() => parse(text), recordError(/not valid YAML/));
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('---\ntype: user\n---\n'), Buffer.from([0xe9])]);
    assert.throws(() => parse(bytes), recordError(/^The file is not UTF-8 text\.$/));
  });

  it('throws nothing but RecordError, whatever the front matter', () => {
    const random = seededRandom(1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    let readable = 0;
    for (let count = 0; count < 800; count++) {
      const lines = Array.from({ length: Math.floor(random() * 4) }, () => pick(ODD_LINES));
      lines.splice(Math.floor(random() * 4), 0, 'type: user');
      const text =
        pick(['', '\uFEFF']) + [pick(ODD_FENCES), ...lines, pick(ODD_FENCES), 'B'].join(pick(ENDS));
      try {
        parse(text);
        readable++;
        const revised = revise(text, { description: 'New', body: 'C' });
        assert.deepEqual([parse(revised).description, parse(revised).body], ['New', 'C']);
      } catch (error) {
        assert.ok(error instanceof RecordError, `${JSON.stringify(text)}: ${String(error)}`);
      }
    }
    assert.ok(readable > 100, `only ${readable} were readable, so the loop proves little`);
  });
});

describe('printRecord', () => {
  it('keeps that it is pinned and when it expires', () => {
    const record = {
      name: 'a',
      description: 'A',
      type: 'project',
      body: 'B',
      pinned: true,
    } as const;
    const expires = '2030-01-02T00:00:00.000Z';
    const text = printRecord({ ...record, expires }, new Date());
    const read = parseRecord('/m/a.md', Buffer.from(text), 0);
    assert.deepEqual([read.pinned, read.expires], [true, expires]);
    assert.doesNotMatch(printRecord({ ...record, pinned: false }, new Date()), /pinned|expires/);
  });

  it('writes the three keys, the date and the source', () => {
    assert.equal(
      printRecord(
        { ...TABS, source: 'extraction', body: '\n\nUse tabs.\r\n  Not spaces.\n\n' },
        NOW,
      ),
      '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n' +
        'created: 2026-03-01T12:00:00.000Z\nsource: extraction\n---\n\nUse tabs.\n  Not spaces.\n',
    );
  });

  const hard = [
    'yes',
    '2024-01-01',
    '5',
    '- a',
    'a: b # c',
    "'",
    '"',
    '\\',
    '---',
    '{}',
    '日本',
    '@x',
  ];
  for (const description of [
    ...hard,
    '!tag',
    '*alias',
    '&anchor',
    '% a',
    'x\u2028y',
    '\u0007bell',
  ]) {
    it(`writes the description ${JSON.stringify(description)} so that it reads back`, () => {
      const record = parse(printRecord({ ...TABS, description, body: '---\n---' }, NOW));
      const folded = description.replace('\u2028', ' ').replace('\u0007', '');
      assert.deepEqual([record.description, record.body], [folded, '---\n---']);
    });
  }

  it('writes half a character as the sign for one that is lost', () => {
    const half = { name: 'a\ud800', description: '\udc00b', body: 'c\ud800' };
    const { name, description, body } = parse(printRecord({ ...TABS, ...half }, NOW));
    assert.deepEqual([name, description, body], ['a\ufffd', '\ufffdb', 'c\ufffd']);
  });

  it('writes nothing that a person cannot see', () => {
    const hidden = '\u200b\u202e\u{e0041}';
    const given = { name: `ta${hidden}bs`, description: `${hidden}Tabs`, body: `Tabs.${hidden}` };
    assert.doesNotMatch(printRecord({ ...TABS, ...given }, NOW), /[\u200b\u202e\u{e0041}]/u);
    assert.throws(printing({ body: hidden }), recordError(/needs a text/));
  });

  it('quotes what older YAML readers take for something else', () => {
    assert.match(printRecord({ ...TABS, description: 'yes' }, NOW), /^description: "yes"$/m);
  });

  it('refuses what is missing or too long, and says by how much', () => {
    assert.throws(printing({ name: ' ' }), recordError(/needs a name/));
    assert.throws(printing({ description: '\n' }), recordError(/needs a description/));
    assert.throws(printing({ body: '\n \n' }), recordError(/needs a text/));
    const long = 'é'.repeat(MAX_DESCRIPTION);
    assert.ok(printing({ description: long })());
    assert.throws(
      printing({ description: `${long}x` }),
      recordError(/151 characters; at most 150/),
    );
    assert.ok(printing({ name: 'é'.repeat(1_000) })());
    assert.throws(printing({ name: 'x'.repeat(1_001) }), recordError(/at most 1000/));
    assert.ok(printing({ body: '😀'.repeat(MAX_BODY) })());
    assert.throws(
      printing({ body: 'x'.repeat(8_001) }),
      recordError(/8001 characters; at most 8000/),
    );
  });
});

describe('reviseRecord', () => {
  const WRITTEN =
    '---\n# mine\ntags:   [a,b]\nname: tabs   # why\ndescription:   "old"   # as I say\n\ntype: user\nodd: {x: 1}\n---\n\n\n  Body  \n\n\n';

  it('changes only the lines it must', () => {
    assert.equal(
      revise(WRITTEN, { description: 'New: one', type: 'project' }),
      WRITTEN.replace('"old"', '"New: one"')
        .replace('type: user', 'type: project')
        .replace('odd: {x: 1}\n', `odd: {x: 1}\n${UPDATED}\n`),
    );
  });

  it('changes the day up to which a memory holds, and nothing when it is the same', () => {
    const text = WRITTEN.replace('type: user', 'type: project\nexpires: 2027-01-01 # then');
    assert.equal(revise(text, { expires: '2027-01-01' }), text);
    const later = revise(text, { expires: '2027-01-08' });
    assert.match(later, /^expires: "2027-01-08" # then$/m);
    assert.match(revise(WRITTEN, { expires: '2027-01-08' }), /^expires: "2027-01-08"$/m);
  });

  it('gives the same text when nothing differs', () => {
    const same = {
      name: 'tabs',
      description: ' old ',
      body: 'x',
      type: 'user',
      pinned: false,
    } as const;
    assert.equal(revise(WRITTEN, { ...same, body: '\n  Body  ' }), WRITTEN);
    assert.equal(revise(WRITTEN, {}), WRITTEN);
  });

  it('says who made a change, and changes nothing to say so', () => {
    assert.match(
      revise(WRITTEN, { type: 'project', source: 'consolidation' }),
      /^source: consolidation$/m,
    );
    assert.equal(revise(WRITTEN, { type: 'user', source: 'consolidation' }), WRITTEN);
  });

  it('replaces the date of the last change', () => {
    const text = '---\ntype: user\nupdated: 2020-01-01\nx: 1\n---\nB';
    assert.equal(
      revise(text, { pinned: true }),
      `---\ntype: user\n${UPDATED}\nx: 1\npinned: true\n---\nB`,
    );
  });

  it('pins and unpins', () => {
    const pinned = revise(WRITTEN, { pinned: true });
    assert.ok(parse(pinned).pinned);
    assert.match(revise(pinned, { pinned: false }), /^pinned: false$/m);
  });

  it('keeps CRLF and the byte order mark', () => {
    const text = '\uFEFF---\r\ndescription: |-\r\n  a\r\n  b\r\ntype: user\r\n---\r\n\r\nB\r\n';
    assert.equal(
      revise(text, { description: 'c', body: 'one\ntwo' }),
      `\uFEFF---\r\ndescription: c\r\ntype: user\r\n${UPDATED}\r\n---\r\n\r\none\r\ntwo\r\n`,
    );
  });

  it('writes a body into a file that ends with its front matter', () => {
    assert.equal(
      revise('---\ntype: user\n---', { body: 'B' }),
      `---\ntype: user\n${UPDATED}\n---\n\nB\n`,
    );
  });

  const styles: [string, string, string][] = [
    ['an empty value', 'description:', 'description: New'],
    ['an empty value before a comment', 'description: # c', 'description: New # c'],
    ['a folded value', 'description: >\n  a\n  b', 'description: New'],
    ['a value on several lines', 'description: a\n  b', 'description: New'],
    ['an alias', 'x: &x d\ndescription: *x', 'x: &x d\ndescription: New'],
    ['a quoted key', '"description": a', '"description": New'],
    ['a folded value before a blank line', 'description: >\n  a\n\n# c', 'description: New\n\n# c'],
    ['a literal value with a comment', 'description: |- # c\n  a', 'description: New # c'],
    ['a value in single quotes', "description: 'it''s'   # c", 'description: New   # c'],
    ['a quoted value on two lines', 'description: "a\n  b" # c', 'description: New # c'],
    ['a list in brackets', 'description: [a,\n  b] # c', 'description: New # c'],
    ['a value with a tab', 'description:\ta\t# c', 'description:\tNew\t# c'],
    ['an anchor that nothing uses', 'description: &d a', 'description: &d New'],
    ['a tagged value', 'description: !!str a', 'description: !!str New'],
    ['a value on the next line', 'description:\n  a # c', 'description:\n  New # c'],
    [
      'a value beside other scripts',
      '日本: "語"\ndescription: שלום 👩‍👩‍👧',
      '日本: "語"\ndescription: New',
    ],
    ['no value at all', '# nothing', '# nothing\ntype: user\ndescription: New'],
  ];
  for (const [what, before, after] of styles) {
    it(`replaces ${what}`, () => {
      const wanted = after.includes('type') ? after : `${after}\ntype: user`;
      assert.equal(describeAnew(`${before}\ntype: user`), `---\n${wanted}\n${UPDATED}\n---\nB`);
    });
  }

  it('adds to lines that are all indented', () => {
    assert.equal(
      revise('---\n  type: user\n---\nB', { pinned: true }),
      `---\n  type: user\n  pinned: true\n  ${UPDATED}\n---\nB`,
    );
  });

  it('keeps other line ends where a file mixes them', () => {
    const text = '---\r\ntype: user\ndescription: |\n  a\n  b\nx: 1\n---\n\nB\r\nC\n';
    assert.equal(
      revise(text, { description: 'c' }),
      `---\r\ntype: user\ndescription: c\nx: 1\n${UPDATED}\r\n---\n\nB\r\nC\n`,
    );
  });

  it('keeps keys it does not know, numbers in their own form, and who is superseded', () => {
    const others =
      'version: 1.10\nid: 007\nbig: 12345678901234567890\nsupersedes: [a, b]\nexpires: 2027-01-01 # then\n';
    assert.equal(
      revise(`---\n${others}type: user\n---\nB`, { type: 'project' }),
      `---\n${others}type: project\n${UPDATED}\n---\nB`,
    );
  });

  const bodies: [string, string, string, string][] = [
    ['no blank line in front', 'B', 'C', 'C'],
    ['several blank lines around', '\n \n\nB\n\n\n', 'C', '\n \n\nC\n\n\n'],
    ['no line end behind', '\nB\nC', 'B\nD', '\nB\nD'],
    ['lines of its own kind', 'A  \r\nB\nC\r\nD  \n', 'A  \nX\nC\nD', 'A  \r\nX\nC\r\nD  \n'],
    ['a line of --- at the top', '---\nB\n', '---\nC', '---\nC\n'],
    ['nothing but blank lines', '\n\n\n', 'C', '\nC\n'],
    [
      'a very long line',
      `${'x'.repeat(7_000)}\nB\n`,
      `${'x'.repeat(7_000)}\nC`,
      `${'x'.repeat(7_000)}\nC\n`,
    ],
    ['a line added', 'A\r\nB', 'A\nB\nC', 'A\r\nB\nC'],
    ['a lone carriage return', 'A\rB', 'A\n\nB', 'A\n\nB'],
  ];
  for (const [what, before, body, after] of bodies) {
    it(`changes a body with ${what} and keeps the rest of it`, () => {
      const revised = revise(`---\ntype: user\n---\n${before}`, { body });
      assert.equal(revised, `---\ntype: user\n${UPDATED}\n---\n${after}`);
      assert.equal(parse(revised).body, body);
    });
  }

  it('takes a type in capitals for the same', () => {
    const text = '---\ntype: User\n---\nB';
    assert.equal(revise(text, { type: 'user' }), text);
  });

  it('refuses an edit after which the front matter is too long to be read', () => {
    const text = `---\ntype: user\nx: ${'y'.repeat(9_970)}\n---\nB`;
    assert.ok(parse(text));
    assert.throws(() => revise(text, { pinned: true }), recordError(/more than 10000/));
  });

  it('refuses a style in which the edit would mean something else', () => {
    const hand = recordError(/only a person can edit/);
    assert.throws(() => describeAnew('type: user\ndescription: [a, # why\n  b]'), hand);
    assert.throws(() => describeAnew('type: user\n...'), hand);
    assert.throws(() => describeAnew('{type: user, description: a}'), hand);
    assert.throws(() => describeAnew('type: user\ndescription: &d a\nother: *d'), hand);
  });

  it('holds to the limits for what changes, and not for what stands', () => {
    const long = `---\ndescription: ${'x'.repeat(300)}\ntype: user\n---\n${'y'.repeat(9_000)}`;
    assert.ok(revise(long, { type: 'project', description: 'x'.repeat(300) }));
    assert.throws(() => revise(long, { description: 'x'.repeat(301) }), recordError(/at most 150/));
    assert.throws(() => revise(long, { body: 'z'.repeat(8_001) }), recordError(/at most 8000/));
    assert.throws(() => revise(long, { body: ' ' }), recordError(/needs a text/));
  });
});

function printing(parts: Partial<NewRecord>) {
  return () => printRecord({ ...TABS, ...parts }, NOW);
}

function describeAnew(head: string): string {
  return revise(`---\n${head}\n---\nB`, { description: 'New' });
}

function aliasBomb(): string {
  const [x, a, b] = ['x,', '*a,', '*b,'].map((item) => item.repeat(9));
  return `---\na: &a [${x}]\nb: &b [${a}]\nc: [${b}]\ntype: user\n---\n`;
}

const ENDS = ['\n', '\n', '\n', '\r\n', '\r'];
const ODD_FENCES = [...Array.from({ length: 12 }, () => '---'), '--- ', '---js', '----', '...', ''];
const ODD_LINES = [
  'type: feedback',
  'TYPE: user',
  'type: [user]',
  'name: a',
  'name: ~',
  'name: [x]',
  'description: d',
  'description: >',
  'description: |+',
  '  text',
  'description: &a x',
  'other: *a',
  '<<: *a',
  '? key',
  ': value',
  '- item',
  'a: "unclosed',
  "b: 'c'",
  'x: !!js/function x',
  'y: !!timestamp 2024-01-01',
  '__proto__: {type: user}',
  'constructor: 1',
  '\tx: 1',
  '# comment',
  '',
  '   ',
  '{type: user}',
  '%YAML 1.1',
  'n: .nan',
  '\0',
  'type: user # c',
  'k: ---',
  '--- x',
  'e: \ud800',
  '"type": user',
  'z: |',
  'big: 12345678901234567890',
  't: [a, {b: c}]',
  'updated: 1',
];

/** mulberry32: the same numbers on every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
