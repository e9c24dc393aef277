import assert from 'node:assert/strict';
import { parseIgnoreRules, ruleFor } from '../../../src/base/ignoreRules.ts';

const NAMES = [
  '!!!.md',
  '#x.md',
  'a[b].md',
  ' lead.md',
  '星 级.md',
  '-rf.md',
  'a*?b\\.md',
  'end  ',
];

describe('the rules of a .gitignore', () => {
  it('ignore what their lines say, whatever the line ends and the mark', () => {
    const rules = parseIgnoreRules('\uFEFFfirst.md\r\n# note\r\n*.tmp\r\n!kept.tmp\r\n');
    assert.deepEqual(['first.md', 'a.tmp', 'kept.tmp', 'b.md'].map(rules).map(plain), [
      { ignored: true, unignored: false },
      { ignored: true, unignored: false },
      { ignored: false, unignored: true },
      { ignored: false, unignored: false },
    ]);
  });

  for (const name of NAMES) {
    it(`name one file exactly: ${JSON.stringify(name)}`, () => {
      const ignores = parseIgnoreRules(`${ruleFor(name)}\n`);
      const takesBack = parseIgnoreRules(`*\n!${ruleFor(name)}\n`);
      const others = [...NAMES.filter((other) => other !== name), 'ab.md', 'axyb.md', `${name}x`];
      assert.equal(ignores(name).ignored, true);
      assert.equal(takesBack(name).unignored, true);
      assert.deepEqual(
        others.filter((other) => ignores(other).ignored || takesBack(other).unignored),
        [],
      );
      assert.equal(ignores(`below/${name}`).ignored, false);
    });
  }

  it('cannot name a file with a line break or a path', () => {
    for (const name of ['a\nb.md', 'a\rb.md', 'a\0b.md', 'a/b.md', '', '.', '..'])
      assert.throws(() => ruleFor(name), /cannot name .* Give the file another name/);
  });
});

function plain({ ignored, unignored }: { ignored: boolean; unignored: boolean }) {
  return { ignored, unignored };
}
