import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { isReadOnlyCommand } from '../../../../../src/agent/tools/readOnlyCommand/readOnlyCommand.ts';
import { git, skipWithoutGit } from '../../../../support/git.ts';
import { rowsOf } from '../../../../support/tableRows.ts';
import { useTempFolder, writeTree } from '../../../../support/tempFolder.ts';

const READ_ONLY = String.raw`
  git status
  git --no-pager status -sb
  git status --porcelain=v2 --untracked-files=no src
  git status -uno
  git log
  git log --oneline -5
  git log -n 5 --format='%h %s' -- src
  git log -p -U5 HEAD~3..HEAD
  git log --since '2 days ago' --author=ana --grep fix
  git log -S foo -L 1,2:a.txt
  git log --graph --all --decorate
  git diff
  git diff --stat HEAD^ -- a.txt
  git diff --cached --name-only
  git diff -M --word-diff=color main...topic
  git show
  git show HEAD:a.txt
  git show 'HEAD@{1}' --stat
  git show :a.txt
  git branch
  git branch -avv
  git branch --show-current
  git branch --list 'feature/*'
  git branch --contains HEAD
  git branch --merged main --sort=-committerdate
  git tag
  git tag -l 'v*'
  git tag --list 'v*' --sort=v:refname
  git tag -n3
  git remote
  git stash list
  git stash list --oneline
  git rev-parse HEAD
  git rev-parse --abbrev-ref HEAD
  git rev-parse --show-toplevel
  git ls-files
  git ls-files -o --exclude-standard src
  git blame -L 1,2 a.txt
  git describe --tags --always
  git shortlog -sn HEAD
  git --version
  git rev-list --count HEAD
  git merge-base main HEAD
  git cat-file -p HEAD:a.txt
  git reflog -n 10
  git ls-tree -r --name-only HEAD src
  git check-ignore -v src/x.ts
  git grep -n foo
  git grep -in -e 'foo' -- src
  git status && git diff | head -n 20
`;

const NOT_READ_ONLY = String.raw`
  git
  git --version --build-options
  git -c alias.x='!sh' x
  git -c core.fsmonitor=./x status
  git -C .. status
  git --git-dir=x status
  git --work-tree=.. status
  git --exec-path=. status
  git --no-pager --paginate log
  git -p log
  git add .
  git commit -m x
  git checkout a.txt
  git restore a.txt
  git reset --hard
  git clean -fd
  git push
  git pull
  git fetch
  git gc
  git config user.name x
  git config --list
  git init
  git apply a.txt
  git grep -O foo
  git grep --open-files-in-pager=./x foo
  git grep --no-index foo
  git grep --recurse-submodules foo
  git grep -f ../secret
  git grep foo ../secret
  git reflog delete HEAD@{1}
  git rev-list --use-bitmap-index --objects HEAD
  git cat-file --batch
  git cat-file --filters HEAD:a.txt
  git difftool
  git archive -o x HEAD
  git format-patch HEAD
  git notes add
  git worktree add x
  git submodule update
  git update-index --refresh
  git reflog expire --all
  git bisect start
  git help log
  git x
  git status --outp=x
  git status; git commit -m x
  git log --output=x
  git log --output x
  git log --outp=x
  git diff --output=x
  git show --output=x
  git diff --ext-diff
  git log -p --ext-diff
  git diff --textconv
  git diff --no-index a.txt src/x.ts
  git diff -O../secret
  git diff --submodule=log
  git diff /etc/passwd /etc/group
  git diff a.txt ../secret
  git diff link-outside a.txt
  git diff -- ../secret a.txt
  git show HEAD:../secret
  git log --show-signature
  git log --format=%G?
  git log --format='%h %+G?'
  git log --format '%-GK'
  git log --pretty='%GS'
  git log --pretty=format:'%C(auto)%G?'
  git log --no-index
  git log --ignore-submodules
  git branch new
  git branch new HEAD
  git branch -- new
  git branch -v new
  git branch --sort=refname new
  git branch -d main
  git branch -D main
  git branch -m new
  git branch -f main HEAD
  git branch -l new
  git branch --show-current new
  git branch -a new
  git branch --format='%(signature)'
  git branch --edit-description
  git branch --set-upstream-to=x
  git branch -u x
  git branch --no-list new
  git tag new
  git tag -- new
  git tag -a new -m x
  git tag -d new
  git tag -n new
  git tag -v new
  git tag -ld x
  git remote -v
  git remote add x y
  git remote show origin
  git remote update
  git remote -v update
  git remote prune origin
  git stash
  git stash push
  git stash -- list
  git stash push -- list
  git stash list -p
  git stash list -- x
  git stash drop
  git stash --list
  git describe --dirty
  git rev-parse --git-path
  git rev-parse --parseopt
  git ls-files -X ../secret
  git ls-files --exclude-from=../secret
  git ls-files ../
  git blame --contents ../secret a.txt
  git blame ../secret
  git cat-file --textconv HEAD:a.txt
`;

