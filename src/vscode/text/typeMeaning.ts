// What each type of memory is for, in a few words.

import * as vscode from 'vscode';
import type { MemoryType } from '../../memory/record.ts';

export function typeMeaning(type: MemoryType): string {
  const meanings: Record<MemoryType, string> = {
    user: vscode.l10n.t('What you like, and how you work'),
    feedback: vscode.l10n.t('Guidance you gave on how the work is done'),
    project: vscode.l10n.t('Facts about this project'),
    reference: vscode.l10n.t('Where something is to be found'),
  };
  return meanings[type];
}
