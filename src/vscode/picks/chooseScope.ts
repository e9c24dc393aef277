// Which of several scopes a command is for. With only one there is nothing to ask.

import path from 'node:path';
import * as vscode from 'vscode';
import type { Scope } from '../../memory/scopes.ts';
import { scopeLabel } from '../text/scopeLabel.ts';

interface ScopeChoice {
  readonly title: string;
  readonly placeHolder: string;
}

export async function chooseScope(
  scopes: readonly Scope[],
  choice: ScopeChoice,
): Promise<Scope | undefined> {
  if (scopes.length <= 1) return scopes[0];
  return (await vscode.window.showQuickPick(scopes.map(itemOf), { ...choice }))?.scope;
}

/** All are picked to begin with. None when the person leaves. */
export async function chooseScopes(
  scopes: readonly Scope[],
  choice: ScopeChoice,
): Promise<readonly Scope[]> {
  if (scopes.length <= 1) return scopes;
  const items = scopes.map((scope) => ({ ...itemOf(scope), picked: true }));
  const picked = await vscode.window.showQuickPick(items, { ...choice, canPickMany: true });
  return (picked ?? []).map(({ scope }) => scope);
}

/** Those that hold memories. */
export async function scopesWithRecords(scopes: readonly Scope[]): Promise<readonly Scope[]> {
  const lists = await Promise.all(
    scopes.map(async (scope) => ({ scope, list: await scope.store.list() })),
  );
  return lists.filter(({ list }) => list.records.length > 0).map(({ scope }) => scope);
}

function itemOf(scope: Scope) {
  const description =
    scope.kind === 'personal'
      ? vscode.l10n.t('In all workspaces')
      : path.dirname(scope.store.folder);
  return { label: scopeLabel(scope), description, scope };
}
