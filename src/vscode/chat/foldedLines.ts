// VS Code folds the steps of a finished answer, and with them what was said before the last of them. So an answer with
// steps says once more at its end how the checklist stands, what was recalled, and that the conversation was
// compacted.

import * as vscode from 'vscode';
import type { Todo, TurnEvent } from '../../agent/events.ts';
import type { RecallReceipt } from '../../memory/recall/recallReceipt.ts';
import { checklistInShort, isShownWhole } from './checklist.ts';
import { hasReceiptLine, receiptLink } from './recallReceiptLink.ts';

interface FoldedLines {
  follow(event: TurnEvent): void;
  /** Markdown for the end of the answer, of what is folded by then. */
  lines(): readonly (string | vscode.MarkdownString)[];
}

export function followFoldedLines(): FoldedLines {
  let receipt: RecallReceipt | undefined;
  let isReceiptFolded = false;
  let todos: readonly Todo[] = [];
  let isChecklistInView = true;
  let shown = 0;
  let folded = 0;
  return {
    follow(event) {
      if (event.type === 'recalled') {
        receipt = hasReceiptLine(event.receipt) ? event.receipt : undefined;
      } else if (event.type === 'compacted') {
        shown += 1;
      } else if (event.type === 'todos') {
        // Else only what moved was shown.
        if (isShownWhole(todos, event.todos)) isChecklistInView = true;
        todos = event.todos;
      } else if (event.type === 'toolStarted') {
        isChecklistInView = false;
        folded += shown;
        shown = 0;
        isReceiptFolded = true;
      }
    },
    lines: () => [
      ...(todos.length > 0 && !isChecklistInView ? [checklistInShort(todos)] : []),
      ...(receipt && isReceiptFolded ? ['\n\n', receiptLink(receipt)] : []),
      ...(folded > 0 ? [`\n\n_${compactedText(folded)}_`] : []),
    ],
  };
}

function compactedText(times: number): string {
  return times === 1
    ? vscode.l10n.t('This conversation was compacted during this answer. The steps above tell how.')
    : vscode.l10n.t(
        'This conversation was compacted {0} times during this answer. The steps above tell how.',
        times,
      );
}
