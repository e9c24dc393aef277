// "Restore Deleted": what was deleted and what was written over, of all scopes, the newest first. An earlier version
// can be compared with the text of now before it takes its place.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { infoIfPresent } from '../../base/files.ts';
import type { Change } from '../../memory/change.ts';
import type { TrashedFile } from '../../memory/folder/trash.ts';
import { MAX_DESCRIPTION } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { pickOne, type PickItem } from '../picks/buttonPick.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { relativeTime } from '../text/relativeTime.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { TYPE_ICONS } from '../text/typeIcons.ts';
import { tellDone } from './tellDone.ts';
import { trashedTexts, type TrashedText } from './trashedTexts.ts';

export async function restoreMemory(
  scopes: MemoryScopes,
  notify: (changes: readonly Change[]) => void,
): Promise<void> {
  const trashed = await trashedTexts(scopes);
  if (trashed.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty.'));
    return;
  }
  const severalScopes = new Set(trashed.map(({ scope }) => scope)).size > 1;
  const itemsOf = (kind: TrashedFile['kind']) =>
    trashed.filter(({ file }) => file.kind === kind).map((each) => itemOf(each, severalScopes));
  const picked = await pickOne<TrashedText>({
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
  if (picked?.record) notify([await picked.scope.store.restore(picked.file)]);
  else if (picked) await restoreDamaged(scopes, picked);
}

/** A file that could not be read when it went comes back as it was. */
async function restoreDamaged(scopes: MemoryScopes, { file, scope }: TrashedText): Promise<void> {
  const group = randomUUID();
  const back = await scope.store.damaged.restore(file, group);
  const uri = vscode.Uri.file(path.join(scope.store.folder, back));
  void tellDone(scopes, {
    text: vscode.l10n.t('{0} is back, as damaged as it was.', plainLine(back)),
    group,
    actions: [
      { label: vscode.l10n.t('Open'), run: async () => vscode.window.showTextDocument(uri) },
    ],
  });
}

function itemOf(value: TrashedText, namesScope: boolean): PickItem<TrashedText> {
  const { file, scope, record } = value;
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
    label: plainLine(record?.name ?? file.file),
    iconPath: new vscode.ThemeIcon(record ? TYPE_ICONS[record.type] : 'warning'),
    description: facts.join(' · '),
    detail: record
      ? shorten(plainLine(record.description), MAX_DESCRIPTION)
      : vscode.l10n.t('It cannot be read as a memory.'),
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
    'a link followed': vscode.l10n.t('a link in it followed'),
    'an earlier text was restored': vscode.l10n.t('an earlier text was restored'),
    'replaced by the generated index': vscode.l10n.t('replaced by the generated index'),
  };
  const [, merged] = /^consolidation: merged into (.+)$/s.exec(reason) ?? [];
  if (merged !== undefined) return vscode.l10n.t('consolidated into {0}', plainLine(merged));
  const [, because] = /^consolidation: (.+)$/s.exec(reason) ?? [];
  if (because !== undefined) return vscode.l10n.t('consolidated: {0}', withoutStop(because));
  return texts[reason] ?? plainLine(reason);
}

/** What a model gives as its reason is a sentence; here more stands behind it. */
function withoutStop(reason: string): string {
  return plainLine(reason).replace(/[.。]$/u, '');
}

async function show({ file, scope }: TrashedText): Promise<void> {
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
