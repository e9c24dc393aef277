// What a scope is called wherever a person meets it.

import * as vscode from 'vscode';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';

export function scopeLabel({ kind, name }: Scope): string {
  return kind === 'personal' ? vscode.l10n.t('Personal') : name;
}

/** Undefined for the one folder that is open, and where there is no folder: that is where a person expects it. */
export function tellingScope(scope: Scope | undefined, scopes: MemoryScopes): Scope | undefined {
  const usual = scope?.kind === 'personal' ? 0 : 1;
  return scopes.workspace.length === usual ? undefined : scope;
}
