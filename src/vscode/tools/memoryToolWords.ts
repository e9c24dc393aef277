// What a person reads when another agent looks up or saves a memory. The question shows all of what would be saved, or
// given away, as it is; what other agents and files say stands in code marks.

import * as vscode from 'vscode';
import type { FoundForOthers } from '../../agent/otherAgents/findForOthers.ts';
import type { SavePlan } from '../../agent/otherAgents/saveForOthers.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import type { JsonObject } from '../../models/model.ts';
import { codeBlock, codeSpan } from '../text/codeMarkdown.ts';
import { plainMarkdown } from '../text/plainText.ts';

export function lookingUp(input: JsonObject): vscode.MarkdownString {
  const query = text(input, 'query');
  return new vscode.MarkdownString(
    query.trim() === ''
      ? vscode.l10n.t('Listing the memories')
      : vscode.l10n.t('Searching memories for {0}', codeSpan(query)),
  );
}

export function saving(input: JsonObject): vscode.MarkdownString {
  const name = text(input, 'name') || text(input, 'description');
  return new vscode.MarkdownString(vscode.l10n.t('Saving the memory {0}', codeSpan(name)));
}

/** For a person who reviews which memories are sent. */
export function giveQuestion({
  query,
  records,
}: FoundForOthers): vscode.LanguageModelToolConfirmationMessages {
  const list = records.map(
    ({ name, description }) => `- ${codeSpan(name)} — ${plainMarkdown(description)}`,
  );
  const intro =
    query.trim() === ''
      ? vscode.l10n.t('Another agent asks for the list of your memories. It would be told of:')
      : vscode.l10n.t(
          'Another agent looks for {0}. It would be given the whole text of:',
          codeSpan(query),
        );
  return {
    title: vscode.l10n.t('Give these memories to another agent?'),
    message: new vscode.MarkdownString(`${intro}\n\n${list.join('\n')}`),
  };
}

/** `scopes` are those of the window. */
export function saveQuestion(
  { fields, scope }: Extract<SavePlan, { readonly kind: 'save' | 'propose' }>,
  scopes: MemoryScopes | undefined,
): vscode.LanguageModelToolConfirmationMessages {
  const { name, type, description, body } = fields;
  const rows = [
    vscode.l10n.t('Name: {0}', codeSpan(name, Infinity)),
    vscode.l10n.t('Type: {0}', codeSpan(type)),
    body === description
      ? vscode.l10n.t('Description, which is the text too: {0}', codeSpan(description, Infinity))
      : vscode.l10n.t('Description: {0}', codeSpan(description, Infinity)),
    placeText(scope, scopes),
  ];
  const intro = vscode.l10n.t('Another agent wants this to be remembered in later conversations:');
  const list = rows.map((row) => `- ${row}`).join('\n');
  const text = body === description ? [] : [codeBlock(body, 'markdown')];
  return {
    title: vscode.l10n.t('Save this memory?'),
    message: new vscode.MarkdownString([intro, list, ...text].join('\n\n')),
  };
}

function placeText(scope: Scope, scopes: MemoryScopes | undefined): string {
  if (scope.kind === 'personal') {
    return vscode.l10n.t('Where: your personal memories, which go with you into every workspace');
  }
  return scopes?.workspace.length === 1
    ? vscode.l10n.t('Where: the memories of this workspace')
    : vscode.l10n.t('Where: the memories of the folder {0}', codeSpan(scope.name));
}

/** A call with a wrong input is shown all the same; the tool then says what is wrong. */
function text(input: JsonObject, key: string): string {
  const value = input[key];
  return typeof value === 'string' ? value : '';
}
