// The import rule, the owners of outside things and the absence of cycles, checked over the sources.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const SRC = path.resolve('src');

/** What each folder may import besides itself. The order is the order of the layers. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  models: ['base'],
  sessions: ['base', 'models'],
  context: ['base', 'models'],
  memory: ['base', 'models'],
  agent: ['base', 'models', 'sessions', 'context', 'memory'],
  vscode: ['base', 'models', 'sessions', 'context', 'memory', 'agent', 'manifest.ts'],
  'extension.ts': [
    'base',
    'models',
    'sessions',
    'context',
    'memory',
    'agent',
    'vscode',
    'manifest.ts',
  ],
  'manifest.ts': [],
};

/** Each outside thing has one owner, so that replacing it changes one file. */
const OWNERS: Record<string, (file: string) => boolean> = {
  '@anthropic-ai/sdk': (file) => file === 'models/claude.ts',
  diff: (file) => file === 'base/lineDiff.ts',
  'gray-matter': (file) => file === 'memory/frontMatter.ts',
  yaml: (file) => file === 'memory/frontMatter.ts',
  ignore: (file) => file === 'base/ignoreRules.ts',
  'node:fs': (file) =>
    [
      'base/files.ts',
      'base/plainFile.ts',
      'base/syncFolder.ts',
      'base/writeNow.ts',
      'base/writeProtection.ts',
    ].includes(file),
  'node:sqlite': (file) => file === 'base/sqlite.ts',
  'node:child_process': (file) =>
    ['base/git.ts', 'base/shell.ts', 'base/windowsTree.ts'].includes(file),
  vscode: (file) => file.startsWith('vscode/') || file === 'extension.ts',
};

/**
 * What each folder of src/vscode may import from the others, so that features stay apart. The files beside the folders
 * put them together, and only extension.ts and each other import them.
 */
const VSCODE_MAY_IMPORT: Record<string, readonly string[]> = {
  host: ['text'],
  text: [],
  picks: ['text'],
  models: ['host', 'text'],
  tools: ['host', 'text', 'models'],
  sessions: ['host', 'text'],
  sidebar: ['host', 'text'],
  review: ['host', 'text'],
  editing: ['host', 'text'],
  memories: ['host', 'text', 'picks'],
  consolidation: ['host', 'text', 'picks', 'models'],
  exchange: ['host', 'text', 'picks'],
  upkeep: ['host', 'text', 'picks'],
  notices: ['host', 'text', 'review'],
  chat: ['host', 'text', 'picks', 'models', 'tools'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

describe('architecture', () => {
  const imports = sources().flatMap((file) => importsOf(file));

  it('reads the sources', () => {
    assert.ok(imports.length > 50, `only ${imports.length} imports found`);
  });

  it('keeps the import rule between folders', () => {
    const broken = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const from = layerOf(file);
      const to = layerOf(target(file, specifier));
      return from !== to && !(MAY_IMPORT[from] ?? []).includes(to);
    });
    assert.deepEqual(broken, []);
  });

  it('keeps the memories free of what other tools make of them', () => {
    const broken = imports.filter(
      ({ file, specifier }) =>
        /^memory\/(?!exchange\/)/.test(file) &&
        target(file, specifier).startsWith('memory/exchange/'),
    );
    assert.deepEqual(broken, []);
  });

  it('gives every folder of src a place in the rule', () => {
    const layers = new Set(sources().map(layerOf));
    assert.deepEqual(
      [...layers].filter((layer) => !(layer in MAY_IMPORT)),
      [],
    );
  });

  it('lets each outside thing be imported by its owner only', () => {
    const broken = imports.filter(({ file, specifier }) => {
      const owner = Object.entries(OWNERS).find(
        ([name]) => specifier === name || specifier.startsWith(name + '/'),
      );
      return owner !== undefined && !owner[1](file);
    });
    assert.deepEqual(broken, []);
  });

  it('keeps the features of src/vscode apart from each other', () => {
    const broken = imports.filter(({ file, specifier }) => {
      if (!file.startsWith('vscode/') || !specifier.startsWith('.')) return false;
      const from = vscodeFolder(file);
      const to = vscodeFolder(target(file, specifier));
      if (from === undefined || !target(file, specifier).startsWith('vscode/')) return false;
      return from !== to && !(VSCODE_MAY_IMPORT[from] ?? []).includes(to ?? '');
    });
    assert.deepEqual(broken, []);
  });

  it('gives every folder of src/vscode a place in the rule', () => {
    const folders = sources()
      .filter((file) => file.startsWith('vscode/'))
      .map(vscodeFolder)
      .filter((folder) => folder !== undefined);
    assert.deepEqual(
      folders.filter((folder) => !(folder in VSCODE_MAY_IMPORT)),
      [],
    );
  });

  it('has no import cycles, types included', () => {
    const graph = new Map<string, string[]>();
    for (const { file, specifier } of imports) {
      if (!specifier.startsWith('.')) continue;
      graph.set(file, [...(graph.get(file) ?? []), target(file, specifier)]);
    }
    assert.deepEqual(findCycle(graph), []);
  });

  it('opens every source file with a comment that says what it is for', () => {
    const silent = sources().filter((file) => !read(file).startsWith('// '));
    assert.deepEqual(silent, []);
  });

  it('keeps every source file within 300 lines', () => {
    const long = sources().filter((file) => read(file).split('\n').length > 301);
    assert.deepEqual(long, []);
  });

  it('has no default exports and no barrels', () => {
    const broken = sources().filter((file) => /^export default|^export \* from/m.test(read(file)));
    assert.deepEqual(broken, []);
  });
});

function sources(): string[] {
  return fs
    .readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted();
}

function read(file: string): string {
  return fs.readFileSync(path.join(SRC, file), 'utf8');
}

function importsOf(file: string): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm;
  return [...read(file).matchAll(pattern)].map((match) => ({
    file,
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
  }));
}

/** The imported file, relative to src. */
function target(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier);
}

function layerOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** Undefined for a file beside the folders. */
function vscodeFolder(file: string): string | undefined {
  return file.split('/').length > 2 ? file.split('/')[1] : undefined;
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] => {
    const seen = trail.indexOf(file);
    if (seen >= 0) return [...trail.slice(seen), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
