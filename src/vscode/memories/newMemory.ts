// "New": asks for the type and one line, writes the record and opens it with the cursor in the body.
// A secret in the line is told of, and left out when the person saves all the same.

import * as vscode from 'vscode';
import { MAX_DESCRIPTION } from '../../memory/record.ts';
import { recordFromLine } from '../../memory/remember.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import {
  isOnlyRedacted,
  redactSecrets,
  secretIn,
  secretKind,
} from '../../memory/secrets/secrets.ts';
import { figure } from '../text/figures.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { pickType } from './typePick.ts';

export async function newMemory(scopes: MemoryScopes): Promise<void> {
  const type = await pickType({
    title: vscode.l10n.t('New Memory'),
    placeHolder: vscode.l10n.t('What kind of memory is it?'),
  });
  if (!type) return;
  const description = await askForDescription();
  if (!description) return;
  // The body begins as the description: the memory says something even when the person adds nothing.
  const { record } = await scopes.create(
    recordFromLine({ description: redactSecrets(description), type }),
  );
  if (scopes.scopeOf(record)?.kind === 'personal') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Saved as a personal memory, since no folder is open.'),
    );
  }
  const editor = await vscode.window.showTextDocument(vscode.Uri.file(record.path), {
    preview: false,
  });
  const end = editor.document.positionAt(editor.document.getText().trimEnd().length);
  editor.selection = new vscode.Selection(end, end);
  editor.revealRange(editor.selection);
}

async function askForDescription(): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('New Memory'),
    prompt: vscode.l10n.t('What is to be remembered, in one line? Details go into the file.'),
    ignoreFocusOut: true,
    validateInput: (value) => descriptionProblem(value.trim()),
  });
  return answer?.trim();
}

function descriptionProblem(
  description: string,
): string | vscode.InputBoxValidationMessage | undefined {
  if (description === '') return vscode.l10n.t('Write what is to be remembered, or press Escape.');
  const redacted = redactSecrets(description);
  const over = Array.from(redacted).length - MAX_DESCRIPTION;
  if (over === 1) return vscode.l10n.t('Too long by 1 character. Details go into the file.');
  if (over > 0)
    return vscode.l10n.t('Too long by {0} characters. Details go into the file.', figure(over));
  const rule = secretIn(description);
  if (rule === undefined) return undefined;
  const kind = sentenceText(secretKind(rule));
  if (isOnlyRedacted(redacted))
    return vscode.l10n.t('This is nothing but {0}, and secrets are not saved in memories.', kind);
  const message = vscode.l10n.t(
    'This holds {0}, and secrets are not saved in memories. Press Enter to save it redacted.',
    kind,
  );
  // A warning, unlike an error, lets Enter through.
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}
