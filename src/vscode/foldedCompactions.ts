// VS Code folds the steps of a finished answer, and with them what was said between two tool calls. So an answer in
// which the conversation was compacted between steps says so once more at its end.

import * as vscode from 'vscode';
import type { TurnEvent } from '../agent/events.ts';

export interface FoldedCompactions {
  follow(event: TurnEvent): void;
  /** Markdown for the end of the answer; undefined when nothing of it is folded. */
  line(): string | undefined;
}

export function followCompactions(): FoldedCompactions {
  let folded = 0;
  let shown = 0;
  let archive = '';
  return {
    follow(event) {
      if (event.type === 'compacted') {
        shown += 1;
        ({ archive } = event);
      } else if (event.type === 'toolStarted') {
        folded += shown;
        shown = 0;
      }
    },
    line() {
      if (folded === 0) return undefined;
      const place = vscode.Uri.file(archive).toString();
      const text =
        folded === 1
          ? vscode.l10n.t(
              'This conversation was compacted during this answer; the steps above tell how. [Archive]({0})',
              place,
            )
          : vscode.l10n.t(
              'This conversation was compacted {0} times during this answer; the steps above tell how. [Archive]({1})',
              folded,
              place,
            );
      return `\n\n_${text}_`;
    },
  };
}
