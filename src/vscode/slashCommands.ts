// /remember, /recall and /forget: the memories by hand, without a model and without a key.

import * as vscode from 'vscode';
import { COMMANDS, SLASH_COMMANDS, type SlashCommand } from '../manifest.ts';
import { fold } from '../memory/fieldText.ts';
import { rankRecords } from '../memory/lexical.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { recordFromWords } from '../memory/remember.ts';
import { secretIn } from '../memory/secrets.ts';
import type { MemoryStore } from '../memory/store.ts';
import { plainLine, plainMarkdown } from './plainText.ts';

/** As many as a person reads in a chat. */
const MOST_SHOWN = 10;

interface SlashRequest {
  readonly command: SlashCommand;
  readonly prompt: string;
  /** Undefined when no folder is open or the workspace is not trusted. */
  readonly store: MemoryStore | undefined;
  readonly response: vscode.ChatResponseStream;
}

export function isSlashCommand(command: string | undefined): command is SlashCommand {
  return SLASH_COMMANDS.some((name) => name === command);
}

export async function runSlashCommand(request: SlashRequest): Promise<void> {
  const { store, response } = request;
  if (!store) {
    response.markdown(
      vscode.workspace.isTrusted
        ? vscode.l10n.t('Memories belong to a folder. Open one to begin.')
        : vscode.l10n.t('The memories of this folder are not used until you trust the workspace.'),
    );
    return;
  }
  switch (request.command) {
    case 'remember':
      return remember(store, request);
    case 'recall':
      return recall(store, request);
    case 'forget':
      return forget(store, request);
  }
}

async function remember(store: MemoryStore, { prompt, response }: SlashRequest): Promise<void> {
  if (prompt.trim() === '') {
    response.markdown(
      vscode.l10n.t(
        'Write what to remember after the command, for example `/remember I prefer tabs for indentation.` Begin with `project:`, `feedback:` or `reference:` for a type other than `user`.',
      ),
    );
    return;
  }
  const secret = secretIn(prompt);
  if (secret !== undefined) {
    response.markdown(
      vscode.l10n.t(
        'Not remembered: this holds {0}, and secrets are not saved in memories.',
        secret,
      ),
    );
    return;
  }
  const words = recordFromWords(prompt);
  const { records } = await store.list();
  const twin = records.find((record) => fold(record.body) === fold(words.body));
  if (twin) {
    response.markdown(vscode.l10n.t('Already remembered:') + '\n\n' + line(twin));
    return;
  }
  const { record } = await store.create(words);
  response.markdown(vscode.l10n.t('Remembered:') + '\n\n' + line(record));
  response.button({
    command: COMMANDS.editMemory,
    title: vscode.l10n.t('Open'),
    arguments: [record.path],
  });
}

async function recall(store: MemoryStore, { prompt, response }: SlashRequest): Promise<void> {
  const { records } = await store.list();
  const found = matching(records, prompt);
  if (found.length === 0) {
    response.markdown(noneText(records.length, prompt));
    return;
  }
  response.markdown(listText(found));
}

async function forget(store: MemoryStore, { prompt, response }: SlashRequest): Promise<void> {
  const { records } = await store.list();
  if (prompt.trim() === '') {
    response.markdown(
      vscode.l10n.t('Write what to forget after the command, for example `/forget tabs`.'),
    );
    return;
  }
  const found = matching(records, prompt);
  if (found.length === 0) {
    response.markdown(noneText(records.length, prompt));
    return;
  }
  response.markdown(
    vscode.l10n.t('Which one? Deleting asks first, and can be undone.') + '\n\n' + listText(found),
  );
  for (const record of found.slice(0, MOST_SHOWN)) {
    response.button({
      command: COMMANDS.deleteMemory,
      title: vscode.l10n.t('Delete “{0}”', plainLine(record.name)),
      arguments: [record.path],
    });
  }
}

/** Best first; all of them, newest first, when there are no words to search for. */
function matching(records: readonly MemoryRecord[], query: string): readonly MemoryRecord[] {
  if (query.trim() === '') return records.toSorted((a, b) => b.modified - a.modified);
  return rankRecords(records, query).map((ranked) => ranked.record);
}

function noneText(count: number, query: string): string {
  if (count === 0) {
    return vscode.l10n.t(
      'Nothing is remembered in this workspace yet. Say what to keep with `/remember`.',
    );
  }
  return vscode.l10n.t('No memory matches “{0}”.', plainMarkdown(query.trim()));
}

/** The first of them, a line each, and how many there are besides. */
function listText(records: readonly MemoryRecord[]): string {
  const lines = records.slice(0, MOST_SHOWN).map(line);
  const more = records.length - lines.length;
  if (more > 0) {
    lines.push('', vscode.l10n.t('And {0} more: add words to narrow it down.', more));
  }
  return lines.join('\n');
}

function line(record: MemoryRecord): string {
  const uri = vscode.Uri.file(record.path);
  return `- [${plainMarkdown(record.name)}](${uri.toString()}) — ${plainMarkdown(record.description)} \`${record.type}\``;
}
