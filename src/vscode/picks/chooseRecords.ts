// The memories that a command is for: those of the rows it was given, else one that the person picks. A row of the
// tree may be older than its file, so each is looked up before anything happens.

import path from 'node:path';
import * as vscode from 'vscode';
import { MAX_DESCRIPTION, type DamagedRecord, type MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { TYPE_ICONS } from '../text/typeIcons.ts';
import { pathOfArgument } from './pathOfArgument.ts';
import { pickGroup } from './pickGroup.ts';

interface FileChoice {
  /** What VS Code passed: the row, then all that are selected. Nothing from the palette. */
  readonly args: readonly unknown[];
  readonly placeHolder: string;
  /** Said where there is none to pick. */
  readonly nothing: string;
}

interface RecordChoice extends FileChoice {
  /** Those that the command is for. Others among the selected rows are left out. */
  readonly fits?: (record: MemoryRecord) => boolean;
}

/** None when the person leaves, or has been told that there is nothing to pick. */
export async function chooseRecords(
  scopes: MemoryScopes,
  { fits = () => true, ...choice }: RecordChoice,
): Promise<readonly MemoryRecord[]> {
  const { records, damaged } = await scopes.list();
  const given = filesIn<MemoryRecord | DamagedRecord>(choice.args, [...records, ...damaged]);
  if (given.length === 0) return pickOne(scopes, records.filter(fits), choice);
  const readable = given.filter((file) => 'hash' in file);
  const [broken] = given;
  if (readable.length === 0 && broken) throw damagedError(broken.file);
  return readable.filter(fits);
}

/** For a command on a single one: of several selected rows, the one that it was called on. */
export async function chooseRecord(
  scopes: MemoryScopes,
  choice: FileChoice,
): Promise<MemoryRecord | undefined> {
  const [record] = await chooseRecords(scopes, forOne(choice));
  return record;
}

/** Of all files, the damaged ones included. None when the person leaves. */
export async function chooseFiles(
  scopes: MemoryScopes,
  choice: FileChoice,
): Promise<readonly (MemoryRecord | DamagedRecord)[]> {
  const { records, damaged } = await scopes.list();
  const files = [...records, ...damaged];
  const given = filesIn(choice.args, files);
  return given.length > 0 ? given : pickOne(scopes, files, choice);
}

/** Like `chooseRecord`, of all files. */
export async function chooseFile(
  scopes: MemoryScopes,
  choice: FileChoice,
): Promise<MemoryRecord | DamagedRecord | undefined> {
  const [file] = await chooseFiles(scopes, forOne(choice));
  return file;
}

function forOne(choice: FileChoice): FileChoice {
  const [row] = choice.args;
  const [first] = pathsIn(choice.args);
  return { ...choice, args: [pathOfArgument(row) ?? first] };
}

/** Without a row, as from a key, the selection is what counts. */
function pathsIn([row, selection]: readonly unknown[]): readonly string[] {
  const several: readonly unknown[] = Array.isArray(selection) ? selection : [];
  return (several.length > 0 ? several : [row])
    .map(pathOfArgument)
    .filter((path) => path !== undefined);
}

/** What is meant by the rows, as it is now. */
function filesIn<File extends MemoryRecord | DamagedRecord>(
  args: readonly unknown[],
  files: readonly File[],
): readonly File[] {
  const paths = new Set(pathsIn(args));
  const present = new Set(files.map(({ path }) => path));
  const missing = [...paths].find((path) => !present.has(path));
  if (missing !== undefined) throw goneError(missing);
  return files.filter(({ path }) => paths.has(path));
}

async function pickOne<File extends MemoryRecord | DamagedRecord>(
  scopes: MemoryScopes,
  files: readonly File[],
  { placeHolder, nothing }: FileChoice,
): Promise<readonly File[]> {
  if (files.length === 0) {
    void vscode.window.showInformationMessage(nothing);
    return [];
  }
  const groups = [...Map.groupBy(files, (file) => scopes.scopeOf(file))];
  const items = groups.flatMap(([scope, some]) =>
    scope && groups.length > 1 ? pickGroup(scopeLabel(scope), some.map(itemOf)) : some.map(itemOf),
  );
  const options = { placeHolder, matchOnDescription: true };
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem>(items, options);
  return files.filter((file) => picked && 'path' in picked && picked.path === file.path);
}

function itemOf(record: MemoryRecord | DamagedRecord) {
  if ('problem' in record) {
    const { file, problem, path } = record;
    const icon = new vscode.ThemeIcon('warning');
    const description = plainLine(sentenceText(problem));
    return { label: plainLine(file), description, iconPath: icon, path };
  }
  const { name, description, type, path } = record;
  const shown = shorten(plainLine(description), MAX_DESCRIPTION);
  const icon = new vscode.ThemeIcon(TYPE_ICONS[type]);
  return { label: plainLine(name), description: shown, iconPath: icon, path };
}

function goneError(gone: string): Error {
  const file = path.basename(gone);
  return new Error(vscode.l10n.t('{0} is no longer there. Refresh the list.', plainLine(file)));
}

function damagedError(file: string): Error {
  return new Error(vscode.l10n.t('{0} is damaged. Open it and repair it first.', plainLine(file)));
}
