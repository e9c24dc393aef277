// Command id to handler, one table: a missing handler does not compile.
// Here alone the failure of a command is shown, as one sentence, and logged, once.

import * as vscode from 'vscode';
import { errorText } from '../base/log.ts';
import type { Log } from '../base/log.ts';
import { COMMANDS } from '../manifest.ts';
import type { CommandKey } from '../manifest.ts';
import { plainLine } from './plainText.ts';

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
        void showFailure(failureText(key, plainLine(errorText(error))));
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
    refreshMemories: vscode.l10n.t('The memories were not refreshed: {0}', reason),
    openIndex: vscode.l10n.t('The index could not be opened: {0}', reason),
    setApiKey: vscode.l10n.t('The API key was not stored: {0}', reason),
    showLog: vscode.l10n.t('The log could not be shown: {0}', reason),
  };
  return texts[key];
}

function isCommandKey(key: string): key is CommandKey {
  return key in COMMANDS;
}
