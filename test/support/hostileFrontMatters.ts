// Front matters for property tests as nobody should write them: broken, endless, or made to run code.

import * as fc from 'fast-check';
import { yamlKey } from './frontMatters.ts';

const hostileLine = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'type: feedback',
      'TYPE: user',
      'type: [user]',
      'name: a',
      'name: ~',
      'description: >',
      'description: |+',
      '  text',
      'description: &a x',
      'other: *a',
      '<<: *a',
      '<<: [*a, *a]',
      'a: &a [*a]',
      '? key',
      ': value',
      '? [k]',
      '- item',
      'a: "unclosed',
      "b: 'c'",
      '\tx: 1',
      'x: !!js/function "globalThis.ranCode = true"',
      'x: !!js/undefined ""',
      'y: !!binary AA==',
      'x: !!python/object/apply:os.system ["exit"]',
      'y: !!timestamp 2024-01-01',
      'y: !!set {a}',
      'x: !<tag:yaml.org,2002:js/function> "globalThis.ranCode = true"',
      'y: !!int "5"',
      'z: !x 1',
      '__proto__: {type: user, ranCode: 1}',
      'constructor: {prototype: {ranCode: 1}}',
      '# comment',
      '"__proto__": [1]',
      'toString: 1',
      'hasOwnProperty: 1',
      '',
      '   ',
      '{type: user}',
      '%YAML 1.1',
      '%TAG ! tag:x,2000:',
      'n: .nan',
      '\0',
      '\u0007: 1',
      'type: user # c',
      'k: ---',
      '--- x',
      '...',
      'e: \ud800',
      '"type": user',
      'z: |',
      'big: 12345678901234567890',
      'updated: 1',
      'c: \u009b31m',
      't: [a, {b: c}]',
      'pinned: yes',
      'pinned: "true"',
      'pinned: !!bool "true"',
      '\ufeffx: 1',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  fc.tuple(yamlKey, fc.string({ maxLength: 20 })).map((pair) => pair.join(': ')),
  fc
    .tuple(
      fc.constantFrom('[', '{', '{a: ', '- ', '? ', ' ', '!', '&a ', '"', "'", '\t'),
      fc.boolean(),
    )
    .map(([open, isClosed]) => `x: ${open.repeat(1_000)}${isClosed ? (CLOSING[open] ?? '') : ''}`),
  fc.constantFrom('y', '\u0301', '# ').map((part) => `l: ${part.repeat(1_000_000 / part.length)}`),
  fc.constant(
    ['x,', '*a,', '*b,']
      .map((item, at) => `${'abc'[at]}: &${'abc'[at]} [${item.repeat(9)}]`)
      .join('\n'),
  ),
);

const CLOSING: Record<string, string> = { '[': ']'.repeat(1_000), '{a: ': '}'.repeat(1_000) };

/** A whole file. */
export const hostileText = fc
  .record({
    fence: fc.oneof(
      { weight: 9, arbitrary: fc.constant('---') },
      fc.constantFrom(
        '---js',
        '--- javascript',
        '---toml',
        '---json',
        '--- yaml',
        '----',
        '--- ',
        '',
      ),
    ),
    lines: fc.array(hostileLine, { maxLength: 3 }),
    at: fc.nat(3),
    close: fc.constantFrom(...Array(6).fill('---'), '--- ', '----', '...', ''),
    lineEnd: fc.constantFrom(...Array(4).fill('\n'), '\r\n', '\r\n', '\r'),
    body: fc.constantFrom('B', '', '{ "type": (globalThis.ranCode = true) }'),
  })
  .map(({ fence, lines, at, close, lineEnd, body }) => {
    const head = lines.toSpliced(at, 0, 'type: user');
    const code = /js|java/.test(fence) ? ['globalThis.ranCode = true'] : head;
    return [fence, ...code, close, body].join(lineEnd);
  });
