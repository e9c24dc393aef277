import assert from 'node:assert/strict';
import {
  excerpt,
  plainLine,
  plainMarkdown,
  shorten,
} from '../../../../src/vscode/text/plainText.ts';

/** How VS Code finds links in notifications, prompts and quick picks. */
const NOTIFICATION_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;

describe('plainLine', () => {
  it('leaves no link that a notification would show', () => {
    const text =
      'use [tabs](command:workbench.action.terminal.new) and [this](https://example.com)';
    assert.match(text, NOTIFICATION_LINK);
    assert.doesNotMatch(plainLine(text), NOTIFICATION_LINK);
  });

  it('leaves no link that line breaks or controls had hidden', () => {
    assert.doesNotMatch(plainLine('[a]\u0000(command:x)[b]\u202e(command:y)'), NOTIFICATION_LINK);
  });

  it('leaves no icon', () => {
    assert.doesNotMatch(plainLine('$(trash) all'), /\$\(trash\)/);
  });

  it('makes one line, without marks that reverse the reading direction', () => {
    assert.equal(plainLine('  one\r\n\ttwo \u202ethree\u202c\u0007 '), 'one two three');
  });

  it('keeps ordinary text of every script', () => {
    const text = 'Tabs (not spaces) for `a[0]`, 缩进使用制表符, naïve 👩‍👩‍👧';
    assert.equal(plainLine(text), text);
  });
});

describe('shorten', () => {
  it('keeps a text that fits', () => {
    assert.equal(shorten('tabs', 4), 'tabs');
  });

  it('ends a longer text with an ellipsis inside the limit', () => {
    assert.equal(shorten('tabs and spaces', 6), 'tabs…');
  });

  it('never cuts a visible character in two', () => {
    assert.equal(shorten('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2), '👩‍👩‍👧…');
  });

  it('cuts a text of marks that combine without end', () => {
    assert.ok(shorten(`a${'\u0301'.repeat(5000)}`, 10).length < 200);
  });
});

describe('plainMarkdown', () => {
  it('escapes links, pictures, HTML, headings and bare addresses', () => {
    assert.equal(
      plainMarkdown('# ![x](https://e.com) <b>'),
      '\\# \\!\\[x\\]\\(https\\:\\/\\/e\\.com\\) \\<b\\>',
    );
  });

  it('keeps lines as lines and an indent as an indent', () => {
    assert.equal(plainMarkdown('a\r\n    b\n'), 'a  \n&nbsp;&nbsp;&nbsp;&nbsp;b  \n');
  });
});

describe('excerpt', () => {
  const limits = { lines: 2, characters: 10 };

  it('keeps a short text', () => {
    assert.equal(excerpt('a\nb\n', limits), 'a\nb');
  });

  it('marks lines that were left out', () => {
    assert.equal(excerpt('a\nb\nc', limits), 'a\nb\n…');
  });

  it('cuts a long line', () => {
    assert.equal(excerpt('0123456789abc', limits), '012345678…');
  });
});
