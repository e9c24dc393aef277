// "Undo Last Change": takes back what was changed last, in whatever scope and window. What a person has changed
// since stays as it is; then the change before it can be taken back.

import path from 'node:path';
import * as vscode from 'vscode';
import { infoIfPresent } from '../../base/files.ts';
import type { ChangeGroup } from '../../memory/folder/journal.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { offerAfterWarning } from '../host/ask.ts';
import { undoing } from '../host/undoing.ts';
import { plainLine } from '../text/plainText.ts';
import { quotedNames } from '../text/recordNames.ts';
import { errorSentence } from '../text/sentenceText.ts';
import { followTabs } from './followTabs.ts';

export async function undoLastChange(scopes: MemoryScopes): Promise<void> {
  const passedOver = new Set<string>();
  for (;;) {
    const last = await scopes.lastChange(passedOver);
    if (!last) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is no change to undo.'));
      return;
    }
    try {
      await undoing((onProgress) => scopes.undoChange(last, onProgress));
    } catch (error) {
      if (!(await wantsTheOneBefore(error))) return;
      passedOver.add(last.id);
      continue;
    }
    await followBack(scopes, last);
    void vscode.window.showInformationMessage(undoneText(last));
    return;
  }
}

async function wantsTheOneBefore(error: unknown): Promise<boolean> {
  const reason = plainLine(errorSentence(error));
  const text = vscode.l10n.t('The last change was not undone: {0}', reason);
  return offerAfterWarning(text, vscode.l10n.t('Undo the Change Before'));
}

/** Editors stay open on a file that has its old name again. */
async function followBack(scopes: MemoryScopes, { steps }: ChangeGroup): Promise<void> {
  for (const { before, after } of steps) {
    if (!before || !after || before.file === after.file) continue;
    for (const { store } of scopes.all) {
      const [from, to] = [after, before].map(({ file }) => path.join(store.folder, file));
      if (from && to && (await infoIfPresent(to))) await followTabs(from, to);
    }
  }
}

/** What became of the memories: one that was new is gone, one that was gone is back. */
function undoneText({ steps }: ChangeGroup): string {
  const sharing = steps.flatMap((step) => (step.before || step.after ? [] : (step.sharing ?? [])));
  const shared = sharing.flatMap((each) => each.shared);
  const hidden = sharing.flatMap((each) => each.hidden);
  if (shared.length > 0) return vscode.l10n.t('Undone. Private again: {0}', namesOf(shared));
  if (hidden.length > 0)
    return vscode.l10n.t('Undone. Shared with Git again: {0}', namesOf(hidden));
  const names = namesOf(steps.map(({ after, before }) => (before ?? after)?.file ?? ''));
  if (steps.every(({ before }) => before === undefined))
    return vscode.l10n.t('Undone. Moved to the trash: {0}', names);
  if (steps.every(({ after }) => after === undefined))
    return vscode.l10n.t('Undone. Back again: {0}', names);
  return vscode.l10n.t('Undone. As before: {0}', names);
}

function namesOf(files: readonly string[]): string {
  return quotedNames([...new Set(files)].map((file) => ({ name: path.parse(file).name })));
}
