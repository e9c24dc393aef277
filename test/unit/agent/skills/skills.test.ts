import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { listSkills } from '../../../../src/agent/skills/skills.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { skillFile, writeSkill } from '../../../support/skillFiles.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

describe('the skills of a workspace', () => {
  const temp = useTempFolder();
  let folder: string;
  beforeEach(async () => {
    folder = path.join(temp.path, 'project');
    await fs.mkdir(folder);
  });
  const list = (...others: readonly string[]) => listSkills(diskWorkspace([folder, ...others]));

  it('are those of both places of each folder, those that win first', async () => {
    const second = path.join(temp.path, 'second');
    await writeSkill(second, '.claude/skills/deploy', skillFile('deploy', 'Second.'));
    await writeSkill(folder, '.github/skills/deploy', skillFile('deploy', 'Of GitHub.'));
    const file = await writeSkill(folder, '.claude/skills/b', skillFile('notes', 'How.'));
    await writeSkill(folder, '.claude/skills/a', skillFile('deploy', 'First.'));
    const { skills, problems } = await list(second);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      skills.map(({ description, shown }) => [description, shown]),
      [
        ['First.', '.claude/skills/a'],
        ['How.', '.claude/skills/b'],
        ['Of GitHub.', '.github/skills/deploy'],
        ['Second.', path.join(second, '.claude/skills/deploy')],
      ],
    );
    const real = await fs.realpath(file);
    assert.deepEqual(skills[1], {
      name: 'notes',
      description: 'How.',
      shown: '.claude/skills/b',
      file,
      real,
    });
  });

  it('are none where there are none', async () => {
    await fs.mkdir(path.join(folder, '.claude/skills/empty'), { recursive: true });
    await fs.writeFile(path.join(folder, '.claude/skills/README.md'), '# Skills');
    await fs.writeFile(path.join(folder, '.github'), 'a file');
    assert.deepEqual(await list(), { skills: [], problems: [] });
  });

  it('have a name and a description of one line, in which nothing hides', async () => {
    await writeSkill(
      folder,
      '.claude/skills/long',
      `---\nname: ${'n'.repeat(80)}\ndescription: |\n  First\u200b line.\n  Second.\nuser-invocable: false\n---\n`,
    );
    const [skill] = (await list()).skills;
    assert.equal(skill?.name.length, 64);
    assert.equal(skill?.description, 'First line. Second.');
  });

  it('are listed by their folder with what is wrong when the front matter cannot be read', async () => {
    const texts = {
      code: '---js\nthrow new Error("ran")\n---\n',
      none: 'Just do it.\n',
      yaml: '---\nname: [unclosed\n---\n',
    };
    for (const [name, text] of Object.entries(texts))
      await writeSkill(folder, `.claude/skills/${name}`, text);
    await writeSkill(folder, '.claude/skills/binary', '\0');
    const { skills } = await list();
    assert.deepEqual(
      skills.map(({ name }) => name),
      ['binary', 'code', 'none', 'yaml'],
    );
    const [binary, code, none, yaml] = skills.map(({ problem }) => problem ?? '');
    assert.match(binary ?? '', /binary, not text/);
    assert.match(code ?? '', /only YAML is read/);
    assert.match(none ?? '', /no front matter/);
    assert.match(yaml ?? '', /not valid YAML/);
  });

  it('are read as the person sees them, not as the disk has them', async () => {
    const file = await writeSkill(folder, '.claude/skills/a', skillFile('a', 'Saved.'));
    const workspace = diskWorkspace([folder]);
    const readText = async (asked: string) =>
      asked === file ? skillFile('a', 'Unsaved.') : undefined;
    const { skills } = await listSkills({ ...workspace, readText });
    assert.equal(skills[0]?.description, 'Unsaved.');
  });

  it('do not lie outside of the workspace, whatever links to there', async () => {
    const outside = path.join(temp.path, 'outside');
    await writeSkill(outside, 'secret', skillFile('secret', 'Secret.'));
    await fs.mkdir(path.join(folder, '.claude/skills/file'), { recursive: true });
    await fs.symlink(path.join(outside, 'secret'), path.join(folder, '.claude/skills/folder'));
    await fs.symlink(
      path.join(outside, 'secret/SKILL.md'),
      path.join(folder, '.claude/skills/file/SKILL.md'),
    );
    await fs.mkdir(path.join(folder, '.github'));
    await fs.symlink(outside, path.join(folder, '.github/skills'));
    const { skills, problems } = await list();
    assert.deepEqual(
      skills.map(({ name, problem }) => [name, problem]),
      ['file', 'folder'].map((name) => [
        name,
        `.claude/skills/${name}/SKILL.md leads out of the workspace, so it is not read.`,
      ]),
    );
    assert.deepEqual(problems, ['.github/skills leads out of the workspace, so it is not read.']);
    assert.doesNotMatch(JSON.stringify(skills), /Secret/);
  });

  it('are listed once where one place is a link to the other', async () => {
    await writeSkill(folder, '.claude/skills/a', skillFile('a', 'Once.'));
    await fs.mkdir(path.join(folder, '.github'));
    await fs.symlink('../.claude/skills', path.join(folder, '.github/skills'));
    const { skills } = await list();
    assert.deepEqual(
      skills.map(({ shown }) => shown),
      ['.claude/skills/a'],
    );
  });

  it('are not looked through without end', async () => {
    for (let number = 0; number < 501; number++)
      await writeSkill(folder, `.claude/skills/s${number}`, skillFile(`s${number}`, 'One.'));
    await writeSkill(folder, '.github/skills/huge', 'x'.repeat(1_000_001));
    const { skills, problems } = await list();
    assert.equal(skills.length, 501);
    assert.match(skills.at(-1)?.problem ?? '', /1000001 bytes, too many for a skill/);
    assert.deepEqual(problems, ['1 more in .claude/skills are not looked at.']);
  });
});
