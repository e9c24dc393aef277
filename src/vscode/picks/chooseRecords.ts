// The memories that a command is for: those of the rows it was given, else one that the person picks. A row of the
// tree may be older than its file, so each is looked up before anything happens.

import * as vscode from 'vscode';
import { MAX_DESCRIPTION, type DamagedRecord, type MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { pathOfArgument } from './pathOfArgument.ts';
import { pickGroup } from './pickGroup.ts';

interface RecordChoice {
  /** What VS Code passed: the row, then all that are selected. Nothing from the palette. */
  readonly args: readonly unknown[];
  readonly placeHolder: string;
  /** Those that the command is for. Others among the selected rows are left out. */
  readonly fits?: (record: MemoryRecord) => boolean;
  /** Said where there is none to pick. */
  readonly nothing: string;
}

/** None when the person leaves, or has been told that there is nothing to pick. */
export async function chooseRecords(
  scopes: MemoryScopes,
  { args, placeHolder, fits = () => true, nothing }: RecordChoice,
): Promise<readonly MemoryRecord[]> {
  const { records, damaged } = await scopes.list();
  const paths = pathsIn(args);
  const gone = paths.find((path) => ![...records, ...damaged].some((each) => each.path === path));
  if (gone !== undefined) throw goneError(gone);
  if (paths.length > 0) return records.filter((record) => paths.includes(record.path)).filter(fits);
  const picked = await pickOne(scopes, { records: records.filter(fits), placeHolder, nothing });
  return records.filter((record) => record.path === picked);
}

/** The path of the one memory to open, damaged or not. */
export async function choosePath(
  scopes: MemoryScopes,
  argument: unknown,
): Promise<string | undefined> {
  const { records, damaged } = await scopes.list();
  const path = pathOfArgument(argument);
  if (path === undefined)
    return pickOne(scopes, {
      records: [...records, ...damaged],
      placeHolder: vscode.l10n.t('Choose a memory to edit'),
      nothing: vscode.l10n.t('Nothing is remembered yet.'),
    });
  if (![...records, ...damaged].some((each) => each.path === path)) throw goneError(path);
  return path;
}

function pathsIn([row, selection]: readonly unknown[]): readonly string[] {
  const several: readonly unknown[] = Array.isArray(selection) ? selection : [];
  return (several.length > 0 ? several : [row])
    .map(pathOfArgument)
    .filter((path) => path !== undefined);
}

async function pickOne(
  scopes: MemoryScopes,
  given: {
    readonly records: readonly (MemoryRecord | DamagedRecord)[];
    readonly placeHolder: string;
    readonly nothing: string;
  },
): Promise<string | undefined> {
  const { records, placeHolder, nothing } = given;
  if (records.length === 0) {
    void vscode.window.showInformationMessage(nothing);
    return undefined;
  }
  const groups = [...Map.groupBy(records, (record) => scopes.scopeOf(record))];
  const items = groups.flatMap(([scope, some]) =>
    scope && groups.length > 1 ? pickGroup(scopeLabel(scope), some.map(itemOf)) : some.map(itemOf),
  );
  const options = { placeHolder, matchOnDescription: true };
  return (await vscode.window.showQuickPick<Item>(items, options))?.path;
}

type Item = vscode.QuickPickItem & { readonly path?: string };

function itemOf(record: MemoryRecord | DamagedRecord): Item {
  if ('problem' in record) {
    const { file, problem, path } = record;
    return { label: plainLine(file), description: plainLine(sentenceText(problem)), path };
  }
  const { name, description, path } = record;
  const shown = shorten(plainLine(description), MAX_DESCRIPTION);
  return { label: plainLine(name), description: shown, path };
}

function goneError(path: string): Error {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return new Error(vscode.l10n.t('{0} is no longer there. Refresh the list.', file));
}
