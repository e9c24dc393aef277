import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { createLoadSkill } from '../../../../src/agent/tools/loadSkill.ts';
import { createReadFile } from '../../../../src/agent/tools/readFile.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { skillFile, writeSkill } from '../../../support/skillFiles.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

const NEVER = new AbortController().signal;

describe('load_skill', () => {
  const folder = useTempFolder();
  const load = (name?: string) =>
    createLoadSkill(diskWorkspace([folder.path])).run({ name }, NEVER);

  it('gives the guide without its front matter, where it stands and what stands beside it', async () => {
    const file = await writeSkill(folder.path, '.claude/skills/notes', skillFile('notes', 'How.'));
    await fs.writeFile(path.join(path.dirname(file), 'template.md'), 'x');
    await fs.mkdir(path.join(path.dirname(file), 'scripts'));
    const text = await load('notes');
    assert.match(text, /^\[Skill notes, in \.claude\/skills\/notes\. [^\n]*\]\n\nDo it well\.$/);
    assert.match(text, /follow it as far as the person's request does not say otherwise/);
    assert.match(text, /read such a file with read_file as \.claude\/skills\/notes\/<path>\./);
    assert.match(text, /There are: scripts\/, template\.md\./);
  });

  it('lists all without a name, with what is wrong with one', async () => {
    assert.match(await load(), /^There are no skills\. A skill is a file \.claude\/skills\//);
    await writeSkill(folder.path, '.claude/skills/notes', skillFile('notes', 'How.'));
    await writeSkill(folder.path, '.github/skills/odd', 'No front matter.');
    const lines = '- notes — How.\n- odd — [The file has no front matter.]';
    assert.equal(await load(), lines);
    assert.equal(await load(' '), lines);
  });

  it('lists at most 200', async () => {
    for (let number = 0; number < 203; number++)
      await writeSkill(folder.path, `.claude/skills/s${number}`, skillFile(`s${number}`, 'One.'));
    const lines = (await load()).split('\n');
    assert.equal(lines.length, 201);
    assert.match(lines.at(-1) ?? '', /^\[3 more, /);
  });

  it('names the skills that may have been meant', async () => {
    await assert.rejects(load('notes'), /no skill named "notes"\. There are no skills\./);
    await writeSkill(folder.path, '.claude/skills/notes', skillFile('release-notes', 'How.'));
    await assert.rejects(load('note'), /Did you mean release-notes\?/);
    await assert.rejects(load('x'.repeat(5_000)), ({ message }: Error) => message.length < 500);
  });

  it('gives the whole file, and says why, when the front matter cannot be read', async () => {
    await writeSkill(folder.path, '.claude/skills/odd', '---js\nfoo()\n---\nBody.\n');
    const text = await load('odd');
    assert.match(text, /The whole file is shown: .*only YAML is read/);
    assert.match(text, /\]\n\n---js\nfoo\(\)\n---\nBody\.$/);
  });

  it('gives the guide alone where the front matter is no strict YAML', async () => {
    const text = skillFile('odd', 'Use when: asked.\ndisable-model-invocation: true');
    await writeSkill(folder.path, '.claude/skills/odd', text);
    assert.match(
      await load('odd'),
      /^\[Skill odd, [^\n]* only when the person asks for it\. [^\n]*\]\n\nDo it well\.$/,
    );
  });

  it('leaves out of a guide what nobody sees', async () => {
    const hidden = Array.from('obey', (c) =>
      String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0)),
    );
    const body = `Do it${hidden.join('')} well.\n\u202eNow.\n`;
    await writeSkill(folder.path, '.claude/skills/a', skillFile('a', 'A.', body));
    assert.match(await load('a'), /\n\nDo it well\.\nNow\.$/);
  });

  it('gives so much of a long one, and says how to read on', async () => {
    const lines = Array.from({ length: 1_500 }, (_, index) => `${index} `.padEnd(60, 'words '));
    await writeSkill(
      folder.path,
      '.claude/skills/long',
      skillFile('long', 'Long.', `${lines.join('\n')}\n`),
    );
    const text = await load('long');
    assert.ok(text.length < 51_000, `${text.length}`);
    const [, file = '', offset = ''] = /read_file, path (\S+), offset (\d+)\./.exec(text) ?? [];
    const read = createReadFile(diskWorkspace([folder.path]));
    const rest = await read.run({ path: file, offset: Number(offset) }, NEVER);
    const shown = text.split('\n').slice(2);
    assert.deepEqual([...shown, ...rest.split('\n').slice(1)], lines);
  });

  it('cuts a line that is longer than all there is room for', async () => {
    const body = `${'x'.repeat(60_000)}\nThe rest.\n`;
    await writeSkill(folder.path, '.claude/skills/a', skillFile('a', 'A.', body));
    const text = await load('a');
    assert.match(text, /offset 7\.\]\n\nx{50000} \[\.\.\. 10000 more characters\]$/);
  });

  it('reads nothing outside of the workspace', async () => {
    const inside = path.join(folder.path, 'project');
    await fs.mkdir(path.join(inside, '.claude/skills'), { recursive: true });
    await writeSkill(folder.path, 'outside', skillFile('outside', 'Secret.'));
    await fs.symlink(path.join(folder.path, 'outside'), path.join(inside, '.claude/skills/a'));
    const tool = createLoadSkill(diskWorkspace([inside]));
    await assert.rejects(tool.run({ name: 'a' }, NEVER), /leads out of the workspace/);
  });
});
