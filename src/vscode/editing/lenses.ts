// The line of commands above a memory, which follows what is saved, and the one above the index, which says that it
// is made from the memories.

import * as vscode from 'vscode';
import { COMMANDS, MEMORIES_VIEW_ID } from '../../manifest.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { isIndex } from './memoryDocuments.ts';
import type { OpenChecks } from './openChecks.ts';

const TOP = new vscode.Range(0, 0, 0, 0);

export class RecordLenses implements vscode.CodeLensProvider {
  readonly #checks: OpenChecks;
  readonly #scopes: MemoryScopes;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(checks: OpenChecks, scopes: MemoryScopes) {
    this.#checks = checks;
    this.#scopes = scopes;
    this.onDidChangeCodeLenses = checks.onDidChange;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const record = await this.#checks.savedRecord(document);
    const scope = record && this.#scopes.scopeOf(record);
    if (record && scope) return this.#commandsFor(record, scope);
    return (await this.#checks.savedDamage(document)) ? [damageLens()] : [];
  }

  #commandsFor(record: MemoryRecord, scope: Scope): vscode.CodeLens[] {
    const lens = (command: string, title: string, tooltip: string) =>
      new vscode.CodeLens(TOP, { command, title, tooltip, arguments: [record.path] });
    const pin = record.pinned
      ? lens(
          COMMANDS.unpinMemory,
          vscode.l10n.t('Unpin'),
          vscode.l10n.t('Treats this memory like any other again'),
        )
      : lens(
          COMMANDS.pinMemory,
          vscode.l10n.t('Pin'),
          vscode.l10n.t('Keeps this memory at the top of the index, and from expiring'),
        );
    const rename = lens(
      COMMANDS.renameMemory,
      vscode.l10n.t('Rename…'),
      vscode.l10n.t('Gives this memory another name; its file and the links to it follow'),
    );
    const move =
      scope.kind === 'workspace'
        ? lens(
            COMMANDS.moveToPersonal,
            vscode.l10n.t('Move to Personal'),
            vscode.l10n.t('Makes this memory available in all your workspaces'),
          )
        : lens(
            COMMANDS.moveToWorkspace,
            vscode.l10n.t('Move to Workspace'),
            vscode.l10n.t('Keeps this memory in this workspace only'),
          );
    const remove = lens(
      COMMANDS.deleteMemory,
      vscode.l10n.t('Delete'),
      vscode.l10n.t('Moves this memory to the trash, from where it can be brought back'),
    );
    const hasPlace = scope.kind === 'workspace' || this.#scopes.workspace.length > 0;
    return [pin, rename, ...(hasPlace ? [move] : []), remove];
  }
}

/** The commands are for memories. A line stays, so that the text does not jump while something is mended. */
function damageLens(): vscode.CodeLens {
  return new vscode.CodeLens(TOP, {
    command: 'workbench.actions.view.problems',
    title: vscode.l10n.t('Not readable as a memory: show the problems'),
  });
}

export class IndexLenses implements vscode.CodeLensProvider {
  readonly #scopes: MemoryScopes;

  constructor(scopes: MemoryScopes) {
    this.#scopes = scopes;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!isIndex(this.#scopes, document)) return [];
    return [
      new vscode.CodeLens(TOP, {
        command: `${MEMORIES_VIEW_ID}.focus`,
        title: vscode.l10n.t('Generated from the memories beside it: edit those instead'),
        tooltip: vscode.l10n.t('Shows the memories in the sidebar'),
      }),
      new vscode.CodeLens(TOP, {
        command: COMMANDS.newMemory,
        title: vscode.l10n.t('New Memory'),
      }),
    ];
  }
}
