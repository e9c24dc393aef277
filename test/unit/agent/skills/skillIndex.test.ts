import assert from 'node:assert/strict';
import {
  nearestNames,
  skillIndex,
  skillLines,
  skillNamed,
} from '../../../../src/agent/skills/skillIndex.ts';
import type { Skill } from '../../../../src/agent/skills/skills.ts';

describe('the lines on skills', () => {
  it('name and describe those that are in order', () => {
    const skills = [
      skill('notes', 'How notes are written.'),
      { ...skill('broken', ''), problem: 'It is broken.' },
      skill('bare', ''),
    ];
    assert.equal(skillIndex(skills), '- notes — How notes are written.\n- bare — (no description)');
  });

  it('tell the problem of one that is not', () => {
    const broken = { ...skill('broken', ''), problem: 'It is broken.' };
    assert.deepEqual(skillLines([broken], [broken]), ['- broken — [It is broken.]']);
  });

  it('leave one that is only for when the person asks to those who ask', () => {
    const ship: Skill = { ...skill('ship', 'Ships it.'), onRequest: true };
    const all = [ship, skill('notes', 'How.')];
    assert.equal(skillIndex(all), '- notes — How.');
    assert.equal(skillLines(all, all)[0], '- ship — Ships it. [Only when the person asks for it.]');
  });

  it('are longer where there are few skills', () => {
    const few = [skill('a', 'x'.repeat(1_500)), skill('b', 'x'.repeat(1_000))];
    assert.deepEqual(
      skillIndex(few)
        .split('\n')
        .map((line) => line.length),
      [1_006, 1_006],
    );
  });

  it('name both by their paths where two have one name', () => {
    const skills = [skill('notes', 'One.', '.claude'), skill('Notes', 'Two.', '.github')];
    assert.equal(
      skillIndex(skills),
      '- notes (.claude/skills/notes) — One.\n- Notes (.github/skills/Notes) — Two.',
    );
  });

  it('are short, and at most 50', () => {
    const skills = Array.from({ length: 60 }, (_, index) => skill(`s${index}`, 'x'.repeat(500)));
    const lines = skillIndex(skills).split('\n');
    assert.equal(lines.length, 51);
    assert.equal(lines[0], `- s0 — ${'x'.repeat(199)}…`);
    assert.equal(lines.at(-1), '(10 more: call load_skill without a name.)');
  });
});

describe('a skill that is asked for', () => {
  const first = skill('notes', 'One.', '.claude');
  const second = skill('notes', 'Two.', '.github');
  const third: Skill = { ...skill('deploying', ''), shown: '.claude/skills/deploy-it' };
  const all = [first, second, third];

  it('is the first of its name, whatever the case', () => {
    assert.equal(skillNamed(all, 'notes'), first);
    assert.equal(skillNamed(all, 'NOTES'), first);
    assert.equal(skillNamed(all, 'note'), undefined);
  });

  it('is the one at a path, or in a folder', () => {
    assert.equal(skillNamed(all, '.github/skills/notes'), second);
    assert.equal(skillNamed(all, './.github/skills/notes/SKILL.md'), second);
    assert.equal(skillNamed(all, 'deploy-it/'), third);
    assert.equal(skillNamed(all, second.file), second);
    assert.equal(skillNamed(all, '.github\\skills\\notes'), second);
  });

  it('is the one that a line tells of, where two have one name', () => {
    const wanted = 'notes (.github/skills/notes)';
    assert.ok(skillIndex(all).includes(`- ${wanted} — Two.`));
    assert.equal(skillNamed(all, wanted), second);
  });

  it('may have been one with a like name, or any of a few', () => {
    const both = ['notes (.claude/skills/notes)', 'notes (.github/skills/notes)'];
    assert.deepEqual(nearestNames(all, 'release-note'), both);
    assert.deepEqual(nearestNames(all, 'deploy'), ['deploying']);
    assert.deepEqual(nearestNames(all, 'xyz'), [...both, 'deploying']);
    const many = Array.from({ length: 30 }, (_, index) => skill(`s${index}`, ''));
    assert.equal(nearestNames(many, 'xyz').length, 20);
  });
});

function skill(name: string, description: string, place = '.claude'): Skill {
  const shown = `${place}/skills/${name}`;
  return { name, description, shown, file: `/w/${shown}/SKILL.md`, real: `/w/${shown}/SKILL.md` };
}
