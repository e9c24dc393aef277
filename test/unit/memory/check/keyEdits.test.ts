import assert from 'node:assert/strict';
import { insertedKey } from '../../../../src/memory/check/keyEdits.ts';
import { partsOf } from '../../../../src/memory/check/recordParts.ts';

describe('a key that is added to front matter', () => {
  const insert = (text: string, key: string) => {
    const { start, text: line } = insertedKey(text, partsOf(text), key, 'x');
    return text.slice(0, start) + line + text.slice(start);
  };

  it('stands behind those that come before it, with their indent and line ends', () => {
    assert.equal(
      insert('---\nname: a\ntags: b\n---\n', 'type'),
      '---\nname: a\ntype: x\ntags: b\n---\n',
    );
    assert.equal(insert('---\n  type: a\n---\n', 'name'), '---\n  name: x\n  type: a\n---\n');
    assert.equal(insert('---\r\n---\r\n', 'name'), '---\r\nname: x\r\n---\r\n');
  });

  it('stands at the end when it is none of the first, also where no line ends there', () => {
    assert.equal(
      insert('---\nname: a\ntags:\n  - b\n---\n', 'pinned'),
      '---\nname: a\ntags:\n  - b\npinned: x\n---\n',
    );
    assert.equal(insert('---\nname: a', 'pinned'), '---\nname: a\npinned: x\n');
  });
});
