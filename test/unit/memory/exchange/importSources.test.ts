import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import {
  chosenSource,
  findImportSources,
  type ImportPlaces,
  type ImportSource,
} from '../../../../src/memory/exchange/importSources.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

describe('import sources', () => {
  const temp = useTempFolder();
  const project = () => path.join(temp.path, 'my_project.io');
  const home = () => path.join(temp.path, 'home');
  const claudeName = (folder: string) => folder.replaceAll(/[^a-zA-Z0-9]/g, '-');

  const find = (places: Partial<ImportPlaces> = {}) =>
    findImportSources(
      { folders: [project()], home: home(), ...places },
      new AbortController().signal,
    );
  const shown = (sources: readonly ImportSource[]) =>
    sources.map(({ kind, scope, path: at, files }) => [
      kind,
      scope,
      relative(temp.path, at),
      files.map((file) => relative(at, file)).join(' '),
    ]);

  it('finds what each tool keeps in the workspace and at home', async () => {
    await writeTree(temp.path, {
      'my_project.io/CLAUDE.md': 'a',
      'my_project.io/.claude/CLAUDE.md': 'a',
      'my_project.io/.claude/rules/web/style.md': 'a',
      'my_project.io/.claude/settings.json': '{}',
      'my_project.io/CLAUDE.local.md': 'a',
      'my_project.io/AGENTS.md': 'a',
      'my_project.io/.github/copilot-instructions.md': 'a',
      'my_project.io/.github/instructions/sub/web.instructions.md': 'a',
      'my_project.io/.github/instructions/README.md': 'a',
      'my_project.io/.cursor/rules/style.mdc': 'a',
      'my_project.io/.cursor/rules/api/RULE.md': 'a',
      'my_project.io/.cursor/rules/api/template.md': 'a',
      'my_project.io/.cursorrules': 'a',
      'home/.claude/CLAUDE.md': 'a',
      'home/.claude/rules/mine.md': 'a',
      'home/.codex/AGENTS.md': 'a',
      'home/.copilot/copilot-instructions.md': 'a',
      'home/.copilot/instructions/mine.instructions.md': 'a',
      [`home/.claude/projects/${claudeName(project())}/memory/MEMORY.md`]: 'a',
      [`home/.claude/projects/${claudeName(project())}/memory/team/topic.md`]: 'a',
      [`home/.claude/projects/${claudeName(project())}/session.jsonl`]: 'a',
      'home/.claude/projects/-other/memory/MEMORY.md': 'a',
    });
    const memory = `home/.claude/projects/${claudeName(project())}/memory`;
    assert.deepEqual(shown(await find()), [
      ['instructions', 'workspace', 'my_project.io/CLAUDE.md', ''],
      ['instructions', 'workspace', 'my_project.io/.claude/CLAUDE.md', ''],
      ['instructions', 'workspace', 'my_project.io/CLAUDE.local.md', ''],
      ['instructions', 'workspace', 'my_project.io/AGENTS.md', ''],
      ['instructions', 'workspace', 'my_project.io/.claude/rules', 'web/style.md'],
      ['copilot', 'workspace', 'my_project.io/.github/copilot-instructions.md', ''],
      ['copilot', 'workspace', 'my_project.io/.github/instructions', 'sub/web.instructions.md'],
      ['cursor', 'workspace', 'my_project.io/.cursor/rules', 'api/RULE.md style.mdc'],
      ['cursor', 'workspace', 'my_project.io/.cursorrules', ''],
      ['claudeMemory', 'workspace', memory, 'MEMORY.md team/topic.md'],
      ['instructions', 'personal', 'home/.claude/CLAUDE.md', ''],
      ['instructions', 'personal', 'home/.claude/rules', 'mine.md'],
      ['instructions', 'personal', 'home/.codex/AGENTS.md', ''],
      ['copilot', 'personal', 'home/.copilot/copilot-instructions.md', ''],
      ['copilot', 'personal', 'home/.copilot/instructions', 'mine.instructions.md'],
    ]);
  });

  it("finds the notes of Copilot's memory tool, but not those of single sessions", async () => {
    await writeTree(temp.path, {
      'global/github.copilot-chat/memory-tool/memories/me.md': 'a',
      'workspace/GitHub.copilot-chat/memory-tool/memories/repo/build.md': 'a',
      'workspace/GitHub.copilot-chat/memory-tool/memories/YWJj/plan.md': 'a',
    });
    const extensionFolders = {
      global: path.join(temp.path, 'global'),
      workspace: path.join(temp.path, 'workspace'),
    };
    assert.deepEqual(shown(await find({ extensionFolders })), [
      [
        'copilot',
        'workspace',
        'workspace/GitHub.copilot-chat/memory-tool/memories/repo',
        'build.md',
      ],
      ['copilot', 'personal', 'global/github.copilot-chat/memory-tool/memories', 'me.md'],
    ]);
  });

  it('finds the memories of the repository that a folder lies in, and a name in other case', async () => {
    const inner = path.join(project(), 'packages', 'app');
    await fs.mkdir(inner, { recursive: true });
    await writeTree(temp.path, {
      'my_project.io/.git/HEAD': 'ref',
      [`home/.claude/projects/${claudeName(project()).toUpperCase()}/memory/a.md`]: 'a',
    });
    assert.deepEqual(
      (await find({ folders: [inner] })).map(({ kind }) => kind),
      ['claudeMemory'],
    );
  });

  it('finds memories under a name that was cut because the path is long', async () => {
    const folder = `/${'long/'.repeat(60)}end`;
    const name = `${claudeName(folder).slice(0, 200)}-1a2b3c`;
    await writeTree(temp.path, { [`home/.claude/projects/${name}/memory/a.md`]: 'a' });
    assert.equal((await find({ folders: [folder] })).length, 1);
  });

  it('offers nothing that is empty, of another kind or a link', async () => {
    await writeTree(temp.path, {
      'my_project.io/CLAUDE.md': '',
      'my_project.io/.cursor/rules/style.mdc': '',
      'my_project.io/.cursorrules/folder.md': 'a',
      'elsewhere/rules/secret.md': 'a',
      'elsewhere/AGENTS.md': 'a',
    });
    await fs.symlink(
      path.join(temp.path, 'elsewhere/AGENTS.md'),
      path.join(project(), 'AGENTS.md'),
    );
    await fs.symlink(path.join(temp.path, 'elsewhere'), path.join(project(), '.claude'));
    assert.deepEqual(await find(), []);
  });

  it('offers each place once when the home folder is open', async () => {
    await writeTree(temp.path, { 'home/.claude/CLAUDE.md': 'a' });
    assert.equal((await find({ folders: [home()] })).length, 1);
  });

  it('stops when it is told to', async () => {
    await writeTree(temp.path, { 'my_project.io/.cursor/rules/style.mdc': 'a' });
    const stopped = AbortSignal.abort();
    await assert.rejects(findImportSources({ folders: [project()], home: home() }, stopped));
  });

  it('takes a chosen file, or the Markdown files that lie in a chosen folder', async () => {
    await writeTree(temp.path, {
      'chosen/b.md': 'a',
      'chosen/a.mdc': 'a',
      'chosen/.hidden.md': 'a',
      'chosen/image.png': 'a',
      'chosen/sub/c.md': 'a',
      'empty/image.png': 'a',
    });
    assert.deepEqual(shown([await chosenSource(path.join(temp.path, 'chosen'))]), [
      ['chosen', 'workspace', 'chosen', 'a.mdc b.md'],
    ]);
    const file = path.join(temp.path, 'chosen', 'b.md');
    assert.deepEqual((await chosenSource(file)).files, [file]);
    await assert.rejects(chosenSource(path.join(temp.path, 'empty')), /has no Markdown files/);
    await assert.rejects(chosenSource(path.join(temp.path, 'none')), /does not exist/);
  });
});

function relative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join('/');
}
