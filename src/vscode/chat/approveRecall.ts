// Asks the person which memories may be sent with a request: a pick list in which those that were chosen are ticked.

import * as vscode from 'vscode';
import type { RecalledRecord } from '../../memory/recall/recall.ts';
import type { ToldEntry } from '../../memory/recall/recallReceipt.ts';
import type { RecallOffer } from '../../memory/recall/recallReview.ts';
import { MAX_DESCRIPTION, type MemoryRecord } from '../../memory/record.ts';
import { ModelError } from '../../models/model.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { ageText, reasonText } from './recallReceiptText.ts';

/** Leaves room for a description in the same line. */
const NAME_CHARS = 60;

type Item = vscode.QuickPickItem & { readonly record?: MemoryRecord };

/** The ticked ones; none when the person leaves. Throws `ModelError` of kind `cancelled` when it is stopped. */
export async function approveRecall(
  { proposed, leftOut }: RecallOffer,
  signal: AbortSignal,
): Promise<readonly MemoryRecord[]> {
  const chosen = proposed.map(itemOf);
  const list = vscode.window.createQuickPick<Item>();
  list.title = vscode.l10n.t('Memories to send with this request');
  list.placeholder = vscode.l10n.t('Enter sends the ticked ones, Escape sends none');
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  // What a button opens takes the focus, and so does a click into the chat.
  list.ignoreFocusOut = true;
  const others = pickGroup(vscode.l10n.t('Bears on the request too'), leftOut.map(itemOf));
  list.items = [...chosen, ...others];
  list.selectedItems = chosen;
  const stop = () => list.hide();
  try {
    const ticked = await new Promise<readonly MemoryRecord[]>((resolve, reject) => {
      list.onDidTriggerItemButton(({ item }) => {
        open(item).catch(reject);
      });
      list.onDidAccept(() => resolve(list.selectedItems.flatMap(({ record }) => record ?? [])));
      list.onDidHide(() => resolve([]));
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) resolve([]);
      else list.show();
    });
    if (signal.aborted) throw new ModelError('cancelled', 'Cancelled.');
    return ticked;
  } finally {
    signal.removeEventListener('abort', stop);
    list.dispose();
  }
}

function itemOf(entry: ToldEntry | RecalledRecord): Item {
  const { record } = entry;
  return {
    record,
    label: shorten(plainLine(record.name), NAME_CHARS),
    description: shorten(plainLine(record.description), MAX_DESCRIPTION),
    detail: `${reasonText(entry)} · ${ageText(record)}`,
    buttons: [{ iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open') }],
  };
}

/** Beside the list, which stays. A file that is gone by now is told of by VS Code. */
async function open({ record }: Item): Promise<void> {
  if (!record) return;
  const options = { preserveFocus: true, preview: true };
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(record.path), options);
}
