// Which memories git may take: none, but for those that the person shares, each by a line of the folder's own
// .gitignore. Lines that the person wrote there stay as they are.

import path from 'node:path';
import { decodeUtf8 } from '../../base/decodeUtf8.ts';
import { kindIfPresent, readBytesIfPresent, writeFileAtomically } from '../../base/files.ts';
import { ignoringRule, trackedFiles } from '../../base/git.ts';
import { IGNORE_ALL, makeIgnoredFolder } from '../../base/ignoredFolder.ts';
import {
  GIT_IGNORES_CASE,
  nameInGit,
  parseIgnoreRules,
  ruleFor,
  RULES_FILE,
} from '../../base/ignoreRules.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import type { Sharing } from '../change.ts';
import { secretIn, secretKind } from '../secrets/secrets.ts';

const TAKE_RULES_BACK = `!${ruleFor(RULES_FILE)}`;
/** No pattern, which a person wrote for many. */
const TAKES_ONE_BACK = /^!\/(?:[^\\*?[]|\\.)+$/;

/**
 * Lets git take a record, and the rules with it, so that they hold in a clone too. `ignoredBy` is a rule
 * elsewhere that hides the record all the same, as `<where>:<line>:<pattern>`.
 */
export async function shareWithGit(
  folder: string,
  file: string,
): Promise<{ readonly isChanged: boolean; readonly ignoredBy?: string }> {
  const isChanged = await changeSharing(folder, { shared: [file], hidden: [] });
  const ignoredBy = await ignoringRule(folder, file);
  return { isChanged, ...(ignoredBy !== undefined && { ignoredBy }) };
}

/** Hides a record from git. What git tracks already it goes on tracking, until the person tells it not to. */
export async function keepPrivate(
  folder: string,
  file: string,
): Promise<{ readonly isChanged: boolean; readonly stillTracked: boolean }> {
  const isChanged = await changeSharing(folder, { shared: [], hidden: [file] });
  return { isChanged, stillTracked: (await trackedNames(folder)).has(comparable(file)) };
}

/** Changes what git takes by the rules of the folder; whether they are others now. What git tracks it goes on tracking. */
export async function changeSharing(folder: string, { shared, hidden }: Sharing): Promise<boolean> {
  return changeRules(folder, (text) => {
    const withRules = shared.length > 0 ? takeBack(text, RULES_FILE) : text;
    return withoutNeed(hidden.reduce(hide, shared.reduce(takeBack, withRules)));
  });
}

/**
 * Takes back what `changeSharing` did. Throws, and changes nothing, when a file that git would take again is gone or
 * holds a secret by now, and when one that was only shared has another name by now.
 */
export async function takeBackSharing(folder: string, { shared, hidden }: Sharing): Promise<void> {
  for (const file of hidden) {
    const bytes = await readBytesIfPresent(path.join(folder, file));
    if (!bytes) throw goneError(file);
    const rule = secretIn(decodeUtf8(bytes, file));
    if (rule !== undefined)
      throw new SentenceError(
        sentence`${file} holds ${secretKind(rule)} by now, so it is not shared again.`,
      );
  }
  const isChanged = await changeSharing(folder, { shared: hidden, hidden: shared });
  if (isChanged || hidden.length > 0) return;
  for (const file of shared)
    if ((await kindIfPresent(path.join(folder, file))) === undefined) throw goneError(file);
}

function goneError(file: string): SentenceError {
  return new SentenceError(sentence`${file} is gone by now; nothing was changed.`);
}

/** Those of `files` that git takes, by the rules of the folder or because it tracks them already. */
export async function sharedFiles(
  folder: string,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const bytes = await readBytesOfRules(folder);
  const rules = parseIgnoreRules(bytes?.toString('utf8') ?? '');
  const tracked = await trackedNames(folder);
  return new Set(files.filter((file) => tracked.has(comparable(file)) || !rules(file).ignored));
}

/** Tells the names that the folder's rules share one by one, whether or not a record has such a name. */
export async function sharedNames(folder: string): Promise<(file: string) => boolean> {
  const text = (await readBytesOfRules(folder))?.toString('utf8').replace(/^\uFEFF/, '') ?? '';
  const single = text.split(/\r?\n/).filter((line) => TAKES_ONE_BACK.test(line));
  const rules = parseIgnoreRules(IGNORE_ALL + single.join('\n'));
  return (file) => rules(file).unignored;
}

/** Like git, takes a .gitignore that is a link or a folder for none. */
async function readBytesOfRules(folder: string): Promise<Buffer | undefined> {
  const file = path.join(folder, RULES_FILE);
  return (await kindIfPresent(file)) === 'file' ? readBytesIfPresent(file) : undefined;
}

async function trackedNames(folder: string): Promise<ReadonlySet<string>> {
  return new Set([...((await trackedFiles(folder)) ?? [])].map(comparable));
}

function comparable(file: string): string {
  return GIT_IGNORES_CASE ? nameInGit(file).toLowerCase() : file;
}

/** Whether they are others now. */
async function changeRules(folder: string, change: (text: string) => string): Promise<boolean> {
  await makeIgnoredFolder(folder);
  const file = path.join(folder, RULES_FILE);
  const bytes = await readBytesIfPresent(file);
  const before = bytes && decodeUtf8(bytes, file);
  // It may have been taken away meanwhile.
  const after = change(before ?? IGNORE_ALL);
  if (after === before) return false;
  await writeFileAtomically(file, after);
  return true;
}

function takeBack(text: string, file: string): string {
  const rule = ruleFor(file);
  const rest = without(text, rule);
  // Rules above the folder may hide the file too, so it is not enough that these here do not.
  if (parseIgnoreRules(rest)(file).unignored) return rest;
  return withLast(without(rest, `!${rule}`), `!${rule}`);
}

function hide(text: string, file: string): string {
  const rule = ruleFor(file);
  const rest = without(text, `!${rule}`);
  if (parseIgnoreRules(rest)(file).ignored) return rest;
  return withLast(without(rest, rule), rule);
}

/** With nothing left to share the rules need not travel. If they have already, git goes on tracking them. */
function withoutNeed(text: string): string {
  const rest = without(text, TAKE_RULES_BACK);
  return /^\uFEFF?!/m.test(rest) ? text : rest;
}

/** The last rule that matches decides. */
function withLast(text: string, rule: string): string {
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  return text === '' || text.endsWith('\n') ? text + rule + newline : text + newline + rule;
}

function without(text: string, rule: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = text.slice(mark.length).split(/(?<=\n)/);
  const rest = mark + lines.filter((line) => line.replace(/\r?\n$/, '') !== rule).join('');
  // A file that ended without a newline still does.
  return text.endsWith('\n') || text === '' ? rest : rest.replace(/\r?\n$/, '');
}
