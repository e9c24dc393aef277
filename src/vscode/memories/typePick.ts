// The types of memories to choose from, each with what it is for.

import * as vscode from 'vscode';
import { MEMORY_TYPES, type MemoryType } from '../../memory/record.ts';
import { TYPE_ICONS } from '../text/typeIcons.ts';

/** `present` is the type that it has now. Undefined when the person leaves. */
export async function pickType(options: {
  readonly title: string;
  readonly placeHolder: string;
  readonly present?: MemoryType | undefined;
}): Promise<MemoryType | undefined> {
  const { title, placeHolder, present } = options;
  const explanations: Record<MemoryType, string> = {
    user: vscode.l10n.t('What you like, and how you work: “I prefer tabs for indentation.”'),
    feedback: vscode.l10n.t(
      'Guidance on how work is done here: “Run the tests before you answer.”',
    ),
    project: vscode.l10n.t('A fact about this project: “The API is frozen until version 3.”'),
    reference: vscode.l10n.t('Where something is: “Bugs are filed in the board Ingest.”'),
  };
  const items = MEMORY_TYPES.map((type) => ({
    label: type,
    iconPath: new vscode.ThemeIcon(TYPE_ICONS[type]),
    detail: explanations[type],
    ...(type === present && { description: vscode.l10n.t('as it is now') }),
    type,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.type;
}
