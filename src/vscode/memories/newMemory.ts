// "New": asks for the type and one line, writes the record and opens it with the cursor in the body.
// A secret in the line is told of, and left out when the person saves all the same.

import * as vscode from 'vscode';
import { MAX_DESCRIPTION, MEMORY_TYPES, type MemoryType } from '../../memory/record.ts';
import { recordFromLine } from '../../memory/remember.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { redactSecrets, secretIn } from '../../memory/secrets/secrets.ts';

export async function newMemory(scopes: MemoryScopes): Promise<void> {
  const type = await askForType();
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

async function askForType(): Promise<MemoryType | undefined> {
  const explanations: Record<MemoryType, string> = {
    user: vscode.l10n.t('What you like, and how you work: “I prefer tabs for indentation.”'),
    feedback: vscode.l10n.t(
      'Guidance on how work is done here: “Run the tests before you answer.”',
    ),
    project: vscode.l10n.t('A fact about this project: “The API is frozen until version 3.”'),
    reference: vscode.l10n.t('Where something is: “Bugs are filed in the board Ingest.”'),
  };
  const items = MEMORY_TYPES.map((type) => ({ label: type, detail: explanations[type], type }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('New Memory'),
    placeHolder: vscode.l10n.t('What kind of memory is it?'),
  });
  return picked?.type;
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
  const over = Array.from(redactSecrets(description)).length - MAX_DESCRIPTION;
  if (over > 0) return vscode.l10n.t('Too long by {0} characters. Details go into the file.', over);
  const rule = secretIn(description);
  if (rule === undefined) return undefined;
  const message = vscode.l10n.t(
    'This holds {0}, and secrets are not saved in memories. Press Enter to save it redacted.',
    rule,
  );
  // A warning, unlike an error, lets Enter through.
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}
