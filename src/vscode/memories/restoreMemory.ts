// "Restore Deleted": what was deleted and what was written over, of all scopes, the newest first. An earlier version
// can be compared with the text of now before it takes its place.

import path from 'node:path';
import * as vscode from 'vscode';
import { infoIfPresent } from '../../base/files.ts';
import type { Change } from '../../memory/change.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import type { TrashedFile } from '../../memory/folder/trash.ts';
import { pickOne, type PickItem } from '../picks/buttonPick.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { plainLine } from '../text/plainText.ts';
import { relativeTime } from '../text/relativeTime.ts';
import { scopeLabel } from '../text/scopeLabel.ts';

interface Trashed {
  readonly file: TrashedFile;
  readonly scope: Scope;
}

export async function restoreMemory(
  scopes: MemoryScopes,
  notify: (changes: readonly Change[]) => void,
): Promise<void> {
  const perScope = await Promise.all(scopes.all.map(trashOf));
  const trashed = perScope.flat().toSorted((a, b) => (a.file.removed > b.file.removed ? -1 : 1));
  if (trashed.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty.'));
    return;
  }
  const severalScopes = perScope.filter((some) => some.length > 0).length > 1;
  const itemsOf = (kind: TrashedFile['kind']) =>
    trashed.filter(({ file }) => file.kind === kind).map((each) => itemOf(each, severalScopes));
  const picked = await pickOne<Trashed>({
    title: vscode.l10n.t('Restore Deleted'),
    placeholder: vscode.l10n.t('Choose what to bring back'),
    items: [
      ...pickGroup(vscode.l10n.t('Deleted'), itemsOf('removed')),
      ...pickGroup(vscode.l10n.t('Earlier versions'), itemsOf('replaced')),
    ],
    onButton: async ({ value }) => {
      if (value) await show(value);
    },
  });
  if (picked) notify([await picked.scope.store.restore(picked.file)]);
}

async function trashOf(scope: Scope): Promise<readonly Trashed[]> {
  return (await scope.store.trashed()).map((file) => ({ file, scope }));
}

function itemOf(value: Trashed, namesScope: boolean): PickItem<Trashed> {
  const { file, scope } = value;
  const facts = [
    reasonText(file.reason),
    relativeTime(Date.parse(file.removed), Date.now()),
    ...(namesScope ? [scopeLabel(scope)] : []),
  ];
  const button =
    file.kind === 'replaced'
      ? { iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Compare with Now') }
      : { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: vscode.l10n.t('Show Text') };
  return {
    label: plainLine(file.file),
    description: facts.join(' · '),
    buttons: [button],
    value,
  };
}

/** The reasons that our own commands give are told in the person's language, others as they are. */
function reasonText(reason: string): string {
  const texts: Readonly<Record<string, string>> = {
    deleted: vscode.l10n.t('deleted'),
    expired: vscode.l10n.t('expired'),
    moved: vscode.l10n.t('moved'),
    renamed: vscode.l10n.t('renamed'),
    updated: vscode.l10n.t('updated'),
    undone: vscode.l10n.t('undone'),
    'an earlier text was restored': vscode.l10n.t('an earlier text was restored'),
  };
  return texts[reason] ?? plainLine(reason);
}

async function show({ file, scope }: Trashed): Promise<void> {
  const then = vscode.Uri.file(file.path);
  const now = path.join(scope.store.folder, file.file);
  const options = { preview: true, preserveFocus: true };
  if (file.kind === 'replaced' && (await infoIfPresent(now))) {
    const title = vscode.l10n.t('{0}: earlier ↔ now', plainLine(file.file));
    await vscode.commands.executeCommand('vscode.diff', then, vscode.Uri.file(now), title, options);
  } else {
    await vscode.window.showTextDocument(then, options);
  }
}
