// "Rename": asks for the name, says while one types what would become of it, and tells what followed.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Renaming } from '../../memory/change.ts';
import { slugFor, type MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { secretIn, secretKind } from '../../memory/secrets/secrets.ts';
import type { MemoryStore } from '../../memory/store.ts';
import { withProgress } from '../host/progress.ts';
import { chooseRecord } from '../picks/chooseRecords.ts';
import { figure } from '../text/figures.ts';
import { joinedText } from '../text/joinedText.ts';
import { plainLine } from '../text/plainText.ts';
import { quotedNames } from '../text/recordNames.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { followTabs } from './followTabs.ts';
import { tellDone } from './tellDone.ts';

export async function renameMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const record = await chooseRecord(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to rename'),
    nothing: vscode.l10n.t('There is no memory to rename.'),
  });
  if (!record) return;
  const store = scopes.storeOf(record);
  // Refused before a name is thought of, and not after.
  await store.read(record);
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Memory'),
    prompt: vscode.l10n.t('The file and the links in other memories follow.'),
    value: record.name,
    validateInput: (value) => remarkOn(value.trim(), record, store),
  });
  if (name === undefined || name.trim() === record.name) return;
  const group = randomUUID();
  const renaming = await withProgress(
    { title: vscode.l10n.t('Renaming “{0}”…', plainLine(record.name)) },
    (onProgress) => store.rename(record, name.trim(), group, onProgress),
  );
  const { before, record: now } = renaming;
  if (now.hash === before.hash) return;
  await followTabs(before.path, now.path);
  void tellDone(scopes, {
    text: joinedText([renamedText(renaming), ...leftText(renaming), ...damagedText(renaming)]),
    group,
    isWarning: renaming.left.length + renaming.damaged.length > 0,
    afterUndo: () => followTabs(now.path, before.path),
  });
}

/** An error keeps Enter from going through; the rest only tells what will be. */
async function remarkOn(
  name: string,
  record: MemoryRecord,
  store: MemoryStore,
): Promise<string | vscode.InputBoxValidationMessage | undefined> {
  if (!/[\p{L}\p{N}]/u.test(name))
    return vscode.l10n.t('Write a name with letters or digits, or press Escape.');
  const secret = secretIn(name);
  if (secret !== undefined)
    return vscode.l10n.t(
      'This holds {0}, and secrets are not saved in memories.',
      sentenceText(secretKind(secret)),
    );
  if (name === record.name) return undefined;
  const named = await store.nameFor(record, name);
  if (named === name) return undefined;
  return { message: outcomeText(name, named), severity: vscode.InputBoxValidationSeverity.Info };
}

function outcomeText(name: string, named: string): string {
  const slug = slugFor(name);
  if (slug !== named)
    return vscode.l10n.t('“{0}” is taken. It will be called “{1}”.', plainLine(slug), named);
  return isCut(name)
    ? vscode.l10n.t('That is too long for a file name. It will be called “{0}”.', named)
    : vscode.l10n.t('It will be called “{0}”.', named);
}

/** What comes behind has no room any more. */
function isCut(name: string): boolean {
  return slugFor(name) === slugFor(`${name}-x`);
}

function renamedText({ before, record, links, linking }: Renaming): string {
  const [from, to] = [plainLine(before.name), plainLine(record.name)];
  if (links === 0) return vscode.l10n.t('Renamed “{0}” to “{1}”.', from, to);
  if (links === 1) return vscode.l10n.t('Renamed “{0}” to “{1}”, and 1 link to it.', from, to);
  return linking.length === 1
    ? vscode.l10n.t(
        'Renamed “{0}” to “{1}”, and {2} links to it in 1 memory.',
        from,
        to,
        figure(links),
      )
    : vscode.l10n.t(
        'Renamed “{0}” to “{1}”, and {2} links to it in {3} memories.',
        from,
        to,
        figure(links),
        figure(linking.length),
      );
}

function leftText({ left }: Renaming): readonly string[] {
  if (left.length === 0) return [];
  const names = quotedNames(left);
  return [
    vscode.l10n.t(
      'Left as they are, since they are being edited or cannot be written: {0}.',
      names,
    ),
  ];
}

function damagedText({ damaged }: Renaming): readonly string[] {
  if (damaged.length === 0) return [];
  const names = quotedNames(damaged.map(({ file }) => ({ name: file })));
  const links = damaged.reduce((sum, each) => sum + each.links, 0);
  return [
    links === 1
      ? vscode.l10n.t('Left as it is, since its file is damaged: 1 link to it in {0}.', names)
      : vscode.l10n.t(
          'Left as they are, since their files are damaged: {0} links to it in {1}.',
          figure(links),
          names,
        ),
  ];
}