/** As git reads them, in a repository that is otherwise as it was made. */
const HARMFUL_SETTINGS = [
  '[core]\n\tfsmonitor = ./x\n',
  '[core]\n\tFSMonitor = ./x\n',
  '[CORE]\n\tfsmonitor = ./x\n',
  '[core] fsmonitor = ./x\n',
  '[core]\n\tfilemode = true\\\n[user]\n\tname = x\n',
  '[core]\n\thooksPath = hooks\n',
  '[core]\n\tworktree = ../..\n',
  '[core]\n\tattributesFile = ../x\n',
  '[core]\n\tpager = ./x\n',
  '[diff]\n\texternal = ./x\n',
  '[diff "x"]\n\ttextconv = ./x\n',
  '[diff.x]\n\ttextconv = ./x\n',
  '[filter "x"]\n\tclean = ./x\n',
  '[gpg]\n\tprogram = ./x\n',
  '[log]\n\tshowSignature = true\n',
  '[alias]\n\tstatus = !./x\n',
  '[include]\n\tpath = ../x\n',
  '[includeIf "gitdir:/"]\n\tpath = ../x\n',
  '[extensions]\n\tworktreeConfig = true\n',
  '[submodule "x"]\n\tactive = true\n',
  '[remote "origin"]\n\tpromisor = true\n',
  '[remote "origin"]\n\tuploadpack = ./x\n',
  '[constructor]\n\tname = x\n',
];

