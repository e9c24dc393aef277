// The buttons of answers, each of which does what the words beside it advise.

import * as vscode from 'vscode';
import { COMMANDS, MEMORIES_VIEW_ID } from '../../manifest.ts';

type Response = vscode.ChatResponseStream;

export function setKeyButton(response: Response): void {
  response.button({ command: COMMANDS.setApiKey, title: vscode.l10n.t('Set API Key') });
}

/** Opens the model picker below the chat. */
export function otherModelButton(response: Response): void {
  const command = 'workbench.action.chat.openModelPicker';
  response.button({ command, title: vscode.l10n.t('Pick Another Model') });
}

export function newChatButton(response: Response): void {
  response.button({
    command: 'workbench.action.chat.newChat',
    title: vscode.l10n.t('Start New Chat'),
  });
}

export function trustButton(response: Response): void {
  response.button({
    command: 'workbench.trust.manage',
    title: vscode.l10n.t('Manage Workspace Trust'),
  });
}

export function reloadButton(response: Response): void {
  response.button({
    command: 'workbench.action.reloadWindow',
    title: vscode.l10n.t('Reload Window'),
  });
}

export function showLogButton(response: Response): void {
  response.button({ command: COMMANDS.showLog, title: vscode.l10n.t('Show Log') });
}

/** The view in the sidebar, where all memories can be browsed. */
export function memoriesButton(response: Response): void {
  response.button({
    command: `${MEMORIES_VIEW_ID}.focus`,
    title: vscode.l10n.t('Show Memories'),
  });
}

export function walkthroughButton(response: Response): void {
  response.button({ command: COMMANDS.getStarted, title: vscode.l10n.t('Get Started') });
}
