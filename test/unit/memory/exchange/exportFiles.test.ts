import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exportFiles } from '../../../../src/memory/exchange/exportFiles.ts';
import { indexText } from '../../../../src/memory/folder/memoryIndex.ts';
import { aRecord } from '../../../support/records.ts';

describe('exportFiles', () => {
  it('copies each file under its name and adds an index', () => {
    const records = [aRecord({ name: 'a' }), aRecord({ name: 'b' })];
    assert.deepEqual(exportFiles(records), {
      copies: records.map(({ file, path }) => ({ name: file, from: path })),
      index: { name: 'MEMORY.md', text: indexText(records) },
    });
  });

  it('tells files of two stores apart that have one name, and spares the name of the index', () => {
    const records = [
      aRecord({ file: 'tabs.md', path: '/one/tabs.md' }),
      aRecord({ file: 'Tabs.md', path: '/two/Tabs.md' }),
      aRecord({ file: 'tabs-2.md', path: '/two/tabs-2.md' }),
    ];
    const { copies, index } = exportFiles(records);
    assert.deepEqual(
      copies.map(({ name }) => name),
      ['tabs.md', 'Tabs-2.md', 'tabs-2-2.md'],
    );
    for (const { name } of copies) assert.ok(index.text.includes(`(${name})`));
  });
});