describe('a git command that only reads', function () {
  if (process.platform === 'win32') return;
  const root = useTempFolder();
  const workspace = () => path.join(root.path, 'workspace');
  const at = (name: string) => path.join(workspace(), name);

  beforeEach(async function () {
    skipWithoutGit(this);
    await writeTree(root.path, {
      secret: 'outside',
      'workspace/a.txt': 'foo\n',
      'workspace/src/x.ts': '',
    });
    await fs.symlink('../secret', at('link-outside'));
    // What git makes takes longer than the tests; one that commits is made where it matters.
    await writeTree(workspace(), {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config':
        '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n' +
        '[remote "origin"]\n\turl = https://host/x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' +
        '# a comment\n; another\n\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
    });
    for (const name of ['objects', 'refs']) await fs.mkdir(at(`.git/${name}`));
  });

  const PATH = '/usr/local/bin:/usr/bin:/bin';
  const judge = (command: string, env: NodeJS.ProcessEnv = {}) =>
    isReadOnlyCommand(command, { folders: [workspace()], env: { PATH, ...env } });

  for (const command of rowsOf(READ_ONLY)) {
    it(`may be ${JSON.stringify(command)}`, async () => {
      assert.equal(await judge(command), true);
    });
  }

  for (const command of rowsOf(NOT_READ_ONLY)) {
    it(`is not ${JSON.stringify(command)}`, async () => {
      assert.equal(await judge(command), false);
    });
  }

  it('may be one in a repository as git makes it', async () => {
    await fs.rm(at('.git'), { recursive: true });
    git(workspace(), 'init', '--quiet');
    git(workspace(), 'add', '.');
    git(workspace(), 'commit', '--quiet', '-m', 'x');
    assert.equal(await judge('git status'), true);
  });

  for (const setting of HARMFUL_SETTINGS) {
    it(`is none in a repository that says ${JSON.stringify(setting)}`, async () => {
      await fs.appendFile(at('.git/config'), setting);
      assert.equal(await judge('git status'), false);
    });
  }

  it('is none where git would look for its repository elsewhere', async () => {
    for (const name of ['HEAD', 'objects', 'refs']) {
      await fs.rename(at(`.git/${name}`), at('away'));
      assert.equal(await judge('git status'), false, name);
      await fs.rename(at('away'), at(`.git/${name}`));
    }
    for (const name of ['commondir', 'config.worktree', 'modules/x', 'sharedindex.0']) {
      await writeTree(workspace(), { [`.git/${name}`]: 'x' });
      assert.equal(await judge('git status'), false, name);
      await fs.rm(at(`.git/${name.split('/')[0]}`), { recursive: true });
    }
    await fs.writeFile(at('.git/HEAD'), 'nonsense');
    assert.equal(await judge('git status'), false);
  });

  it('is none in a folder that only belongs to a repository, or holds it behind a link', async () => {
    await fs.rename(at('.git'), path.join(root.path, '.git'));
    assert.equal(await judge('git status'), false);
    await fs.symlink('../.git', at('.git'));
    assert.equal(await judge('git status'), false);
    await fs.rm(at('.git'));
    await fs.writeFile(at('.git'), 'gitdir: ../.git\n');
    assert.equal(await judge('git status'), false);
  });

  it('is none where another repository lies within, whose settings would count as well', async () => {
    await fs.rm(at('.git'), { recursive: true });
    git(workspace(), 'init', '--quiet');
    const commit = 'a'.repeat(40);
    git(workspace(), 'update-index', '--add', '--cacheinfo', `160000,${commit},inner`);
    assert.equal(await judge('git status'), false);
  });

  it('is none where a hook runs when git looks', async () => {
    await writeTree(workspace(), { '.git/hooks/post-index-change': '' });
    assert.equal(await judge('git status'), false);
  });

  it('is none where a file of git is a link, as git shows lines of it', async () => {
    const places = ['shallow', 'packed-refs', 'rebase-merge/done', 'logs/refs/stash', 'config'];
    for (const name of [...places, 'objects/pack', 'objects/ab', 'refs/heads/x', 'index']) {
      const target = at(`.git/${name}`);
      await fs.rename(target, at('away')).catch(() => undefined);
      await fs.mkdir(path.dirname(target), { recursive: true });
      await fs.symlink(path.join(root.path, 'secret'), target);
      assert.equal(await judge('git status'), false, name);
      await fs.rm(target);
      await fs.rename(at('away'), target).catch(() => undefined);
      assert.equal(await judge('git status'), true, name);
    }
    await fs.symlink('/tmp', at('.git/hooks'));
    assert.equal(await judge('git status'), true);
  });

  it('is none where git takes objects from elsewhere', async () => {
    await writeTree(workspace(), { '.git/objects/info/alternates': '/elsewhere/.git/objects\n' });
    assert.equal(await judge('git status'), false);
  });

  it('is none where the environment leads git elsewhere', async () => {
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_EXTERNAL_DIFF', 'GIT_CONFIG_COUNT'])
      assert.equal(await judge('git status', { [name]: 'x' }), false, name);
    for (const name of ['GIT_AUTHOR_NAME', 'GIT_EDITOR', 'GIT_SSL_CAINFO', 'GIT_LFS_SKIP_SMUDGE'])
      assert.equal(await judge('git status', { [name]: 'x' }), true, name);
  });
});
