// What a scope is called wherever a person meets it.

import * as vscode from 'vscode';
import type { Scope } from '../memory/scopes.ts';

export function scopeLabel({ kind, name }: Scope): string {
  return kind === 'personal' ? vscode.l10n.t('Personal') : name;
}
