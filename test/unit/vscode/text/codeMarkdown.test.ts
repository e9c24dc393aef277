import assert from 'node:assert/strict';
import {
  beginning,
  codeBlock,
  codeSpan,
  pathSpan,
} from '../../../../src/vscode/text/codeMarkdown.ts';

describe('codeBlock', () => {
  it('frames a text with its language', () => {
    assert.equal(codeBlock('ls\n', 'sh'), '```sh\nls\n```');
    assert.equal(codeBlock('ls'), '```\nls\n```');
  });

  it('takes a fence longer than any in the text', () => {
    assert.equal(codeBlock('a\n````\nb'), '`````\na\n````\nb\n`````');
  });

  it('shows what would hide: direction marks, zero width, controls', () => {
    assert.equal(
      codeBlock('a\u202eb\u200bc\u001bd\re'),
      '```\na\\u{202e}b\\u{200b}c\\u{1b}d\ne\n```',
    );
  });
});

describe('codeBlock, of odd text,', () => {
  it('shows letters that are invisible, and further line breaks', () => {
    assert.equal(
      codeBlock('a\u{e0041}b\u3164c\u2028d\u180ee\u206af'),
      '```\na\\u{e0041}b\\u{3164}c\\u{2028}d\\u{180e}e\\u{206a}f\n```',
    );
  });

  it('leaves what emoji and Persian are written with', () => {
    const text = '\u{1f468}\u200d\u{1f469} \u2764\ufe0f \u0645\u06cc\u200c\u062e';
    assert.equal(codeBlock(text), `\`\`\`\n${text}\n\`\`\``);
  });

  it('bears any number of backticks', () => {
    const text = '` '.repeat(500_000);
    assert.equal(codeBlock(text), `\`\`\`\n${text}\n\`\`\``);
  });
});

describe('pathSpan', () => {
  it('keeps the end of a long path in sight', () => {
    assert.equal(pathSpan('src/a.ts'), '`src/a.ts`');
    const shown = pathSpan(`src/${'folder/'.repeat(40)}evil.ts`);
    assert.match(shown, /^`src\/folder.*….*folder\/evil\.ts`$/);
    assert.equal(shown.length, 62);
  });
});

describe('codeSpan', () => {
  it('is one line', () => {
    assert.equal(codeSpan('a\n  b'), '`a b`');
  });

  it('holds backticks', () => {
    assert.equal(codeSpan('a`b'), '``a`b``');
    assert.equal(codeSpan('`a`'), '`` `a` ``');
  });

  it('is never empty, which would show the marks', () => {
    assert.equal(codeSpan(''), '` `');
  });

  it('is cut at its limit', () => {
    assert.equal(codeSpan('abcdef', 4), '`abc…`');
  });
});

describe('beginning', () => {
  const limits = { lines: 2, characters: 10 };

  it('keeps a text within the limits whole', () => {
    assert.deepEqual(beginning('a\nb\n', limits), { text: 'a\nb', linesLeftOut: 0 });
    assert.deepEqual(beginning('', limits), { text: '', linesLeftOut: 0 });
  });

  it('counts the lines it leaves out', () => {
    assert.deepEqual(beginning('a\nb\nc\nd\n', limits), { text: 'a\nb', linesLeftOut: 2 });
  });

  it('counts a line that is cut as left out', () => {
    assert.deepEqual(beginning('abcdefghijkl', limits), { text: 'abcdefghij', linesLeftOut: 1 });
    assert.deepEqual(beginning('abc\ndefghijkl\nm', limits), {
      text: 'abc\ndefghi',
      linesLeftOut: 2,
    });
  });
});
