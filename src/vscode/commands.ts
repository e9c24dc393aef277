// Command id to handler, one table: a missing handler does not compile.
// Here alone the failure of a command is shown, as one sentence, and logged, once.

import * as vscode from 'vscode';
import { errorText } from '../base/log.ts';
import type { Log } from '../base/log.ts';
import { COMMANDS } from '../manifest.ts';
import type { CommandKey } from '../manifest.ts';
import { plainLine } from './text/plainText.ts';
import { errorSentence } from './text/sentenceText.ts';

/** What VS Code passes depends on where the command was run from, so handlers check it. */
type CommandHandler = (...args: readonly unknown[]) => Promise<void>;

export function registerCommands(
  handlers: Record<CommandKey, CommandHandler>,
  log: Log,
): vscode.Disposable {
  const register = (key: CommandKey): vscode.Disposable =>
    vscode.commands.registerCommand(COMMANDS[key], async (...args: unknown[]) => {
      try {
        await handlers[key](...args);
      } catch (error) {
        log.error(`[command] ${key}: ${errorText(error)}`);
        void showFailure(failureText(key, plainLine(errorSentence(error))));
      }
    });
  return vscode.Disposable.from(...Object.keys(COMMANDS).filter(isCommandKey).map(register));
}

/** Not awaited by the command, which has ended when the person reads this. */
async function showFailure(text: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const choice = await vscode.window.showErrorMessage(text, showLog);
  if (choice === showLog) await vscode.commands.executeCommand(COMMANDS.showLog);
}

function failureText(key: CommandKey, reason: string): string {
  const texts: Record<CommandKey, string> = {
    consolidate: vscode.l10n.t('The memories were not consolidated: {0}', reason),
    newMemory: vscode.l10n.t('The memory was not created: {0}', reason),
    editMemory: vscode.l10n.t('The memory could not be opened: {0}', reason),
    deleteMemory: vscode.l10n.t('The memory was not deleted: {0}', reason),
    searchMemories: vscode.l10n.t('The memories could not be searched: {0}', reason),
    clearSearch: vscode.l10n.t('The search could not be cleared: {0}', reason),
    showInSidebar: vscode.l10n.t('The memory could not be shown: {0}', reason),
    refreshMemories: vscode.l10n.t('The memories were not refreshed: {0}', reason),
    openIndex: vscode.l10n.t('The index could not be opened: {0}', reason),
    renameMemory: vscode.l10n.t('The memory was not renamed: {0}', reason),
    changeType: vscode.l10n.t('The type was not changed: {0}', reason),
    copyMemory: vscode.l10n.t('The memory was not copied: {0}', reason),
    revealInExplorer: vscode.l10n.t('The file could not be shown: {0}', reason),
    pinMemory: vscode.l10n.t('The memory was not pinned: {0}', reason),
    unpinMemory: vscode.l10n.t('The memory was not unpinned: {0}', reason),
    moveToPersonal: vscode.l10n.t('The memory was not moved: {0}', reason),
    moveToWorkspace: vscode.l10n.t('The memory was not moved: {0}', reason),
    shareWithGit: vscode.l10n.t('The memory was not shared: {0}', reason),
    keepPrivate: vscode.l10n.t('The memory was not made private: {0}', reason),
    restoreMemory: vscode.l10n.t('The memory was not restored: {0}', reason),
    undoConsolidation: vscode.l10n.t('The last consolidation was not undone: {0}', reason),
    undoLastChange: vscode.l10n.t('The last change was not undone: {0}', reason),
    emptyTrash: vscode.l10n.t('The trash was not emptied: {0}', reason),
    healthCheck: vscode.l10n.t('The memories could not be checked: {0}', reason),
    scanForSecrets: vscode.l10n.t('The memories could not be searched for secrets: {0}', reason),
    retireExpired: vscode.l10n.t('Not everything that has expired was retired: {0}', reason),
    importMemories: vscode.l10n.t('The memories were not imported: {0}', reason),
    exportMemories: vscode.l10n.t('The memories were not exported: {0}', reason),
    acceptProposal: vscode.l10n.t('The proposed memory was not accepted: {0}', reason),
    rejectProposal: vscode.l10n.t('The proposed memory was not rejected: {0}', reason),
    diffProposal: vscode.l10n.t('The difference could not be shown: {0}', reason),
    acceptAllProposals: vscode.l10n.t('Not all proposed memories were accepted: {0}', reason),
    showLastNotice: vscode.l10n.t('The last notice could not be shown: {0}', reason),
    saveRedacted: vscode.l10n.t('The memory was not saved: {0}', reason),
    compactSession: vscode.l10n.t('The conversation was not compacted: {0}', reason),
    deleteSessions: vscode.l10n.t('Not all conversations were deleted: {0}', reason),
    setApiKey: vscode.l10n.t('The API key was not stored: {0}', reason),
    showLog: vscode.l10n.t('The log could not be shown: {0}', reason),
    getStarted: vscode.l10n.t('The walkthrough could not be opened: {0}', reason),
    tryInChat: vscode.l10n.t('The chat could not be opened: {0}', reason),
  };
  return texts[key];
}

function isCommandKey(key: string): key is CommandKey {
  return key in COMMANDS;
}
