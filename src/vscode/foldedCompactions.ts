// VS Code folds the steps of a finished answer, and with them what was said between two tool calls. So an answer in
// which the conversation was compacted between steps says so once more at its end.

import * as vscode from 'vscode';
import type { TurnEvent } from '../agent/events.ts';

interface FoldedCompactions {
  follow(event: TurnEvent): void;
  /** Markdown for the end of the answer; undefined when nothing of it is folded. */
  line(): string | undefined;
}

export function followCompactions(): FoldedCompactions {
  let folded = 0;
  let shown = 0;
  return {
    follow({ type }) {
      if (type === 'compacted') {
        shown += 1;
      } else if (type === 'toolStarted') {
        folded += shown;
        shown = 0;
      }
    },
    line() {
      if (folded === 0) return undefined;
      const text =
        folded === 1
          ? vscode.l10n.t(
              'This conversation was compacted during this answer. The steps above tell how.',
            )
          : vscode.l10n.t(
              'This conversation was compacted {0} times during this answer. The steps above tell how.',
              folded,
            );
      return `\n\n_${text}_`;
    },
  };
}
