// What a quick fix of a memory does, in words.

import * as vscode from 'vscode';
import type { RecordFix } from '../../memory/check/recordFixes.ts';
import { secretIn } from '../../memory/secrets/secrets.ts';
import { plainLine, shorten } from '../text/plainText.ts';

/** Visible characters. A menu of fixes is narrow. */
const VALUE_CHARS = 50;

export function fixTitle(fix: RecordFix): string {
  switch (fix.kind) {
    case 'setType':
      return vscode.l10n.t('Make it a memory of type {0}', fix.type);
    case 'setKey':
      return vscode.l10n.t('Write “{0}: {1}”', fix.key, shown(fix.value));
    case 'renameKey':
      return vscode.l10n.t('Change to “{0}”', fix.key);
    case 'removeKey':
      return vscode.l10n.t('Remove “{0}”', shown(fix.key));
    case 'moveRest':
      return vscode.l10n.t('Move the end of the description into the text');
    case 'moveUp':
      return vscode.l10n.t('Remove the blank lines above the front matter');
    case 'redact':
      return vscode.l10n.t('Remove the secret');
    case 'redactAll':
      return vscode.l10n.t('Remove all secrets in this memory');
    case 'removeHidden':
      return vscode.l10n.t('Remove the hidden characters');
    case 'removeAllHidden':
      return vscode.l10n.t('Remove all hidden characters in this memory');
    case 'close':
      return vscode.l10n.t('Close the front matter');
  }
}

/** A secret is marked as what it is, and not repeated. */
function shown(text: string): string {
  return secretIn(text) === undefined ? shorten(plainLine(text), VALUE_CHARS) : '…';
}
