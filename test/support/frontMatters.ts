// Front matters of every kind for property tests, as people and programs write them.

import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { oneLine } from '../../src/memory/fieldText.ts';
import { MAX_DESCRIPTION, MEMORY_TYPES, type RecordChanges } from '../../src/memory/record.ts';

/** Of any characters, and often of those that mean something to YAML. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: Math.floor(maxLength / 2) }),
    fc.string({ unit: 'grapheme', maxLength: Math.floor(maxLength / 20) }),
    fc.array(fc.constantFrom(...ODD_TEXT), { maxLength: 8 }).map((parts) => parts.join('')),
  );
}

const ODD_TEXT = [
  '---',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  ': ',
  ' #',
  '"',
  "'",
  '\\',
  '\0',
  '\u0085',
  '\u2028',
  'yes',
  'null',
  '~',
  '1.10',
  '- ',
  '? ',
  '{',
  '[',
  '*a',
  '&a',
  '!x',
  '%',
  '@',
  '`',
  '>',
  '|',
  '日本語',
  'שלום',
  '👩‍👩‍👧',
  '\ud800',
  '\ufeff',
  '\u202e',
  '\u200b',
  'e\u0301',
  '<<',
  '...',
];

export const type = fc.constantFrom(...MEMORY_TYPES);
export const source = fc.constantFrom('', 'person', 'import', 'a: b');
export const bodyLine = fc.constantFrom('', '  ', 'a', 'b', '  c', 'd  ', '---', '# e', '日本');
export const changes: fc.Arbitrary<RecordChanges> = fc.record(
  {
    name: anyText(40).filter((text) => oneLine(text) !== ''),
    description: anyText(MAX_DESCRIPTION).filter((text) => oneLine(text) !== ''),
    type,
    pinned: fc.boolean(),
    body: anyText(200).filter((text) => oneLine(text) !== ''),
    source: fc.constantFrom('person', 'a: b'),
  },
  { requiredKeys: [] },
);

export const yamlKey = fc.oneof(
  fc.constantFrom('tags', 'supersedes', 'expires', 'constructor', '__proto__', 'toString', '日本'),
  fc.string({ maxLength: 12 }),
);
/** Any mapping that YAML can write, in its styles. */
export const yamlText: fc.Arbitrary<string> = fc
  .record({
    own: fc.record(
      { name: anyText(40), description: anyText(60), pinned: fc.boolean(), type },
      { requiredKeys: ['type'] },
    ),
    others: fc.dictionary(yamlKey, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    style: fc.constantFrom(
      'PLAIN' as const,
      'QUOTE_SINGLE' as const,
      'QUOTE_DOUBLE' as const,
      'BLOCK_FOLDED' as const,
      'BLOCK_LITERAL' as const,
    ),
    collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    bom: fc.constantFrom('', '\uFEFF'),
    rest: fc.constantFrom('', '\nBody\n', 'Body', '\n---\nBody\n---\n'),
  })
  .map(({ own, others, style, collectionStyle, lineEnd, bom, rest }) => {
    const data = Object.fromEntries([...Object.entries(others), ...Object.entries(own)]);
    const head = Object.entries(data)
      .map(([key, value]) =>
        stringify(Object.fromEntries([[key.toWellFormed(), value]]), {
          defaultStringType: style,
          defaultKeyType: 'PLAIN',
          collectionStyle: typeof value === 'object' ? collectionStyle : 'any',
        }),
      )
      .map((text) => (text.startsWith('{') ? `${text.trim().slice(1, -1).trim()}\n` : text))
      .join('');
    return bom + `---\n${head}---\n${rest}`.replaceAll('\n', lineEnd);
  });

/** One key, comment or blank line with all its lines. */
export const blocks = fc
  .uniqueArray(
    fc.constantFrom(
      '# a comment',
      '',
      '# another',
      'x: 1 # one',
      'tags: [a, # in a list\n  b]',
      'list:\n  - a # x\n  - b',
      'map:\n    deep: {k: v}\n    # inside\n    more: 1',
      '"q k":   2',
      'lit: |\n  text\n\n  # no comment',
      'fold: >-\n  a\n  b',
      'keep: |+\n  a\n\n',
      "s: 'a\n  b'",
      'anchor: &a x',
      'tab:\tx',
      '日本: 語',
      'empty:',
      'ref: !!str 5',
      'url: http://x#y',
      'name: tabs',
      'name: &n tabs # why',
      'pinned: true',
      'updated: 2020-01-01 # then',
      'description: old',
      'description:   "old"   # c',
      "'description' : 'old'",
      'description: >\n  old\n  text',
      'description: | # head\n  old\n',
      'description:',
      'description:\n  old\n  text',
      'description: [a,\n  b] # c',
      'description:\n  - a\n  - b',
      'description: # c',
      'description: |+\n  old\n\n',
      'description: &d old',
      'description: !!str old',
    ),
    { selector: (block) => /^["']?(\w+)/.exec(block)?.[1] ?? block, maxLength: 9 },
  )
  .map((list) => [...list, 'type: user']);

const usualWord = fc.constantFrom('a', ' b', '日本', '5', '2024-01-01', 'true', 'it: is', 'c#');
const plainWord = fc.constantFrom(
  'a',
  'tabs',
  'true',
  'True',
  'null',
  'Null',
  'yes',
  '5',
  '1.10',
  '0x1f',
  '0o7',
  '1e3',
  '.5',
  '2024-01-01',
  '12:30',
  ':',
  ': ',
  ' ',
  ' #',
  '#',
  '- ',
  '-',
  '"',
  "'",
  '\\',
  ',',
  '[',
  ']',
  '{',
  '}',
  '&',
  '*',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '?',
  '=',
  '<<',
  '~',
  '日本',
  'é',
  '😀',
  '「',
  '\t',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u0085',
  '\u2028',
  '\ufeff',
  '...',
  '---',
  '٣',
  '¹',
);
/** Lines as the reader of plain front matter takes them, or nearly so. */
export const plainLine = fc
  .tuple(
    fc.constantFrom(
      'a',
      'b-c',
      'D_1',
      'true',
      'null',
      'constructor',
      'toString',
      'x1',
      '__proto__',
    ),
    fc.constantFrom(...Array<string>(6).fill(': '), ':  ', ': "', ': "', ':', ':\t'),
    fc.array(fc.oneof(usualWord, usualWord, plainWord), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '"', ' '),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map((parts) => parts.flat().join(''));
