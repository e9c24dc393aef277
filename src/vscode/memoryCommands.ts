// The commands on memories: New, Edit, Delete, Refresh, Open Index. They throw; `commands.ts` shows what failed.
// A row of the tree may be older than its file, so records are looked up in the store before anything happens.

import * as vscode from 'vscode';
import { infoIfPresent } from '../base/files.ts';
import type { CommandKey } from '../manifest.ts';
import { MAX_DESCRIPTION, type MemoryRecord } from '../memory/record.ts';
import type { Change } from '../memory/change.ts';
import type { MemoryList } from '../memory/recordCache.ts';
import type { MemoryStore } from '../memory/store.ts';
import { fileOfArgument } from './memoryNodes.ts';
import { newMemory } from './newMemory.ts';
import { plainLine, shorten } from './plainText.ts';

/** More names than this do not help in a dialog. */
const NAMES_IN_DIALOG = 10;

type MemoryCommandKey = Extract<
  CommandKey,
  'newMemory' | 'editMemory' | 'deleteMemory' | 'refreshMemories' | 'openIndex'
>;

interface MemoryCommandDeps {
  /** Read at each run: memory comes and goes with the trust in the workspace. */
  readonly store: () => MemoryStore | undefined;
  /** Shows a notification with Undo. Not awaited. */
  readonly notify: (changes: readonly Change[]) => void;
}

export function memoryCommands({
  store,
  notify,
}: MemoryCommandDeps): Record<MemoryCommandKey, (...args: readonly unknown[]) => Promise<void>> {
  const withStore = async (run: (store: MemoryStore) => Promise<void>): Promise<void> => {
    const present = store();
    await (present ? run(present) : explainNoStore());
  };
  return {
    newMemory: () => withStore(newMemory),
    editMemory: (node) => withStore((present) => editMemory(present, node)),
    deleteMemory: (node, selection) =>
      withStore(async (present) => {
        const several = Array.isArray(selection) && selection.length > 0;
        const records = await chooseForDeletion(present, several ? selection : [node]);
        const changes: Change[] = [];
        try {
          for (const record of records) changes.push(await present.remove(record, 'deleted'));
        } finally {
          // Also when a later one failed: what is gone can be brought back.
          if (changes.length > 0) notify(changes);
        }
      }),
    refreshMemories: () => withStore((present) => present.refresh()),
    openIndex: () => withStore(openIndex),
  };
}

async function editMemory(store: MemoryStore, node: unknown): Promise<void> {
  const listing = await store.list();
  const file = fileOfArgument(node) ?? (await pickFile(listing));
  if (!file) return;
  const found = [...listing.records, ...listing.damaged].find((each) => each.file === file);
  if (!found) throw goneError(file);
  await openForEditing(found.path);
}

/** The records to delete, once the person has said yes; none when not. */
async function chooseForDeletion(
  store: MemoryStore,
  nodes: readonly unknown[],
): Promise<readonly MemoryRecord[]> {
  const listing = await store.list();
  const given = nodes.map(fileOfArgument).filter((file) => file !== undefined);
  const picked = given.length > 0 ? [] : [await pickFile({ ...listing, damaged: [] })];
  const files = [...given, ...picked].filter((file) => file !== undefined);
  const records = listing.records.filter((record) => files.includes(record.file));
  const present = [...listing.records, ...listing.damaged].map((each) => each.file);
  const gone = files.find((file) => !present.includes(file));
  if (gone !== undefined) throw goneError(gone);
  return records.length > 0 && (await confirmDeletion(records)) ? records : [];
}

async function confirmDeletion(records: readonly MemoryRecord[]): Promise<boolean> {
  const [only] = records;
  const question =
    only && records.length === 1
      ? vscode.l10n.t('Delete the memory “{0}”?', plainLine(only.name))
      : vscode.l10n.t('Delete {0} memories?', records.length);
  const what =
    only && records.length === 1
      ? plainLine(only.description)
      : namesForDialog(records.map((record) => plainLine(record.name)));
  const where = vscode.l10n.t('Deleted files go to .memory/.trash, and you can undo this.');
  const confirm = vscode.l10n.t('Delete');
  const answer = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail: `${what}\n\n${where}` },
    confirm,
  );
  return answer === confirm;
}

function namesForDialog(names: readonly string[]): string {
  const more = names.length - NAMES_IN_DIALOG;
  const lines = names.slice(0, NAMES_IN_DIALOG);
  if (more > 0) lines.push(vscode.l10n.t('and {0} more', more));
  return lines.join('\n');
}

async function openIndex(store: MemoryStore): Promise<void> {
  const { records } = await store.list();
  if (records.length === 0) {
    const create = vscode.l10n.t('New Memory');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('There is no index yet, since nothing is remembered in this workspace.'),
      create,
    );
    if (choice === create) await newMemory(store);
    return;
  }
  if (!(await infoIfPresent(store.indexPath))) await store.rebuildIndex();
  await vscode.window.showTextDocument(vscode.Uri.file(store.indexPath));
}

async function pickFile({ records, damaged }: MemoryList): Promise<string | undefined> {
  const items = [
    ...records.map(({ name, description, file }) => ({
      label: plainLine(name),
      description: shorten(plainLine(description), MAX_DESCRIPTION),
      file,
    })),
    ...damaged.map(({ file, problem }) => ({
      label: plainLine(file),
      description: plainLine(problem),
      file,
    })),
  ];
  const placeHolder =
    items.length > 0
      ? vscode.l10n.t('Choose a memory')
      : vscode.l10n.t('Nothing is remembered in this workspace yet');
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))
    ?.file;
}

function openForEditing(path: string): Thenable<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

async function explainNoStore(): Promise<void> {
  const { text, button, command } = vscode.workspace.isTrusted
    ? {
        text: vscode.l10n.t('Memories belong to a folder. Open one to begin.'),
        button: vscode.l10n.t('Open Folder'),
        command: 'vscode.openFolder',
      }
    : {
        text: vscode.l10n.t('The memories of this folder are not used until you trust it.'),
        button: vscode.l10n.t('Manage Trust'),
        command: 'workbench.trust.manage',
      };
  const choice = await vscode.window.showInformationMessage(text, button);
  if (choice === button) await vscode.commands.executeCommand(command);
}

function goneError(file: string): Error {
  return new Error(vscode.l10n.t('{0} is no longer there. Refresh the list.', file));
}
