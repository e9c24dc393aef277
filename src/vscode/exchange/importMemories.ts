// "Import": takes over what other agents were told, from files that stay as they are. The person sees and chooses
// before anything is saved, and it is one change to undo.

import * as vscode from 'vscode';
import type { Change } from '../../memory/change.ts';
import { planImport } from '../../memory/exchange/importPlan.ts';
import { readImportSource, type ImportReading } from '../../memory/exchange/importReader.ts';
import {
  findImportSources,
  type ImportPlaces,
  type ImportSource,
} from '../../memory/exchange/importSources.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { withProgress } from '../host/progress.ts';
import { chooseScope } from '../picks/chooseScope.ts';
import { previewImport } from './importPreview.ts';
import { pickImportSource } from './importSourcePick.ts';
import { plainLine } from '../text/plainText.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { sentenceText } from '../text/sentenceText.ts';

interface ImportDeps {
  readonly places: ImportPlaces;
  readonly notify: (changes: readonly Change[]) => void;
}

export async function importMemories(
  scopes: MemoryScopes,
  { places, notify }: ImportDeps,
): Promise<void> {
  const sources = await findImportSources(places, new AbortController().signal);
  const source = await pickImportSource(sources);
  if (!source) return;
  const reading = await readImportSource(source);
  if (reading.candidates.length === 0) {
    void vscode.window.showWarningMessage(nothingText(source, reading));
    return;
  }
  const target = await chooseTarget(scopes, source);
  if (!target) return;
  // Of all scopes: what is remembered in another is known here too.
  const { records } = await scopes.list();
  const chosen = await previewImport({
    plan: planImport(reading.candidates, records),
    problems: reading.problems,
    target: scopeLabel(target),
  });
  if (!chosen || chosen.length === 0) return;
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const title = vscode.l10n.t('Importing memories…');
    const changes = await withProgress({ title, stop }, (onProgress) =>
      target.store.createAll(chosen, undefined, { onProgress, signal }),
    );
    notify(changes);
  } catch (error) {
    // Nothing is imported then, as the person wants it.
    if (error !== signal.reason) throw error;
  }
}

/** What a tool keeps for one project goes to it, unless there are several; for all else there is a choice. */
function chooseTarget(
  scopes: MemoryScopes,
  { kind, scope }: ImportSource,
): Promise<Scope | undefined> {
  const { home, personal, workspace } = scopes;
  const others = workspace.filter((each) => each !== home);
  const targets =
    scope === 'personal'
      ? [personal, ...workspace]
      : kind === 'chosen' || others.length > 0
        ? [...new Set([home, ...others, personal])]
        : [home];
  return chooseScope(targets, {
    title: vscode.l10n.t('Import Memories'),
    placeHolder: vscode.l10n.t('Where to?'),
  });
}

function nothingText({ path }: ImportSource, { problems }: ImportReading): string {
  const [first] = problems;
  return first
    ? vscode.l10n.t(
        'Nothing was imported from {0}: {1}',
        plainLine(path),
        plainLine(sentenceText(first.problem)),
      )
    : vscode.l10n.t('{0} holds nothing that can be imported.', plainLine(path));
}
