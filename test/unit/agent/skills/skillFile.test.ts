import assert from 'node:assert/strict';
import { readSkillFile } from '../../../../src/agent/skills/skillFile.ts';

describe('a SKILL.md', () => {
  it('says its name and its description, and holds its guide', () => {
    const text = '---\nname: notes\ndescription: How notes are written.\n---\n\n# Notes\n';
    assert.deepEqual(readSkillFile(text), {
      name: 'notes',
      description: 'How notes are written.',
      onRequest: false,
      guide: '\n# Notes\n',
    });
  });

  const lenient: readonly [what: string, text: string, description: string][] = [
    [
      'a colon in its description',
      '---\nname: notes\ndescription: Use when: a note is due, e.g. "weekly: 3".\n---\n',
      'Use when: a note is due, e.g. "weekly: 3".',
    ],
    [
      'Windows line ends and a byte order mark',
      '\uFEFF---\r\nname: notes\r\ndescription: Use when: due.\r\n---\r\n',
      'Use when: due.',
    ],
    [
      'further lines of a description',
      '---\nname: notes\ndescription: Use when: a note\n  is due: today.\n- an item\nlicense: MIT\n---\n',
      'Use when: a note is due: today.',
    ],
    [
      'quotes, and a tab where YAML wants none',
      "---\nname: 'notes'\ndescription: >-\n  How notes\n  are written.\nmetadata:\n\towner: me\n---\n",
      'How notes are written.',
    ],
    [
      'a key that stands twice',
      '---\nname: notes\ndescription: First.\ndescription: Second.\n---\n',
      'First.',
    ],
  ];
  for (const [what, text, description] of lenient) {
    it(`is read as other programs read it, with ${what}`, () => {
      const { guide, ...said } = readSkillFile(`${text}Do it.`);
      assert.deepEqual(said, { name: 'notes', description, onRequest: false });
      assert.equal(guide, 'Do it.');
    });
  }

  it('may be only for when the person asks for it', () => {
    const key = 'disable-model-invocation: true';
    for (const description of ['Ship it.', 'Use when: it ships.'])
      assert.ok(readSkillFile(`---\ndescription: ${description}\n${key}\n---\n`).onRequest);
  });

  it('is refused where nothing says what it is for, or its front matter is no YAML at all', () => {
    for (const [text, problem] of [
      ['---\nname: [unclosed\n---\n', /not valid YAML/],
      ['---\nname: [unclosed\ndescription: >-\n---\n', /not valid YAML/],
      ['---js\nname: a\ndescription: Use when: b\n---\n', /only YAML is read/],
      ['--- js\ndescription: Use when: b\n---\n', /only YAML is read/],
      ['----\ndescription: Use when: b\n---\n', /no front matter/],
      ['---\ndescription: Use when: b\n', /not closed/],
      [`---\ndescription: a\nx: ${'y'.repeat(10_000)}\n---\n`, /more than 10000/],
    ] as const)
      assert.throws(() => readSkillFile(text), problem);
  });

  it('takes no time to speak of, whatever it holds', () => {
    const begun = performance.now();
    for (const text of [
      `---${' '.repeat(1_000_000)}x`,
      `---\n${'---x\n'.repeat(200_000)}`,
      `---\n${'a'.repeat(1_000_000)}`,
    ])
      assert.throws(() => readSkillFile(text));
    assert.ok(performance.now() - begun < 2_000);
  });
});
