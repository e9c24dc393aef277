// Search in the memory tree: while a person types, and until they clear it, only the rows that hold the words are shown.

import * as vscode from 'vscode';
import { IS_FILTERED_KEY, MEMORIES_VIEW_ID } from '../../manifest.ts';
import { figure } from '../text/figures.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { nodeId, type MemoryNode } from './memoryNodes.ts';
import { isParent, type MemoryRows } from './memoryRows.ts';
import { askForSearch } from './searchBox.ts';

/** A line of a wide side bar. */
const QUERY_CHARS = 60;

export class TreeSearch {
  readonly #view: vscode.TreeView<MemoryNode>;
  readonly #rows: MemoryRows;

  constructor(view: vscode.TreeView<MemoryNode>, rows: MemoryRows) {
    this.#view = view;
    this.#rows = rows;
    // VS Code keeps the key when the extensions alone are started anew.
    this.searchFor('');
  }

  searchFor(query: string): void {
    this.#rows.search(query);
    void vscode.commands.executeCommand('setContext', IS_FILTERED_KEY, this.#rows.query !== '');
  }

  async ask(): Promise<void> {
    const before = this.#rows.query;
    // Without its view nobody would see what is found.
    await vscode.commands.executeCommand(`${MEMORIES_VIEW_ID}.focus`);
    const query = await askForSearch({
      query: before,
      onType: (typed) => {
        this.searchFor(typed);
        return foundText(this.#rows);
      },
      onDidTurnAway: onDidChooseRow(this.#view),
    });
    this.searchFor(query ?? before);
    const first = this.#rows.firstMemory();
    if (query !== undefined && this.#rows.query !== '' && first) await focusRow(this.#view, first);
  }

  async clear(): Promise<void> {
    const [row] = this.#view.selection;
    this.searchFor('');
    // One keeps one's place in the longer list.
    if (row && !isParent(row)) await focusRow(this.#view, row);
  }
}

export async function focusRow(view: vscode.TreeView<MemoryNode>, row: MemoryNode): Promise<void> {
  await view.reveal(row, { select: true, focus: true });
}

/** Above the rows. Empty when nothing is searched for. */
export function searchText(rows: MemoryRows): string {
  const found = foundText(rows);
  const { shown, all } = rows.counts;
  return found === '' || shown > 0
    ? found
    : vscode.l10n.t('{0} Press Escape here to show all {1} again.', found, figure(all));
}

/** In the box, where Escape brings back what was searched for before. */
function foundText({ query, counts: { shown, all } }: MemoryRows): string {
  if (query === '') return '';
  const words = shorten(plainLine(query), QUERY_CHARS);
  if (shown === 0) return vscode.l10n.t('No memory holds “{0}”.', words);
  return shown === 1
    ? vscode.l10n.t('1 of {0} memories holds “{1}”', figure(all), words)
    : vscode.l10n.t('{0} of {1} memories hold “{2}”', figure(shown), figure(all), words);
}

/** Rows that go take their selection along, so only one that was not selected before counts. */
function onDidChooseRow(view: vscode.TreeView<MemoryNode>): vscode.Event<void> {
  let before = new Set(view.selection.map(nodeId));
  return (listener) =>
    view.onDidChangeSelection(({ selection }) => {
      const ids = selection.map(nodeId);
      if (ids.some((id) => !before.has(id))) listener();
      before = new Set(ids);
    });
}
