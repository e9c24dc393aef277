import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import type { Scope } from '../../../../src/memory/scopes.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import {
  childrenOf,
  looksOf,
  nodeId,
  parentsById,
} from '../../../../src/vscode/sidebar/memoryNodes.ts';
import { recalledIn, topNodes } from '../../../../src/vscode/sidebar/memoryNodes.ts';
import { pathOfArgument } from '../../../../src/vscode/picks/pathOfArgument.ts';
import type {
  MemoryNode,
  RowView,
  ScopeListing,
} from '../../../../src/vscode/sidebar/memoryNodes.ts';
import { aRecord } from '../../../support/records.ts';

const WORK = scope('workspace', 'app');
const SITE = scope('workspace', 'site');
const PERSONAL = scope('personal', '');
const BAD = { file: 'bad.md', path: '/app/bad.md', problem: 'No name.' };

describe('topNodes', () => {
  it('has no row when there is nothing, in however many scopes', () => {
    assert.deepEqual(rowsOf([]), []);
    assert.deepEqual(rowsOf([listing(WORK), listing(SITE), listing(PERSONAL)]), []);
  });

  it('shows the groups of a single folder without a row for the folder', () => {
    assert.deepEqual(outline(rowsOf([listing(WORK, 'a'), listing(PERSONAL)])), [
      'user',
      '  a',
      'feedback',
      'project',
      'reference',
    ]);
  });

  it('puts personal memories in a row of their own below the groups of a single folder', () => {
    assert.deepEqual(outline(rowsOf([listing(WORK, 'a'), listing(PERSONAL, 'b', 'c')])), [
      'user',
      '  a',
      'feedback',
      'project',
      'reference',
      'personal 2',
      '  user',
      '    b',
      '    c',
      '  feedback',
      '  project',
      '  reference',
    ]);
  });

  it('shows personal memories alone, without a folder and with an empty one', () => {
    const alone = ['personal 1', '  user', '    a', '  feedback', '  project', '  reference'];
    assert.deepEqual(outline(rowsOf([listing(PERSONAL, 'a')])), alone);
    assert.deepEqual(outline(rowsOf([listing(WORK), listing(PERSONAL, 'a')])), alone);
  });

  it('has a row for each of several folders, empty ones too, and none for no personal memories', () => {
    assert.deepEqual(outline(rowsOf([listing(WORK, 'a'), listing(SITE), listing(PERSONAL)])), [
      'app 1',
      '  user',
      '    a',
      '  feedback',
      '  project',
      '  reference',
      'site 0',
    ]);
  });

  it('puts damaged files behind, in the scope they belong to, and counts them for no memories', () => {
    const damaged = { ...listing(SITE), list: { records: [], damaged: [BAD] } };
    assert.deepEqual(outline(rowsOf([listing(WORK), damaged, listing(PERSONAL)])), [
      'app 0',
      'site 0',
      '  damaged',
      '    bad.md',
    ]);
  });

  it('leaves out of a search what has no hit', () => {
    const isHit = ({ path }: { readonly path: string }) => path !== '/app/b.md';
    const damaged = { ...listing(SITE), list: { records: [], damaged: [BAD] } };
    const found = rowsOf([listing(WORK, 'b'), damaged, listing(PERSONAL, 'a')], { isHit });
    assert.deepEqual(outline(found), [
      'site 0',
      '  damaged',
      '    bad.md',
      'personal 1',
      '  user',
      '    a',
    ]);
    assert.deepEqual(outline(rowsOf([listing(WORK, 'b'), listing(PERSONAL)], { isHit })), []);
    assert.deepEqual(outline(rowsOf([listing(WORK, 'a', 'b'), listing(PERSONAL)], { isHit })), [
      'user',
      '  a',
    ]);
  });

  it('knows what was recalled for the last request, and how much of a group', () => {
    const recalled = new Set(['/app/a.md', '/app/c.md']);
    const nodes = rowsOf([listing(WORK, 'a', 'b', 'c'), listing(PERSONAL)], { recalled });
    assert.deepEqual(
      nodes.map((node) => node.kind === 'group' && recalledIn(node)),
      [2, 0, 0, 0],
    );
  });

  it('knows which records are shared, by their scope', () => {
    const shared = { ...listing(WORK, 'a', 'b'), shared: new Set(['a.md']) };
    const nodes = everyNode(rowsOf([shared, listing(PERSONAL, 'a')]));
    assert.deepEqual(
      nodes.flatMap((node) => (node.kind === 'record' ? [[node.record.path, node.shared]] : [])),
      [
        ['/app/a.md', true],
        ['/app/b.md', false],
        ['/personal/a.md', false],
      ],
    );
  });
});

