// What must hold for every memory, tried on 2,000 generated front matters and more. The seed is fixed, so that a
// run tells the same each time.

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { parse as parseYaml } from 'yaml';
import { oneLine, tidyBody } from '../../../src/memory/fieldText.ts';
import { readMarkdown } from '../../../src/memory/frontMatter.ts';
import { withoutHidden } from '../../../src/memory/hiddenText.ts';
import { readPlainFrontMatter } from '../../../src/memory/plainFrontMatter.ts';
import {
  MAX_DESCRIPTION,
  parseRecord,
  printRecord,
  RecordError,
  reviseRecord,
  type MemoryRecord,
  type RecordChanges,
} from '../../../src/memory/record.ts';
import {
  anyText,
  blocks,
  bodyLine,
  changes,
  plainLine,
  source,
  type,
  yamlText,
} from '../../support/frontMatters.ts';
import { hostileText } from '../../support/hostileFrontMatters.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2027-01-01T00:00:00.000Z');
const SEED = 20_260_301;

describe('every front matter', function () {
  this.timeout(60_000);

  it('is read or refused, without running code or changing what objects inherit', () => {
    const inherited = inheritedKeys();
    let readable = 0;
    check(1_000, [hostileText, changes], (text, changed) => {
      const isReadable = parsed(text) !== undefined;
      assert.deepEqual(inheritedKeys(), inherited);
      assert.ok(!('ranCode' in globalThis), 'code from the file was run');
      if (!isReadable) return;
      readable++;
      const revised = unlessRefused(() => reviseRecord(text, changed, NOW));
      if (revised !== undefined)
        assert.deepEqual(fieldsOf(parse(revised)), expected(text, changed, revised));
    });
    assert.ok(readable > 200, `only ${readable} were readable, so the loop proves little`);
  });

  it('keeps what is not changed, key by key, and takes a change once', () => {
    let revisions = 0;
    check(400, [yamlText, changes], (text, changed) => {
      if (!parsed(text)) return;
      const revised = unlessRefused(() => reviseRecord(text, changed, NOW));
      if (revised === undefined) return;
      revisions++;
      assert.deepEqual(fieldsOf(parse(revised)), expected(text, changed, revised));
      assert.deepEqual(foreignData(revised), foreignData(text));
      assert.equal(reviseRecord(revised, changed, LATER), revised);
    });
    assert.ok(revisions > 350, `only ${revisions} could be revised`);
  });

  it('loses no line but those of the changed keys', () => {
    let revisions = 0;
    check(400, [blocks, fc.constantFrom('\n', '\r\n')], (head, lineEnd) => {
      const text = `---\n${head.join('\n')}\n---\n\nB`.replaceAll('\n', lineEnd);
      if (!parsed(text)) return;
      const revised = unlessRefused(() => reviseRecord(text, { description: 'New: it' }, NOW));
      if (revised === undefined) return;
      revisions++;
      const left = head.filter((block) => !isOf('description', block) && !isOf('updated', block));
      let at = 0;
      for (const line of left.flatMap((block) => block.split('\n'))) {
        const found = revised.indexOf(line + lineEnd, at);
        assert.ok(found >= 0, `${JSON.stringify(line)} is gone from ${JSON.stringify(revised)}`);
        at = found + line.length;
      }
      const added = revised.split(lineEnd).length - text.split(lineEnd).length;
      assert.ok(added <= 2, `${added} lines more`);
      assert.equal(revised.split(lineEnd).length, revised.split('\n').length);
    });
    assert.ok(revisions > 200, `only ${revisions} could be revised`);
  });
});

