// The changes of a turn one by one: each opens as a difference or as its file, and can be undone by itself, while the
// list stays open.

import * as vscode from 'vscode';
import { readBytesIfPresent } from '../../base/files.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import type { Outcome } from './changeOutcomes.ts';
import { figure } from '../text/figures.ts';
import { plainLine } from '../text/plainText.ts';
import { readOnlyText, showDifference, showText } from '../host/readOnlyText.ts';

interface Review {
  readonly outcomes: readonly Outcome[];
  /** How many memories wait to be accepted. */
  readonly proposed: number;
  readonly show: (outcome: Outcome) => Promise<void>;
  /** False when it stays as it is. */
  readonly undo: (outcome: Outcome) => Promise<boolean>;
  readonly showProposed: () => Promise<void>;
}

/** Without an outcome it stands for all that is proposed. */
type Item = vscode.QuickPickItem & { readonly outcome?: Outcome };

/** Resolves when the person leaves; rejects with what could not be done. */
export function reviewChanges(review: Review): Promise<void> {
  const list = vscode.window.createQuickPick<Item>();
  list.title = vscode.l10n.t('Changes to Memories');
  list.placeholder = vscode.l10n.t('Choose a change to look at it');
  list.items = itemsOf(review);
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  // What is shown takes the focus.
  list.ignoreFocusOut = true;
  return new Promise((resolve, reject) => {
    const run = (work: () => Promise<void>): void => {
      work().catch((error: unknown) => {
        reject(error);
        list.hide();
      });
    };
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      // Enter, while no item holds what was typed.
      if (!item) return;
      const { outcome } = item;
      if (outcome) return run(() => review.show(outcome));
      list.hide();
      run(review.showProposed);
    });
    list.onDidTriggerItemButton(({ item }) => {
      run(async () => {
        if (!item.outcome || !(await review.undo(item.outcome))) return;
        list.items = list.items.filter((other) => other !== item);
        if (list.items.length === 0) list.hide();
      });
    });
    list.onDidHide(() => {
      resolve();
      list.dispose();
    });
    list.show();
  });
}

/** An updated memory against its text before; one that is gone as it was; any other as its file. */
export async function showOutcome(outcome: Outcome, scopes: MemoryScopes): Promise<void> {
  const { kind, record } = outcome;
  const name = plainLine(record.name);
  if (kind === 'removed') {
    const text = readOnlyText(record.name, await textBefore(outcome, scopes));
    await showText(vscode.l10n.t('{0} (Deleted)', name), text);
    return;
  }
  const file = vscode.Uri.file(record.path);
  if (kind !== 'updated' && kind !== 'renamed') {
    await vscode.window.showTextDocument(file, { preview: true, preserveFocus: true });
    return;
  }
  await showDifference({
    name: record.name,
    before: await textBefore(outcome, scopes),
    after: file,
    title: vscode.l10n.t('{0} (Before ↔ Now)', name),
  });
}

/** The text that the first of the changes put into the trash. */
async function textBefore({ record, changes }: Outcome, scopes: MemoryScopes): Promise<string> {
  const first = changes.find(({ step }) => step.before);
  const trashed = await scopes.scopeOf(record)?.store.trashed();
  const kept = trashed?.find(({ trash }) => trash === first?.step.before?.trash);
  const bytes = kept && (await readBytesIfPresent(kept.path));
  if (bytes) return bytes.toString();
  throw new Error(vscode.l10n.t('The text before is no longer in the trash.'));
}

function itemsOf({ outcomes, proposed }: Review): Item[] {
  const undo = { iconPath: new vscode.ThemeIcon('discard'), tooltip: vscode.l10n.t('Undo') };
  const items: Item[] = outcomes.map((outcome) => ({
    label: plainLine(outcome.record.name),
    description: kindText(outcome.kind),
    detail: plainLine(outcome.record.description),
    buttons: [undo],
    outcome,
  }));
  if (proposed === 0) return items;
  const label =
    proposed === 1
      ? vscode.l10n.t('1 proposed memory')
      : vscode.l10n.t('{0} proposed memories', figure(proposed));
  return [...items, { label, description: vscode.l10n.t('waiting for your review') }];
}

function kindText(kind: Outcome['kind']): string {
  const texts: Record<Outcome['kind'], string> = {
    created: vscode.l10n.t('new'),
    restored: vscode.l10n.t('restored'),
    moved: vscode.l10n.t('moved'),
    removed: vscode.l10n.t('deleted'),
    updated: vscode.l10n.t('updated'),
    renamed: vscode.l10n.t('renamed'),
  };
  return texts[kind];
}
