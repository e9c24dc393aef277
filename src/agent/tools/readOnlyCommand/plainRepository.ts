// Whether the settings that lie in a repository leave git alone with its files. Some name programs that git runs
// when it only reads, or places elsewhere, so a list of harmless ones decides, not one of harmful ones.

import path from 'node:path';
import { kindIfPresent, listFolder, readBytesIfPresent } from '../../../base/files.ts';

/** As git's own commands, hosts of repositories and editors write them. Lower case. */
const HARMLESS: Readonly<Record<string, string>> = {
  core:
    'repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol ' +
    'safecrlf longpaths quotepath protecthfs protectntfs untrackedcache abbrev',
  remote: 'url pushurl fetch tagopt prune gh-resolved',
  branch:
    'remote merge rebase pushremote description vscode-merge-base github-pr-owner-number ' +
    'github-pr-base-branch gk-merge-base',
  user: 'name email signingkey useconfigonly',
  commit: 'gpgsign',
  tag: 'gpgsign sort',
  pull: 'rebase ff',
  push: 'default autosetupremote followtags',
  fetch: 'prune prunetags',
  merge: 'conflictstyle ff',
  rebase: 'autosquash autostash',
  init: 'defaultbranch',
  lfs: 'repositoryformatversion',
};

const SECTION = /^\s*\[([A-Za-z][A-Za-z0-9-]*)(?: "[^"\\]*")?\]\s*$/;
/** A backslash at the end would go on in the next line. */
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)(?:\s*=.*[^\\]|\s*=)?\s*$/;
const BLANK = /^\s*([#;].*)?$/;
const HEAD = /^(ref: refs\/|[0-9a-f]{40})/;
/** Those of the person, and those that only say who they are or how another machine is reached. All others may lead elsewhere. */
const VARIABLES =
  /^GIT_(PAGER|EDITOR|SEQUENCE_EDITOR|TERMINAL_PROMPT|OPTIONAL_LOCKS|ASKPASS|SSH|SSH_COMMAND|(AUTHOR|COMMITTER|SSL|HTTP|PS1)_\w+|LFS_SKIP_SMUDGE|MERGE_AUTOEDIT|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM))$/;
/** The mode of another repository in the index, of which git would ask a git that runs there. */
const OTHER_REPOSITORY = Buffer.from([0, 0, 0xe0, 0]);
/** Git does not read them, or only one that is looked at. */
const UNREAD_FOLDERS = ['hooks', 'lfs'];
/** There are many, and what lies in them is of no use without its name. */
const OBJECT_FOLDER = /^[0-9a-f]{2}$/;
/** Runs when git has only renewed what it remembers of the times of files. */
const HOOK = 'post-index-change';

/** Whether `folder` is the top of such a repository. Throws when the disk cannot be looked at. */
export async function isPlainRepository(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (Object.keys(env).some((name) => /^GIT_/i.test(name) && !VARIABLES.test(name))) return false;
  const git = path.join(folder, '.git');
  if ((await kindIfPresent(git)) !== 'folder') return false;
  const entries = new Map((await listFolder(git)).map(({ name, kind }) => [name, kind]));
  // Else git takes it for no repository, and looks in the folders above.
  const isWhole = entries.get('objects') === 'folder' && entries.get('refs') === 'folder';
  const isElsewhere = ['commondir', 'modules', 'config.worktree'].some((name) => entries.has(name));
  if (!isWhole || isElsewhere) return false;
  // Part of the index may be in a second file.
  if ([...entries.keys()].some((name) => name.startsWith('sharedindex.'))) return false;
  if ((await kindIfPresent(path.join(git, 'hooks', HOOK))) !== undefined) return false;
  const readsElsewhere =
    (await kindIfPresent(path.join(git, 'objects', 'info', 'alternates'))) !== undefined;
  if (readsElsewhere || (await hasLink(git, UNREAD_FOLDERS))) return false;
  const [head, config, index] = await Promise.all(
    ['HEAD', 'config', 'index'].map((name) => readBytesIfPresent(path.join(git, name))),
  );
  return (
    HEAD.test(head?.toString() ?? '') &&
    hasHarmlessSettings(config?.toString() ?? '') &&
    index?.includes(OTHER_REPOSITORY) !== true
  );
}

/** Git shows lines of its own files when it says what goes on, and what is wrong with them. */
async function hasLink(folder: string, unread: readonly string[] = []): Promise<boolean> {
  for (const { name, kind } of await listFolder(folder)) {
    if (unread.includes(name)) continue;
    if (kind === 'link') return true;
    const isWorthALook = kind === 'folder' && !OBJECT_FOLDER.test(name);
    if (isWorthALook && (await hasLink(path.join(folder, name)))) return true;
  }
  return false;
}

/** Whether every line is understood, and none says more than is known to be harmless. */
function hasHarmlessSettings(config: string): boolean {
  let section = '';
  for (const line of config.split('\n')) {
    if (BLANK.test(line)) continue;
    const header = SECTION.exec(line)?.[1];
    const name = SETTING.exec(line)?.[1];
    if (header !== undefined) section = header.toLowerCase();
    else if (name === undefined || !isHarmless(section, name.toLowerCase())) return false;
  }
  return true;
}

function isHarmless(section: string, name: string): boolean {
  return Object.hasOwn(HARMLESS, section) && (HARMLESS[section] ?? '').split(' ').includes(name);
}
