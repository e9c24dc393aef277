// What a key or a type means, over where it stands.

import * as vscode from 'vscode';
import { isRecordKey } from '../../memory/check/recordKeys.ts';
import { partsOf, type Span } from '../../memory/check/recordParts.ts';
import { MEMORY_TYPES } from '../../memory/record.ts';
import { plainMarkdown } from '../text/plainText.ts';
import { typeMeaning } from '../text/typeMeaning.ts';
import { keyMeaning } from './keyMeaning.ts';
import type { OpenChecks } from './openChecks.ts';

export function registerHover(
  files: vscode.DocumentSelector,
  checks: OpenChecks,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(files, {
    provideHover(document, position) {
      if (!checks.isMemory(document)) return undefined;
      const text = document.getText();
      const offset = document.offsetAt(position);
      const part = partsOf(text).keys.find(
        ({ name, value }) => isIn(offset, name) || isIn(offset, value),
      );
      if (!part || !isRecordKey(part.key)) return undefined;
      const { key, name, value } = part;
      if (isIn(offset, name)) return hover(document, name, key, keyMeaning(key));
      const written = text.slice(value.start, value.end).toLowerCase();
      const type = MEMORY_TYPES.find((type) => key === 'type' && type === written);
      return type && hover(document, value, type, typeMeaning(type));
    },
  });
}

function isIn(offset: number, { start, end }: Span): boolean {
  return start <= offset && offset <= end && start < end;
}

function hover(
  document: vscode.TextDocument,
  { start, end }: Span,
  title: string,
  meaning: string,
): vscode.Hover {
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const text = new vscode.MarkdownString(`**${title}**\n\n${plainMarkdown(meaning)}`);
  return new vscode.Hover(text, range);
}
