import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { git, skipWithoutGit } from '../support/git.ts';
import { storyResponder } from '../support/story.ts';
import { untilEqual } from './until.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

const WORKSPACE = 'all.code-workspace';

describe('with several folders', () => {
  const used = useWindow({
    api: { respond: storyResponder },
    environmentKey: 'any-key',
    chatModel: 'Claude Auto',
    open: WORKSPACE,
    fill(folder) {
      const folders = [{ path: 'app' }, { path: 'library' }];
      fs.writeFileSync(path.join(folder, WORKSPACE), JSON.stringify({ folders }));
      remember(path.join(folder, 'app'), 'app-is-in-go', 'The app is written in Go');
      remember(path.join(folder, 'library'), 'library-is-frozen', 'The library is frozen');
    },
  });
  const app = path.join(used.workspace, 'app');
  const library = path.join(used.workspace, 'library');
  let window: Workbench;
  before(() => {
    ({ window } = used);
  });

  it('shows the memories of each folder below its name', async () => {
    await window.openView('Memory Agent');
    await window.treeRow('app-is-in-go').waitFor();
    await window.treeRow('library-is-frozen').waitFor();
    await window.treeRow('reference').nth(1).waitFor();
    await untilEqual(
      () => window.treeLabels(),
      [
        'app',
        'user',
        'feedback',
        'project',
        'app-is-in-go',
        'reference',
        'library',
        'user',
        'feedback',
        'project',
        'library-is-frozen',
        'reference',
      ],
    );
  });

  it('makes a new memory in the folder of the editor in front', async () => {
    await window.treeRow('library-is-frozen').click();
    await window.frontTab('library-is-frozen.md').waitFor();
    await window.pressInViewTitle('New');
    await window.pick('project');
    await window.answer('It is published every Monday');
    await window.treeRow('it-is-published-every-monday').waitFor();
    const file = 'it-is-published-every-monday.md';
    assert.equal(fs.existsSync(path.join(library, '.memory', file)), true);
    assert.equal(fs.existsSync(path.join(app, '.memory', file)), false);
    await untilEqual(() => window.treeDescription('library'), '2');
  });

  it('follows a change of the branch', async function () {
    skipWithoutGit(this);
    git(app, 'init', '--quiet', '--initial-branch=main');
    git(app, 'add', '--force', '.memory/app-is-in-go.md');
    git(app, 'commit', '--quiet', '-m', 'Start');
    git(app, 'checkout', '--quiet', '-b', 'parser');
    remember(app, 'parser-is-in-rust', 'The parser is written in Rust');
    git(app, 'add', '--force', '.memory/parser-is-in-rust.md');
    git(app, 'commit', '--quiet', '-m', 'Begin a parser');
    await window.treeRow('parser-is-in-rust').waitFor();
    git(app, 'checkout', '--quiet', 'main');
    await window.treeRow('parser-is-in-rust').waitFor({ state: 'detached' });
    git(app, 'checkout', '--quiet', 'parser');
    await window.treeRow('parser-is-in-rust').waitFor();
  });

  it('goes on when the whole folder of memories is deleted', async () => {
    await window.treeRow('app-is-in-go').click();
    await window.frontTab('app-is-in-go.md').waitFor();
    fs.rmSync(path.join(app, '.memory'), { recursive: true });
    await window.treeRow('app').and(window.page.getByLabel('app, number of memories: 0')).waitFor();
    await window.clearNotifications();
    const answer = await window.chat.ask('@memory What did I tell you about my preferences?');
    assert.match(answer, /The library is frozen/);
    assert.doesNotMatch(answer, /The app is/);
    await window.chat.ask('@memory /remember project: The app is written in Zig.');
    await window.treeRow('the-app-is-written-in-zig').waitFor();
  });
});

function remember(folder: string, name: string, description: string): void {
  const memory = path.join(folder, '.memory');
  fs.mkdirSync(memory, { recursive: true });
  const fields = `name: ${name}\ndescription: ${description}\ntype: project\n`;
  fs.writeFileSync(path.join(memory, `${name}.md`), `---\n${fields}---\n\n${description}.\n`);
}
