import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Neighbours } from '../../../../src/memory/check/neighbours.ts';
import { checkRecord } from '../../../../src/memory/check/recordCheck.ts';
import { fixesFor, fixesForAll, type RecordFix } from '../../../../src/memory/check/recordFixes.ts';
import { readMarkdown } from '../../../../src/memory/frontMatter.ts';
import { anyText } from '../../../support/frontMatters.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const FINE = '---\nname: tabs\ndescription: Prefers tabs\ntype: user\n---\n\nUse tabs.\n';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('what mends the text of a memory', () => {
  it('adds the type in its place, one fix for each', () => {
    const text = FINE.replace('type: user\n', 'tags: [a] # mine\n').replaceAll('\n', '\r\n');
    const fixes = fixesOf(text);
    assert.deepEqual(
      fixes.map((fix) => fix.kind === 'setType' && fix.type),
      ['user', 'feedback', 'project', 'reference'],
    );
    assert.equal(applied(text, fixes[2]), text.replace('tags', 'type: project\r\ntags'));
  });

  it('picks the type that is meant first, and keeps the comment behind', () => {
    const text = FINE.replace('type: user', 'type:   projekt # a fact');
    assert.equal(mended(text), FINE.replace('type: user', 'type:   project # a fact'));
    assert.equal(mended(FINE.replace(' user', '')), FINE);
  });

  it('takes the name from the file and the description from the text', () => {
    assert.equal(mended(FINE.replace('name: tabs\n', '')), FINE);
    const headed = FINE.replace('Use', '# Use: 表');
    assert.equal(
      mended(headed.replace('description: Prefers tabs\n', '')),
      headed.replace('Prefers tabs', '"Use: 表 tabs."'),
    );
  });

  it('renames a misspelt key and removes one that means nothing, with all its lines', () => {
    assert.equal(mended(withLine('pined: true')), withLine('pinned: true'));
    assert.equal(mended(withLine('colours:\n  - red\n\n  - blue')), FINE);
    assert.equal(mended(withLine('name: spaces')), FINE);
  });

  it('writes dates and yes and no as they are read', () => {
    assert.equal(
      mended(withLine('expires: 2026/9/1').replace('user', 'project')),
      withLine('expires: 2026-09-01').replace('user', 'project'),
    );
    assert.equal(mended(withLine('expires: soon')), FINE);
    assert.equal(mended(withLine('pinned: "yes" # so')), withLine('pinned: true # so'));
    assert.equal(mended(withLine('pinned:')), withLine('pinned: true'));
  });

  it('moves what is too much of a description into the body, at the end of a sentence', () => {
    const first = 'All services are deployed from the main branch by the release team.';
    const rest = 'They do it every Thursday afternoon. '.repeat(4).trim();
    const second = 'They do it every Thursday afternoon. They do it every Thursday afternoon.';
    const text = FINE.replace('Prefers tabs', `${first} ${rest}`);
    assert.equal(
      mended(text),
      FINE.replace('Prefers tabs', `${first} ${second}`).replace('Use', `${second}\n\nUse`),
    );
  });

  it('cuts a description that is one sentence at a word, and says nothing twice', () => {
    const long = 'word '.repeat(40).trim();
    const fixed = mended(FINE.replace('Prefers tabs', long));
    const { data, rest } = readMarkdown(fixed);
    assert.equal(data['description'], `${'word '.repeat(29).trim()}…`);
    assert.equal(rest, `\n…${'word '.repeat(11).trim()}\n\nUse tabs.\n`);
    const said = FINE.replace('Prefers tabs', long).replace('Use tabs.', `${long}.`);
    assert.ok(mended(said).endsWith(`---\n\n${long}.\n`));
  });

  it('puts the kind of a secret in its place, so that the front matter can still be read', () => {
    const [redacted] = ['[redacted: a GitHub token]'];
    const text = FINE.replace('Prefers tabs', `Key ${TOKEN}`).replace('Use', `Use ${TOKEN}`);
    const fixed = mended(mended(text));
    assert.equal(readMarkdown(fixed).data['description'], `Key ${redacted}`);
    assert.ok(fixed.endsWith(`\nUse ${redacted} tabs.\n`));
    assert.ok(!fixed.includes(TOKEN));
    assert.equal(mended(withLine(`source: "${TOKEN}"`)), withLine(`source: "${redacted}"`));
  });

  it('removes all secrets and all hidden characters of a memory at once', () => {
    const text = FINE.replace('Prefers', `Pre\u200bfers ${TOKEN} and`).replace(
      'Use',
      `U\u200bse ${TOKEN}`,
    );
    const of = (kind: string) => check(text).filter((problem) => problem.kind === kind);
    const [secrets] = fixesForAll(text, of('secret'));
    assert.equal(secrets?.kind, 'redactAll');
    assert.ok(!applied(text, secrets).includes(TOKEN));
    assert.equal(check(applied(text, secrets)).length, 2);
    const [hidden] = fixesForAll(text, of('hidden'));
    assert.equal(applied(text, hidden), text.replaceAll('\u200b', ''));
  });

  it('gives a memory the name of its file', () => {
    assert.equal(mended(FINE.replace('name: tabs', 'name: spaces')), FINE);
  });

  it('takes out what nobody sees, and closes the front matter', () => {
    assert.equal(mended(FINE.replace('Use', 'U\u200bse')), FINE);
    assert.equal(mended(FINE.replace('---\n\n', '\n')), FINE);
    assert.equal(mended('---\nname: tabs'), '---\nname: tabs\n---\n');
  });

  it('misses no type where another agent wrote it below metadata', () => {
    assert.deepEqual(
      check(FINE.replace('type: user', 'metadata:\n  node_type: memory\n  type: feedback')),
      [],
    );
  });

  it('picks the type that another agent wrote in the name of the file', () => {
    const none = FINE.replace('type: user\n', '');
    const preferred = (file: string, text: string) => {
      const problem = check(text).find(({ kind }) => kind === 'missing');
      const fix = problem && fixesFor(file, text, problem).find(({ preferred }) => preferred);
      return fix?.kind === 'setType' ? fix.type : undefined;
    };
    assert.equal(preferred('feedback_tabs.md', none), 'feedback');
    assert.equal(preferred('tabs.md', none), undefined);
  });

  it('moves front matter to the top that has only blank lines above it', () => {
    assert.equal(mended(`\n \n${FINE}`), FINE);
    assert.deepEqual(fixesOf('\n---\n\nUse tabs.\n'), []);
  });

  it('closes the front matter where it ends by the look of it', () => {
    const keys = '---\nname: tabs\n\ndescription: Prefers tabs\ntype: user\n';
    for (const body of ['\nUse tabs.\n', 'Use tabs.\n\nAlways.\n'])
      assert.equal(mended(keys + body), `${keys}---\n${body}`);
  });

  it('makes one line of a list, and leaves alone what cannot be one', () => {
    const text = FINE.replace('Prefers tabs', '[Prefers tabs, not spaces]');
    assert.equal(mended(text), FINE.replace('Prefers tabs', 'Prefers tabs, not spaces'));
    assert.deepEqual(fixesOf(FINE.replace('Prefers tabs', '{a: Prefers tabs}')), []);
  });

  it('keeps a comment between a key and its value', () => {
    const text = FINE.replace('type: user', 'type: # which one\n  usr');
    assert.equal(mended(text), text.replace('usr', 'user'));
  });

  it('offers nothing that ends the front matter, changes another key, or takes a comment along', () => {
    const long = 'word '.repeat(40).trim();
    for (const text of [
      FINE.replace('type: user', 'x: &a user\ntype: *a'),
      FINE.replace('name: tabs', 'name: &n [tabs]\nalias: *n'),
      FINE.replace('Prefers tabs', `&d ${long}\nalias: *d`),
      FINE.replace('Prefers tabs', `> # why\n  ${long}`),
      FINE.replace('type: user', '? type\n: nothing'),
      '---\n{name: tabs, description: Prefers tabs}\n---\n\nUse tabs.\n',
    ])
      assert.deepEqual(fixesOf(text), [], text);
  });

  it('takes a secret out of lists and mappings without making others of them', () => {
    for (const line of [
      `tags: [${TOKEN}, b]`,
      `tags:\n  - ${TOKEN}`,
      `tags:\n  - a ${TOKEN} b\n  - c`,
      `metadata:\n  key: a ${TOKEN} b`,
      `metadata: {key: ${TOKEN}}`,
    ]) {
      const fixed = mended(withLine(line));
      assert.equal(fixed, withLine(line.replace(TOKEN, '(redacted)')));
      const shown = JSON.stringify(readMarkdown(withLine(line)).data).replace(TOKEN, '(redacted)');
      assert.equal(JSON.stringify(readMarkdown(fixed).data), shown);
    }
  });

  it('removes thousands of hidden characters at once in a moment', function () {
    this.timeout(4000);
    const text = FINE.replace('Use', 'U\u200b'.repeat(40_000));
    const [fix] = fixesForAll(text, check(text));
    assert.equal(fix?.edits.length, 40_000);
  });

  it('makes every problem that it has a fix for go away, and no file unreadable', () => {
    const line = fc.oneof(
      fc.constantFrom(`a: ${TOKEN}`, 'pined: 1', 'pinned: yes', 'expires: 2026.1.1', 'typ: x'),
      fc
        .tuple(fc.constantFrom('description', 'created', 'x'), anyText(300))
        .map(([key, text]) => `${key}: ${JSON.stringify(text.toWellFormed())}`),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const text = `---\nname: tabs\n${lines.join('\n')}\n---\nU\u200bse.\n`;
        if (!isReadable(text)) return;
        for (const problem of check(text)) {
          for (const fix of fixesFor('tabs.md', text, problem)) {
            const fixed = applied(text, fix);
            assert.ok(isReadable(fixed), fixed);
            const left = check(fixed).filter(({ kind }) => kind === problem.kind).length;
            const before = check(text).filter(({ kind }) => kind === problem.kind).length;
            assert.ok(left < before, `${fix.kind}: ${fixed}`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

function withLine(line: string): string {
  return FINE.replace('type: user\n', `type: user\n${line}\n`);
}

function check(text: string) {
  const neighbours = new Neighbours([]);
  return checkRecord({ path: '/w/.memory/tabs.md', text, neighbours, now: NOW });
}

function fixesOf(text: string): readonly RecordFix[] {
  const [problem] = check(text);
  return problem ? fixesFor('tabs.md', text, problem) : [];
}

/** The text after the first fix of its first problem. */
function mended(text: string): string {
  return applied(text, fixesOf(text)[0]);
}

function applied(text: string, fix: RecordFix | undefined): string {
  assert.ok(fix, `nothing mends ${text}`);
  return fix.edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end),
      text,
    );
}

function isReadable(text: string): boolean {
  try {
    return readMarkdown(text).data['name'] === 'tabs';
  } catch {
    return false;
  }
}
