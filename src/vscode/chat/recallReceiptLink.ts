// The one line about a recall in the chat, and the list that it opens. VS Code's chat shows no HTML that folds, so
// the line is a link to a command of ours. It carries what the list shows: an answer tells of its own time.

import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { RecalledRecord } from '../../memory/recall/recall.ts';
import type { ReceiptEntry, RecallReceipt } from '../../memory/recall/recallReceipt.ts';
import { MAX_DESCRIPTION, type MemoryRecord } from '../../memory/record.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { commandTarget } from '../text/commandTarget.ts';
import { figure } from '../text/figures.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { ageText, choiceText, reasonText, receiptLine } from './recallReceiptText.ts';

/** Not for the person to run. Always the same, so that the links in older chats work. */
const SHOW_COMMAND = '_memoryAgent.showRecall';

/** Leaves room for a description in the same line. */
const NAME_CHARS = 60;

const Row = z.object({
  path: z.string(),
  name: z.string(),
  description: z.string(),
  facts: z.string(),
});
const Shown = z.object({
  title: z.string(),
  choice: z.string(),
  recalled: z.array(Row),
  leftOut: z.array(Row),
});
type Row = z.infer<typeof Row>;

export function registerRecallReceipts(): vscode.Disposable {
  return vscode.commands.registerCommand(SHOW_COMMAND, showReceipt);
}

/** Nothing is told where nothing bears on the request. */
export function hasReceiptLine({ recalled, leftOut }: RecallReceipt): boolean {
  return recalled.length + leftOut.length > 0;
}

/** Markdown without a word of the memories: those stand in the argument of the command only. */
export function receiptLink(receipt: RecallReceipt): vscode.MarkdownString {
  const shown: z.infer<typeof Shown> = {
    title: receiptLine(receipt),
    choice: choiceText(receipt),
    recalled: receipt.recalled.map(recalledRow),
    leftOut: receipt.leftOut.map(leftOutRow),
  };
  const hover = vscode.l10n.t('Show which ones, and why');
  const link = new vscode.MarkdownString(
    `[${shown.title}](${commandTarget(SHOW_COMMAND, shown)} "${hover}")\n\n`,
  );
  link.isTrusted = { enabledCommands: [SHOW_COMMAND] };
  return link;
}

/** Any extension can run the command, so its argument is checked. */
async function showReceipt(given: unknown): Promise<void> {
  const { title, choice, recalled, leftOut } = Shown.parse(given);
  const others = vscode.l10n.t('Did not fit');
  const items: readonly Item[] = [
    ...recalled.map(itemOf),
    ...pickGroup(others, leftOut.map(itemOf)),
  ];
  const options = { title, placeHolder: choice, matchOnDescription: true, matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked?.path === undefined) return;
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(picked.path));
}

function recalledRow(entry: ReceiptEntry): Row {
  const facts = [reasonText(entry), ageText(entry.record)];
  facts.push(vscode.l10n.t('about {0} tokens', figure(entry.tokens)));
  if (entry.isStanding) facts.push(vscode.l10n.t('already in this chat'));
  return rowOf(entry.record, facts);
}

function leftOutRow({ record, reason }: RecalledRecord): Row {
  return rowOf(record, [reasonText({ record, reason }), ageText(record)]);
}

function rowOf({ path, name, description }: MemoryRecord, facts: readonly string[]): Row {
  return {
    path,
    name: shorten(plainLine(name), NAME_CHARS),
    description: shorten(plainLine(description), MAX_DESCRIPTION),
    facts: facts.join(' · '),
  };
}

type Item = vscode.QuickPickItem & { readonly path?: string };

function itemOf({ path, name, description, facts }: Row): Item {
  return { label: name, description, detail: facts, path };
}
