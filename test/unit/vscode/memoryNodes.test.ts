import assert from 'node:assert/strict';
import type { MemoryRecord, MemoryType } from '../../../src/memory/record.ts';
import { fileOfArgument, groupNodes, groupOf, nodeId } from '../../../src/vscode/memoryNodes.ts';

describe('groupNodes', () => {
  it('has no row when there is nothing', () => {
    assert.deepEqual(groupNodes({ records: [], damaged: [] }), []);
  });

  it('has all four types as soon as there is one record', () => {
    const groups = groupNodes({ records: [record('a', 'project')], damaged: [] });
    assert.deepEqual(
      groups.map(({ group, children }) => [group, children.length]),
      [
        ['user', 0],
        ['feedback', 0],
        ['project', 1],
        ['reference', 0],
      ],
    );
  });

  it('puts damaged files behind, and only when there are any', () => {
    const damaged = [{ file: 'bad.md', path: '/m/bad.md', problem: 'No name.' }];
    assert.deepEqual(
      groupNodes({ records: [record('a', 'user')], damaged }).map(({ group }) => group),
      ['user', 'feedback', 'project', 'reference', 'damaged'],
    );
    assert.deepEqual(
      groupNodes({ records: [], damaged }).map(({ group }) => group),
      ['damaged'],
    );
  });

  it('keeps the order of the listing, and every row knows its group', () => {
    const groups = groupNodes({ records: [record('b', 'user'), record('a', 'user')], damaged: [] });
    const children = groups.flatMap((group) => group.children);
    assert.deepEqual(children.map(nodeId), ['file/b.md', 'file/a.md']);
    assert.deepEqual(children.map(groupOf), ['user', 'user']);
  });

  it('gives a group another id once it has a record, so that VS Code opens it', () => {
    const [first, second] = [groupIds('user'), groupIds('user', 'feedback')];
    assert.equal(first[0], second[0]);
    assert.notEqual(first[1], second[1]);
  });
});

describe('fileOfArgument', () => {
  const node = { kind: 'record', record: record('a', 'user') };

  it('finds the file of a row and of a path', () => {
    assert.equal(fileOfArgument(node), 'a.md');
    assert.equal(fileOfArgument({ kind: 'damaged', damaged: { file: 'bad.md' } }), 'bad.md');
    assert.equal(fileOfArgument('/m/a.md'), 'a.md');
  });

  for (const value of [undefined, null, 7, {}, { record: null }, { record: { file: 7 } }]) {
    it(`finds none in ${JSON.stringify(value)}`, () => {
      assert.equal(fileOfArgument(value), undefined);
    });
  }

  it('finds none in a group', () => {
    assert.equal(fileOfArgument(groupNodes({ records: [node.record], damaged: [] })[0]), undefined);
  });
});

function record(name: string, type: MemoryType): MemoryRecord {
  return {
    name,
    type,
    description: `About ${name}.`,
    body: `All about ${name}.`,
    file: `${name}.md`,
    path: `/m/${name}.md`,
    hash: '',
    pinned: false,
    modified: 0,
  };
}

function groupIds(...types: MemoryType[]): string[] {
  const records = types.map((type) => record(type, type));
  return groupNodes({ records, damaged: [] }).map(nodeId);
}
