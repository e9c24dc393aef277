// The view "To Review": the proposed memories of all scopes, oldest first. It is shown while something waits, so what
// waits is looked at also while the view is hidden.

import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { joinedSentences, type Said } from '../../base/sentence.ts';
import { HAS_PROPOSALS_KEY, REVIEW_VIEW_ID } from '../../manifest.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { coalesce } from '../host/coalesce.ts';
import { figure } from '../text/figures.ts';
import { plainLine } from '../text/plainText.ts';
import { listProposals, onDidChangeProposals } from './proposalRows.ts';
import { proposalItem, proposalTooltip, type ShownProposal } from './reviewTreeItem.ts';
import { tellingScope } from '../text/scopeLabel.ts';
import { sentenceText } from '../text/sentenceText.ts';

interface ReviewOptions {
  readonly scopes: MemoryScopes;
  readonly log: Log;
}

export function registerReview({ scopes, log }: ReviewOptions): vscode.Disposable {
  const tree = new ReviewTree();
  const view = vscode.window.createTreeView(REVIEW_VIEW_ID, {
    treeDataProvider: tree,
    canSelectMany: true,
  });
  let isOver = false;
  const update = coalesce(async () => {
    const { rows, problems } = await listProposals(scopes);
    if (isOver) return;
    for (const problem of problems)
      log.error(`[review] Proposed memories cannot be listed: ${String(problem)}`);
    const isWaiting = rows.length > 0 || problems.length > 0;
    tree.show(
      rows.map((row) => ({ ...row, isScopeNamed: tellingScope(row.scope, scopes) !== undefined })),
    );
    view.message = problemText(problems);
    view.badge = badgeOf(rows.length);
    await vscode.commands.executeCommand('setContext', HAS_PROPOSALS_KEY, isWaiting);
  });
  const unsubscribe = onDidChangeProposals(scopes, update);
  update();
  return vscode.Disposable.from(view, tree, {
    dispose() {
      isOver = true;
      unsubscribe();
    },
  });
}

/** Tells VS Code only of rows that look different. */
export class ReviewTree implements vscode.TreeDataProvider<ShownProposal> {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #rows: readonly ShownProposal[] = [];

  show(rows: readonly ShownProposal[]): void {
    if (looksOf(rows) === looksOf(this.#rows)) return;
    this.#rows = rows;
    this.#changed.fire(undefined);
  }

  getChildren(row?: ShownProposal): ShownProposal[] {
    return row ? [] : [...this.#rows];
  }

  /** Without it nothing can be revealed. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(row: ShownProposal): vscode.TreeItem {
    return proposalItem(row);
  }

  resolveTreeItem(item: vscode.TreeItem, row: ShownProposal): vscode.TreeItem {
    item.tooltip = proposalTooltip(row);
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The same for rows that look the same, in the hover too. */
function looksOf(rows: readonly ShownProposal[]): string {
  return JSON.stringify(
    rows.map(({ proposal, scope, target, isScopeNamed }) => [
      proposal,
      isScopeNamed && scope.name,
      target?.hash,
    ]),
  );
}

function problemText(problems: readonly Said[]): string {
  return problems.length === 0
    ? ''
    : vscode.l10n.t(
        'The proposed memories cannot be read: {0}',
        plainLine(sentenceText(joinedSentences(problems))),
      );
}

function badgeOf(count: number): vscode.ViewBadge | undefined {
  if (count === 0) return undefined;
  const tooltip =
    count === 1
      ? vscode.l10n.t('1 memory to review')
      : vscode.l10n.t('{0} memories to review', figure(count));
  return { value: count, tooltip };
}
