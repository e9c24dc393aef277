// The sub-commands of git that only read, each with the flags that keep it so. Left out on purpose is what writes
// to a file (`--output`), runs a program (`--ext-diff`, `--show-signature`), compares files outside of the
// repository (`--no-index`), goes into other repositories (`--submodule`) or asks another machine (`remote show`).
// What stays is that `git diff` may renew what the index remembers of the times of files.

import { readArguments, type Arguments, type KnownFlags } from './commandArguments.ts';

interface Subcommand extends KnownFlags {
  /** Whether it only reads when it is given so, where known flags alone do not tell. */
  readonly allows?: (given: Arguments) => boolean;
}

/** How differences are shown. */
const DIFF_LONG =
  'patch no-patch stat? numstat shortstat dirstat? summary name-only name-status raw patch-with-stat ' +
  'unified= color? no-color word-diff? color-words? cached staged ignore-space-change ignore-all-space ' +
  'ignore-blank-lines ignore-space-at-eol find-renames? no-renames find-copies? diff-filter= minimal patience ' +
  'histogram diff-algorithm= function-context text binary full-index abbrev? no-prefix exit-code quiet ' +
  'check merge-base relative? no-ext-diff no-textconv inter-hunk-context= pickaxe-regex pickaxe-all cc ';
const DIFF_SHORT = 'pusbwaRzWcM?C?B?U:S:G:';
const LOG_LONG =
  DIFF_LONG +
  'oneline graph decorate? no-decorate format= pretty? abbrev-commit no-abbrev-commit all branches? tags? ' +
  'remotes? author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings ' +
  'since= after= until= before= max-count= skip= reverse follow merges no-merges first-parent date= ' +
  'relative-date topo-order date-order author-date-order left-right cherry-pick cherry-mark left-only ' +
  'right-only parents children ancestry-path full-history simplify-by-decoration name-rev source no-walk? ' +
  'boundary show-pulls';
const LOG_SHORT = DIFF_SHORT + 'iEFn:L:';

const SUBCOMMANDS: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  [
    'status',
    {
      short: 'sbvzu?',
      long: 'short branch porcelain? long verbose untracked-files? ignored? show-stash ahead-behind no-ahead-behind',
    },
  ],
  ['log', { short: LOG_SHORT, long: LOG_LONG, takesNumber: true, allows: asksForNoSignature }],
  ['show', { short: LOG_SHORT, long: LOG_LONG, takesNumber: true, allows: asksForNoSignature }],
  ['shortlog', { short: 'nsec', long: 'numbered summary email all since= until= no-merges' }],
  ['diff', { short: DIFF_SHORT, long: DIFF_LONG }],
  [
    'blame',
    {
      short: 'lstfnwecL:M?C?',
      long: 'line-porcelain porcelain show-email show-name show-number date= root',
    },
  ],
  [
    'branch',
    {
      short: 'arvi',
      long:
        'all remotes verbose list show-current ignore-case contains= no-contains= merged= no-merged= points-at= ' +
        'sort= color? no-color abbrev? no-abbrev',
      allows: onlyLists,
    },
  ],
  [
    'tag',
    {
      short: 'iln?',
      long: 'list ignore-case contains= no-contains= merged= no-merged= points-at= sort= color?',
      allows: (given) => onlyLists(given) || given.flags.includes('-l'),
    },
  ],
  // With addresses it would show the passwords that the person's own settings put into them.
  ['remote', { allows: hasNoOperands }],
  ['stash list', { long: 'oneline date= max-count=', takesNumber: true, allows: hasNoOperands }],
  [
    'describe',
    {
      long: 'tags all always long abbrev= match= exclude= exact-match candidates= contains first-parent',
    },
  ],
  [
    'rev-parse',
    {
      short: 'q',
      long:
        'verify quiet short? abbrev-ref? symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir ' +
        'absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository ' +
        'is-shallow-repository show-object-format all branches? tags? remotes?',
    },
  ],
  [
    'rev-list',
    {
      short: 'n:',
      long:
        'count all branches? tags? remotes? max-count= skip= since= after= until= before= author= grep= reverse ' +
        'merges no-merges first-parent left-right left-only right-only oneline abbrev-commit',
      takesNumber: true,
    },
  ],
  ['merge-base', { short: 'a', long: 'all octopus independent is-ancestor fork-point' }],
  ['cat-file', { short: 'ptse' }],
  ['reflog', { short: 'n:', long: 'max-count= date=', takesNumber: true, allows: hasNoOperands }],
  ['ls-tree', { short: 'rtdlz', long: 'name-only long full-name full-tree abbrev?' }],
  ['check-ignore', { short: 'vqn', long: 'verbose quiet non-matching no-index' }],
  [
    'grep',
    {
      short: 'nilLcwvEFGPhHoqe:A:B:C:',
      long:
        'line-number ignore-case files-with-matches name-only files-without-match count word-regexp invert-match ' +
        'extended-regexp fixed-strings basic-regexp perl-regexp only-matching quiet cached untracked and or not ' +
        'all-match after-context= before-context= context= max-depth= max-count= heading break column ' +
        'function-context show-function color? no-color full-name',
    },
  ],
  [
    'ls-files',
    {
      short: 'cdmostukzvx:',
      long:
        'cached deleted modified others stage unmerged killed ignored exclude-standard exclude= directory ' +
        'no-empty-directory full-name error-unmatch abbrev? eol deduplicate',
    },
  ],
]);

/**
 * What git could take for the path of a file: all that is not a flag, as a file outside of the repository would be
 * compared as well. Undefined when something in the arguments is not understood.
 */
export function gitPaths(args: readonly string[]): readonly string[] | undefined {
  if (args[0] === '--version' && args.length === 1) return [];
  const [first = '', ...others] = args[0] === '--no-pager' ? args.slice(1) : args;
  // The word right behind it decides: `git stash -- list` puts a file away that is called so.
  const isStash = first === 'stash';
  const subcommand = SUBCOMMANDS.get(isStash ? `stash ${others[0]}` : first);
  const given = subcommand && readArguments(isStash ? others.slice(1) : others, subcommand);
  if (!given || subcommand?.allows?.(given) === false) return undefined;
  return [...given.operands, ...given.paths];
}

function hasNoOperands({ operands }: Arguments): boolean {
  return operands.length === 0;
}

/** A name that is not asked for as a pattern is that of a new branch or tag. */
function onlyLists(given: Arguments): boolean {
  return hasNoOperands(given) || given.flags.includes('--list');
}

/** A format can ask for the signature, as in `%G?` and `%+G?`, and that is checked by a program. */
function asksForNoSignature({ values }: Arguments): boolean {
  return !values.some((value) => /%.*G/s.test(value));
}
