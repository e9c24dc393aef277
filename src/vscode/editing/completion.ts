// Completes the keys and values of front matter, and links to other memories of the scope.

import * as vscode from 'vscode';
import { partsOf } from '../../memory/check/recordParts.ts';
import { keyItems, valueItems } from './fieldItems.ts';
import { linkItems, wikiLinkItems } from './linkItems.ts';
import type { OpenChecks } from './openChecks.ts';

/** Before the cursor on its line. */
const KEY = /^[ \t]*([\w-]*)$/;
const VALUE = /^[ \t]*(type|pinned|expires|supersedes)[ \t]*:[ \t]*([^\s#][^#]*)?$/;
const LINK = /\]\(([^()<>\s]*)$/;
const WIKI_LINK = /\[\[([^[\]|]*)$/;

export function registerCompletion(
  files: vscode.DocumentSelector,
  checks: OpenChecks,
): vscode.Disposable {
  const provider: vscode.CompletionItemProvider = {
    provideCompletionItems: (document, position) => itemsAt(document, position, checks),
  };
  return vscode.languages.registerCompletionItemProvider(files, provider, ':', ' ', '(', '[');
}

async function itemsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  checks: OpenChecks,
): Promise<vscode.CompletionItem[]> {
  if (!checks.isMemory(document)) return [];
  const line = document.lineAt(position).text;
  const before = line.slice(0, position.character);
  const after = line.slice(position.character);
  const others = () => checks.othersThan(document);
  const link = LINK.exec(before);
  if (link) {
    const rest = /^[^()<>\s]*/.exec(after)?.[0] ?? '';
    return linkItems(await others(), around(position, link[1], rest));
  }
  const wikiLink = WIKI_LINK.exec(before);
  if (wikiLink) {
    const rest = /^[^[\]|]*(?:\]\])?/.exec(after)?.[0] ?? '';
    return wikiLinkItems(await others(), around(position, wikiLink[1], rest));
  }
  const keys = keysAround(document, position);
  if (!keys) return [];
  const value = VALUE.exec(before);
  if (value) {
    const rest = after.split(/\s+#|\s*$/, 1)[0];
    return valueItems(value[1], {
      range: around(position, value[2], rest),
      gap: before.endsWith(':') ? ' ' : '',
      names: (await others()).map(({ name, description }) => ({ name, description })),
    });
  }
  const key = KEY.exec(before);
  const rest = /^[\w-]*/.exec(after)?.[0] ?? '';
  if (!key || after.slice(rest.length).trim() !== '') return [];
  return keyItems(keys, around(position, key[1], rest));
}

/** The keys of the front matter that a position is in; undefined outside of it. */
function keysAround(
  document: vscode.TextDocument,
  position: vscode.Position,
): readonly string[] | undefined {
  const { opening, head, keys } = partsOf(document.getText());
  const line = document.offsetAt(position.with({ character: 0 }));
  // The end of the head is the beginning of the line that closes it, or of a word that is yet to become a key.
  if (!opening || line < head.start || line > head.end) return undefined;
  return document.lineAt(position).text.startsWith('---') ? undefined : keys.map(({ key }) => key);
}

/** What is written before and behind a position, both of which a choice takes the place of. */
function around(position: vscode.Position, before = '', behind = ''): vscode.Range {
  return new vscode.Range(
    position.translate(0, -before.length),
    position.translate(0, behind.length),
  );
}