describe('rows of the tree', () => {
  const listings = [listing(WORK, 'a'), listing(SITE, 'a'), listing(PERSONAL, 'a')];

  it('have ids of their own, also where scopes hold files of one name, and keep them', () => {
    const ids = everyNode(rowsOf(listings)).map(nodeId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(everyNode(rowsOf(listings)).map(nodeId), ids);
  });

  it('keep the ids of a folder’s groups when personal memories come', () => {
    const before = rowsOf([listing(WORK, 'a'), listing(PERSONAL)]).map(nodeId);
    const after = rowsOf([listing(WORK, 'a'), listing(PERSONAL, 'b')]).map(nodeId);
    assert.deepEqual(after.slice(0, before.length), before);
  });

  it('get another id once they have a child, so that VS Code opens them', () => {
    const [empty] = rowsOf([listing(WORK), listing(SITE, 'a')]).map(nodeId);
    const [filled] = rowsOf([listing(WORK, 'a'), listing(SITE, 'a')]).map(nodeId);
    assert.notEqual(empty, filled);
  });

  it('get another id in a search, so that VS Code opens them, unlike their memories', () => {
    const isHit = () => true;
    const all = [listing(WORK, 'a'), listing(SITE, 'b')];
    const ids = new Set(everyNode(rowsOf(all)).map(nodeId));
    const same = everyNode(rowsOf(all, { isHit })).filter((node) => ids.has(nodeId(node)));
    assert.deepEqual(
      same.map((node) => node.kind),
      ['record', 'record'],
    );
  });

  it('look the same until something changes that shows', () => {
    const work = listing(WORK, 'a');
    const bad = (problem: string) => ({
      ...work,
      list: { ...work.list, damaged: [{ ...BAD, problem }] },
    });
    const looks = (listing: ScopeListing) => looksOf(rowsOf([listing, listings[1] ?? listing]));
    assert.equal(looks(work), looks(listing(WORK, 'a')));
    const others = [
      { ...work, shared: new Set(['a.md']) },
      { ...work, scope: { ...WORK, name: 'other' } },
      {
        ...work,
        list: { records: [aRecord({ name: 'a', path: '/app/a.md', body: 'New' })], damaged: [] },
      },
      listing(WORK, 'a', 'b'),
      listing(WORK),
      bad('No name.'),
      bad('No type.'),
    ];
    assert.equal(new Set([work, ...others].map(looks)).size, others.length + 1);
    const views = [{}, { recalled: new Set(['/app/a.md']) }, { ageOf: () => '4d' }];
    assert.equal(new Set(views.map((view) => looksOf(rowsOf([work], view)))).size, views.length);
  });

  it('know their parents at every level', () => {
    const top = rowsOf(listings);
    const parents = parentsById(top);
    for (const node of everyNode(top)) {
      for (const child of childrenOf(node)) assert.equal(parents.get(nodeId(child)), node);
    }
    assert.deepEqual(
      top.map((node) => parents.get(nodeId(node))),
      [undefined, undefined, undefined],
    );
  });
});

describe('pathOfArgument', () => {
  const [group] = rowsOf([listing(WORK, 'a')]);

  it('finds the path of a row, and takes one as it is', () => {
    const node = group && childrenOf(group)[0];
    assert.equal(pathOfArgument(node), '/app/a.md');
    assert.equal(pathOfArgument({ kind: 'damaged', damaged: BAD }), '/app/bad.md');
    assert.equal(pathOfArgument('/app/a.md'), '/app/a.md');
  });

  for (const value of [undefined, null, 7, {}, { record: null }, { record: { path: 7 } }]) {
    it(`finds none in ${JSON.stringify(value)}`, () => {
      assert.equal(pathOfArgument(value), undefined);
    });
  }

  it('finds none in a group', () => {
    assert.equal(pathOfArgument(group), undefined);
  });
});

function scope(kind: Scope['kind'], name: string): Scope {
  const folder = `/${name || kind}`;
  return { kind, name, store: new MemoryStore({ folder, log: silentLog }) };
}

function listing(scope: Scope, ...names: readonly string[]): ScopeListing {
  const records = names.map((name): MemoryRecord => {
    return aRecord({ name, path: `${scope.store.folder}/${name}.md` });
  });
  return { scope, list: { records, damaged: [] }, shared: new Set() };
}

function rowsOf(listings: readonly ScopeListing[], view: Partial<RowView> = {}): MemoryNode[] {
  return topNodes(listings, {
    isHit: undefined,
    recalled: new Set(),
    ageOf: () => '3d',
    ...view,
  });
}

function everyNode(nodes: readonly MemoryNode[]): readonly MemoryNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(childrenOf(node))]);
}

function outline(nodes: readonly MemoryNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    indent + rowText(node),
    ...outline(childrenOf(node), `${indent}  `),
  ]);
}

function rowText(node: MemoryNode): string {
  switch (node.kind) {
    case 'scope':
      return `${node.scope.name || node.scope.kind} ${node.count}`;
    case 'group':
      return node.group;
    case 'record':
      return node.record.name;
    case 'damaged':
      return node.damaged.file;
  }
}
