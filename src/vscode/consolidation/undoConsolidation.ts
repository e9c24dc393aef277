// "Undo Last Consolidation": takes all of it back at once, also after a reload and from another window. What was
// changed since stays as it is, and is named.

import path from 'node:path';
import * as vscode from 'vscode';
import type { Step } from '../../memory/change.ts';
import type { ChangeGroup } from '../../memory/folder/journal.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { undoing } from '../host/undoing.ts';
import { plainLine } from '../text/plainText.ts';
import { quotedNames } from '../text/recordNames.ts';
import { errorSentence } from '../text/sentenceText.ts';

/** Throws, in sentences, when nothing of it could be taken back. */
export async function undoConsolidation(scopes: MemoryScopes): Promise<void> {
  const last = await scopes.lastConsolidation();
  if (!last) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no consolidation to undo.'));
    return;
  }
  const { undone, problems } = await undoing(() => takeBack(last, scopes));
  const reasons = plainLine(problems.join(' '));
  if (problems.length === 0) void vscode.window.showInformationMessage(undoneText(undone));
  else if (undone.length === 0) throw new Error(reasons);
  else
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0}. Not undone, and left as it is: {1}', undoneText(undone), reasons),
    );
}

/** One scope that cannot be taken back does not hold up the others. */
async function takeBack(
  { id, steps }: ChangeGroup,
  { all }: MemoryScopes,
): Promise<{ readonly undone: readonly Step[]; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const left = new Set<string>();
  for (const { store } of all) {
    const part = await store.changeGroup(id);
    if (!part) continue;
    try {
      await store.undoGroup(part);
    } catch (error) {
      problems.push(errorSentence(error));
      for (const step of (await store.changeGroup(id))?.steps ?? []) left.add(step.id);
    }
  }
  return { undone: steps.filter((step) => !left.has(step.id)), problems };
}

/** Without a full stop. What was merged or retired is back; what had a new text has its old one. */
function undoneText(steps: readonly Step[]): string {
  const back = namesOf(steps.filter(({ after }) => after === undefined));
  const revised = namesOf(steps.filter(({ after }) => after !== undefined));
  if (back === '') return vscode.l10n.t('Consolidation undone. As before: {0}', revised);
  if (revised === '') return vscode.l10n.t('Consolidation undone. Back again: {0}', back);
  return vscode.l10n.t('Consolidation undone. Back again: {0}. As before: {1}', back, revised);
}

function namesOf(steps: readonly Step[]): string {
  const files = steps.map(({ after, before }) => (before ?? after)?.file ?? '');
  return quotedNames([...new Set(files)].map((file) => ({ name: path.parse(file).name })));
}
