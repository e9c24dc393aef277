import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sectionsOf } from '../../../../src/memory/exchange/importMarkdown.ts';

describe('sectionsOf', () => {
  it('begins a section at headings of level 1 and 2 and keeps deeper ones inside', () => {
    const text =
      'Before.\n\n# Title\n\nIntro.\n\n## Build\n### Fast\nnpm test\n## Style ##\n\nTabs.\n';
    assert.deepEqual(sectionsOf(text), [
      { body: 'Before.' },
      { heading: 'Title', body: 'Intro.' },
      { heading: 'Build', body: '### Fast\nnpm test' },
      { heading: 'Style', body: 'Tabs.' },
    ]);
  });

  it('takes no line of fenced code for a heading', () => {
    const text =
      '## A\n```sh\n# not a heading\n~~~\n## nor this\n```\n## B\n~~~~\n## code\n~~~\n## code\n';
    assert.deepEqual(sectionsOf(text), [
      { body: '' },
      { heading: 'A', body: '```sh\n# not a heading\n~~~\n## nor this\n```' },
      { heading: 'B', body: '~~~~\n## code\n~~~\n## code' },
    ]);
  });

  it('takes three backticks with one more in the line for code within a sentence', () => {
    assert.deepEqual(sectionsOf('```a``` is code.\n# A\nB').slice(1), [
      { heading: 'A', body: 'B' },
    ]);
  });

  it('takes no line of an HTML comment for a heading', () => {
    assert.deepEqual(sectionsOf('# A\n<!-- one\n# two\n-->\n# B\nC').slice(1), [
      { heading: 'A', body: '<!-- one\n# two\n-->' },
      { heading: 'B', body: 'C' },
    ]);
  });

  it('takes neither a tag nor indented code for a heading, and lines may end as on Windows', () => {
    assert.deepEqual(sectionsOf('#tag\r\n\r\n    # code\r\n# A\r\nB\r\n'), [
      { body: '#tag\n\n    # code' },
      { heading: 'A', body: 'B' },
    ]);
  });

  it('takes closing marks off a heading, but not those of a name', () => {
    const text = '# A #\n1\n# C#\n2\n# B ## \n3\n## ##\n4';
    assert.deepEqual(
      sectionsOf(text).map(({ heading }) => heading),
      [undefined, 'A', 'C#', 'B', ''],
    );
  });

  it('takes a moment for a line of a megabyte', () => {
    const long = 500_000;
    for (const line of [`${' '.repeat(long)}x`, `${'#'.repeat(long)}x`, `${' #'.repeat(long)}x`])
      assert.equal(sectionsOf(`# a${line}`).length, 2);
  });
});
