// "Delete": asks, then moves the files to the trash, several as one change.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { settleEach } from '../../base/atMost.ts';
import type { DamagedRecord, MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { confirm } from '../host/ask.ts';
import { workThrough } from '../host/progress.ts';
import { chooseFiles } from '../picks/chooseRecords.ts';
import { figure } from '../text/figures.ts';
import { plainLine } from '../text/plainText.ts';
import { listedNames, quotedNames } from '../text/recordNames.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { tellDone } from './tellDone.ts';

type File = MemoryRecord | DamagedRecord;

export async function deleteMemory(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  const files = await chooseFiles(scopes, {
    args,
    placeHolder: vscode.l10n.t('Choose a memory to delete'),
    nothing: vscode.l10n.t('There is no memory to delete.'),
  });
  if (files.length === 0 || !(await confirmed(files))) return;
  const group = randomUUID();
  const gone: File[] = [];
  try {
    await workThrough(files, {
      title: vscode.l10n.t('Deleting memories…'),
      work: async (some) => {
        const records = some.filter((file) => 'hash' in file);
        const removed = await scopes.removeAll(records, 'deleted', group);
        const damaged = await settleEach(
          some.filter((file) => 'problem' in file),
          1,
          async (file) => {
            await scopes.storeOf(file).damaged.remove(file, 'deleted', group);
            return file;
          },
        );
        gone.push(...removed.done.map(({ record }) => record), ...damaged.done);
        return [...removed.failures, ...damaged.failures];
      },
    });
  } finally {
    // Also when a later one failed: what is gone can be brought back.
    if (gone.length > 0) void tellDone(scopes, { text: deletedText(gone), group });
  }
}

async function confirmed(files: readonly File[]): Promise<boolean> {
  const [only] = files;
  const isSingle = only && files.length === 1;
  const where = vscode.l10n.t(
    'You can undo this, or bring deleted memories back later with “Memory: Restore Deleted”.',
  );
  return confirm({
    text: isSingle
      ? questionFor(only)
      : vscode.l10n.t('Delete {0} memories?', figure(files.length)),
    detail: `${isSingle ? detailOf(only) : listedNames(files.map(named))}\n\n${where}`,
    button: vscode.l10n.t('Delete'),
  });
}

function questionFor(file: File): string {
  return 'problem' in file
    ? vscode.l10n.t('Delete the damaged file {0}?', quotedNames([named(file)]))
    : vscode.l10n.t('Delete the memory {0}?', quotedNames([file]));
}

function detailOf(file: File): string {
  return plainLine('problem' in file ? sentenceText(file.problem) : file.description);
}

function deletedText(gone: readonly File[]): string {
  const names = quotedNames(gone.map(named));
  return gone.length === 1
    ? vscode.l10n.t('Deleted {0}.', names)
    : vscode.l10n.t('{0} memories deleted: {1}', figure(gone.length), names);
}

function named(file: File): { readonly name: string } {
  return 'problem' in file ? { name: file.file } : file;
}
