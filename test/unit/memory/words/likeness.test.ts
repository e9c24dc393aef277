import assert from 'node:assert/strict';
import {
  hasSameWords,
  nearlyRepeats,
  repeats,
  rewords,
} from '../../../../src/memory/words/likeness.ts';

const memory = (body: string, description = 'Indentation', name = 'indentation') => ({
  name,
  description,
  body,
});

describe('two memories', () => {
  it('repeat each other when the text is the same, or a part of it under the same head', () => {
    const rule = memory('Use tabs. In Go files only.');
    assert.ok(repeats(memory('use  tabs. In Go files only', 'X', 'x'), rule));
    assert.ok(repeats(memory('In Go files only'), rule));
    assert.ok(repeats(memory('- Use tabs.', 'X'), rule));
    assert.ok(!repeats(memory('In Go files only', 'X', 'x'), rule));
    assert.ok(!repeats(memory('Use tabs in Go files.'), rule));
    // The same words, turned round.
    assert.ok(!repeats(memory('Use tabs'), memory('Do not use tabs.')));
    assert.ok(!repeats(memory('用空格。'), memory('用制表符。')));
    assert.ok(repeats(memory('用制表符'), memory('用制表符。不用空格。')));
  });

  it('reword each other when all of the old one stands in the new, figures and small words apart', () => {
    const old = memory('Indent with 2 spaces, not tabs.');
    for (const body of [
      'Indent with tabs, not spaces.',
      'Indent with 4 spaces, not tabs.',
      'Never indent with spaces or tabs in data files.',
    ])
      assert.ok(rewords(memory(body), old), body);
    assert.ok(!rewords(memory('Indent with 2 spaces.'), old));
    assert.ok(!rewords(memory('Indent with tabs, not spaces.', 'X', 'x'), old));
    assert.ok(!rewords(memory('The staging cluster is new.'), memory('The test cluster is new.')));
    assert.ok(!rewords(memory('缩进用四个空格'), memory('缩进用两个空格')));
  });

  it('have the same words whatever their case, punctuation and spaces', () => {
    const text = memory("Don't use tabs - use spaces: in C# and C++ (2 wide).");
    assert.ok(hasSameWords(memory('don’t use TABS; use spaces, in C# and C++, 2 wide'), text));
    for (const other of [
      "Don't use tabs - use spaces: in C and C++ (2 wide).",
      "Don't use tabs - use spaces: in C# and C (2 wide).",
      "Don't use tabs - use spaces: in C# and C++ (3 wide).",
    ])
      assert.ok(!hasSameWords(memory(other), text), other);
    assert.ok(!hasSameWords(memory('a != b'), memory('a = b')));
    assert.ok(hasSameWords(memory('用制表符，不用空格。'), memory('用制表符 不用空格')));
  });

  it('nearly repeat each other under the same description', () => {
    const found = memory('The tests run in the container on port 3000.', 'Tests', 'a');
    assert.ok(nearlyRepeats(memory('Tests: container, port 3000!', 'tests.', 'b'), found));
    assert.ok(!nearlyRepeats(memory('Tests: container, port 3000!', 'Other', 'a'), found));
    assert.ok(!nearlyRepeats(memory('The linter runs before.', 'Tests', 'a'), found));
  });
});