describe('every memory', () => {
  it('reads back as it was printed', () => {
    check(
      200,
      [anyText(1_000), anyText(MAX_DESCRIPTION), type, anyText(400), source],
      (...given) => {
        const [name, description, type, body, source] = given;
        const text = unlessRefused(() =>
          printRecord({ name, description, type, body, source }, NOW),
        );
        if (text === undefined) return assert.ok([name, description, body].some(isBlank));
        const record = parse(text);
        assert.deepEqual(fieldsOf(record), {
          name: seenLine(name),
          description: seenLine(description),
          type,
          body: seenBody(body),
          pinned: false,
          ...(oneLine(source) && { source: oneLine(source) }),
        });
        assert.equal(record.created, NOW.toISOString());
        assert.equal(reviseRecord(text, { name, description, type, body, source }, LATER), text);
      },
    );
  });

  it('keeps the lines of a body that a change does not touch, with their ends', () => {
    const rest = fc.array(fc.tuple(bodyLine, fc.constantFrom('\n', '\n', '\r\n')), {
      maxLength: 8,
    });
    check(400, [rest, fc.array(bodyLine, { maxLength: 8 })], (lines, wanted) => {
      const text = `---\ntype: user\n---\n${lines.flat().join('')}`;
      const body = wanted.join('\n');
      if (isBlank(body)) return;
      const revised = reviseRecord(text, { body }, NOW);
      assert.equal(parse(revised).body, tidyBody(body));
      // Only an end is put on: all lines in front stay.
      const more = `${tidyBody(lines.flat().join(''))}\nmore`;
      const longer = reviseRecord(text, { body: more }, NOW);
      const kept = lines.flat().join('').trimEnd();
      assert.ok(longer.includes(kept), JSON.stringify([text, longer]));
    });
  });
});

describe('the reader of plain front matter', () => {
  it('gives what YAML gives, for all it accepts', () => {
    let accepted = 0;
    check(3_000, [fc.array(plainLine, { minLength: 1, maxLength: 2 })], (lines) => {
      const head = lines.join('');
      const plain = readPlainFrontMatter(head);
      if (plain === undefined) return;
      accepted++;
      // It leaves comments to the parser.
      assert.deepEqual(plain, readMarkdown(`---\n${head}# by YAML\n---\n`).data);
    });
    assert.ok(accepted > 500, `only ${accepted} were accepted, so the loop proves little`);
  });

  it('accepts what is printed for a usual memory', () => {
    const text = printRecord(
      { name: 'tabs', description: 'Tabs: not spaces, 日本', type: 'user', body: 'B' },
      NOW,
    );
    assert.ok(readPlainFrontMatter(text.slice(4, text.indexOf('---', 4))));
  });
});

/** `fc.check` with a fixed seed; fails with the smallest example. */
function check<T extends [unknown, ...unknown[]]>(
  runs: number,
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  predicate: (...values: T) => void,
): void {
  fc.assert(fc.property(...arbitraries, predicate), { numRuns: runs, seed: SEED });
}

function parse(text: string): MemoryRecord {
  return parseRecord('/w/.memory/some-file.md', Buffer.from(text), 1);
}

function parsed(text: string): MemoryRecord | undefined {
  return unlessRefused(() => parse(text));
}

/** Undefined for a RecordError. Any other error is one. */
function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof RecordError, String(error));
    return undefined;
  }
}

function fieldsOf({ name, description, type, body, pinned, source }: MemoryRecord) {
  return { name, description, type, body, pinned, ...(source && { source }) };
}

/** What a change of the text gives. Where no description stands, it follows from the body or the name. */
function expected(text: string, changed: RecordChanges, revised: string) {
  const before = parse(text);
  const body = seenBody(changed.body ?? before.body);
  const name = seenLine(changed.name ?? '') || before.name;
  const description =
    seenLine(changed.description ?? '') ||
    seenLine(readMarkdown(text).data['description']) ||
    parse(`---\ntype: user\nname: ${JSON.stringify(name)}\n---\n\n${body}`).description;
  // Who made a change is set only when there is one.
  const source = revised === text ? before.source : (changed.source ?? before.source);
  const { type = before.type, pinned = before.pinned } = changed;
  return { name, description, type, body, pinned, ...(source && { source }) };
}

/** What other programs and people keep in the front matter. */
function foreignData(text: string): unknown {
  const [, head = ''] = /^[^\n]*\n([^]*?\n)---/.exec(text) ?? [];
  const data: Record<string, unknown> = parseYaml(head, { maxAliasCount: -1 });
  return Object.entries(data).filter(([key]) => !OWN_KEYS.includes(key));
}

function inheritedKeys(): readonly string[] {
  return [Object.prototype, Array.prototype, Function.prototype].flatMap((prototype) =>
    Reflect.ownKeys(prototype).map(String),
  );
}

function isBlank(text: string): boolean {
  return seenLine(text) === '';
}

function seenLine(value: unknown): string {
  return oneLine(withoutHidden(oneLine(value)));
}

function seenBody(text: string): string {
  return tidyBody(withoutHidden(text));
}

function isOf(key: string, block: string): boolean {
  return new RegExp(`^["']?${key}["']?\\s*:`).test(block);
}

const OWN_KEYS = ['name', 'description', 'type', 'pinned', 'updated', 'source'];
