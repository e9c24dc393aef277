// What a part of the model's window is called where a person reads of it.

import * as vscode from 'vscode';
import type { WindowPart } from '../../context/windowAccount.ts';

export function windowPartName(part: WindowPart['part']): string {
  switch (part) {
    case 'system':
      return vscode.l10n.t('System prompt');
    case 'tools':
      return vscode.l10n.t('Tools');
    case 'index':
      return vscode.l10n.t('Memory index');
    case 'recalled':
      return vscode.l10n.t('Memories');
    case 'summaries':
      return vscode.l10n.t('Summaries');
    case 'attachments':
      return vscode.l10n.t('Attachments');
    case 'history':
      return vscode.l10n.t('Conversation');
    case 'toolResults':
      return vscode.l10n.t('Tool results');
  }
}
