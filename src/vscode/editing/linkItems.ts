// The other memories of a scope as the ends of links.

import path from 'node:path';
import * as vscode from 'vscode';
import type { MemoryRecord } from '../../memory/record.ts';
import { plainLine } from '../text/plainText.ts';

/** Behind `](`: the file, as a link in Markdown names it. */
export function linkItems(
  records: readonly MemoryRecord[],
  range: vscode.Range,
): vscode.CompletionItem[] {
  return records.map((record) => {
    const target = encodeURI(record.file).replace(/[()#?]/g, (sign) => ESCAPES[sign] ?? sign);
    return linkItem(record, target, range);
  });
}

/** Behind `[[`: the name of the file without its ending, as note apps write it. */
export function wikiLinkItems(
  records: readonly MemoryRecord[],
  range: vscode.Range,
): vscode.CompletionItem[] {
  return records.map((record) => linkItem(record, `${path.parse(record.file).name}]]`, range));
}

/** What an address may hold, but the end of a link may not. */
const ESCAPES: Readonly<Record<string, string>> = {
  '(': '%28',
  ')': '%29',
  '#': '%23',
  '?': '%3F',
};

function linkItem(
  { name, file, description, type }: MemoryRecord,
  insertText: string,
  range: vscode.Range,
): vscode.CompletionItem {
  const label = { label: plainLine(name), description: type };
  const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Reference);
  item.detail = file;
  item.documentation = plainLine(description);
  item.insertText = insertText;
  item.filterText = `${name} ${file}`;
  // Before the files that VS Code itself offers here, names with a dot in front included.
  item.sortText = ` ${name}`;
  item.range = range;
  return item;
}
