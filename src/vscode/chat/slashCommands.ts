// /remember, /recall and /forget: the memories by hand, without a model and without a key.

import * as vscode from 'vscode';
import { COMMANDS, type SlashCommand } from '../../manifest.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { recordFromWords } from '../../memory/remember.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { redactSecrets, secretIn } from '../../memory/secrets/secrets.ts';
import { rankRecords } from '../../memory/words/lexical.ts';
import { repeats } from '../../memory/words/likeness.ts';
import { plainLine, plainMarkdown } from '../text/plainText.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { refuseUntrusted } from './untrustedLine.ts';

/** As many as a person reads in a chat. */
const MOST_SHOWN = 10;

type MemoryCommand = Exclude<SlashCommand, 'consolidate' | 'compact' | 'context'>;

interface SlashRequest {
  readonly command: MemoryCommand;
  readonly prompt: string;
  /** Undefined when the workspace is not trusted. */
  readonly scopes: MemoryScopes | undefined;
  readonly response: vscode.ChatResponseStream;
}

export function isMemoryCommand(command: string | undefined): command is MemoryCommand {
  return command === 'remember' || command === 'recall' || command === 'forget';
}

export async function runMemoryCommand(request: SlashRequest): Promise<void> {
  const { scopes, response } = request;
  if (!scopes) {
    refuseUntrusted(response);
    return;
  }
  switch (request.command) {
    case 'remember':
      return remember(scopes, request);
    case 'recall':
      return recall(scopes, request);
    case 'forget':
      return forget(scopes, request);
  }
}

async function remember(scopes: MemoryScopes, { prompt, response }: SlashRequest): Promise<void> {
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
    refuseSecret(secret, prompt, response);
    return;
  }
  const words = recordFromWords(prompt);
  const { records } = await scopes.list();
  const twin = records.find((record) => repeats(words, record));
  if (twin) {
    const [text] = lines([twin], records, scopes);
    response.markdown(`${vscode.l10n.t('Already remembered:')}\n\n${text}`);
    return;
  }
  const { record } = await scopes.create(words);
  const [text] = lines([record], [...records, record], scopes);
  const opening =
    scopes.workspace.length > 0
      ? vscode.l10n.t('Remembered:')
      : vscode.l10n.t('Remembered among your personal memories, since no folder is open:');
  response.markdown(`${opening}\n\n${text}`);
  response.button({
    command: COMMANDS.editMemory,
    title: vscode.l10n.t('Open'),
    arguments: [record.path],
  });
}

function refuseSecret(secret: string, prompt: string, response: vscode.ChatResponseStream): void {
  response.markdown(
    vscode.l10n.t('Not remembered: this holds {0}, and secrets are not saved in memories.', secret),
  );
  response.button({
    command: COMMANDS.saveRedacted,
    title: vscode.l10n.t('Save Redacted'),
    arguments: [recordFromWords(redactSecrets(prompt))],
  });
}

async function recall(scopes: MemoryScopes, { prompt, response }: SlashRequest): Promise<void> {
  const { records } = await scopes.list();
  const found = matching(records, prompt);
  response.markdown(
    found.length === 0 ? noneText(records.length, prompt) : listText(found, records, scopes),
  );
}

async function forget(scopes: MemoryScopes, { prompt, response }: SlashRequest): Promise<void> {
  if (prompt.trim() === '') {
    response.markdown(
      vscode.l10n.t('Write what to forget after the command, for example `/forget tabs`.'),
    );
    return;
  }
  const { records } = await scopes.list();
  const found = matching(records, prompt);
  if (found.length === 0) {
    response.markdown(noneText(records.length, prompt));
    return;
  }
  const question = vscode.l10n.t('Which one? Deleting asks first, and can be undone.');
  response.markdown(`${question}\n\n${listText(found, records, scopes)}`);
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
    return vscode.l10n.t('Nothing is remembered yet. Say what to keep with `/remember`.');
  }
  return vscode.l10n.t('No memory matches “{0}”.', plainMarkdown(query.trim()));
}

/** The first of them, a line each, and how many there are besides. */
function listText(
  found: readonly MemoryRecord[],
  all: readonly MemoryRecord[],
  scopes: MemoryScopes,
): string {
  const text = lines(found.slice(0, MOST_SHOWN), all, scopes);
  const more = found.length - text.length;
  if (more > 0) {
    text.push('', vscode.l10n.t('And {0} more: add words to narrow it down.', more));
  }
  return text.join('\n');
}

/** The scope of each is told when there are several folders, or when `all` are not of one scope. */
function lines(
  records: readonly MemoryRecord[],
  all: readonly MemoryRecord[],
  scopes: MemoryScopes,
): string[] {
  const tellsScope =
    scopes.workspace.length > 1 || new Set(all.map((record) => scopes.scopeOf(record))).size > 1;
  return records.map((record) => {
    const scope = tellsScope ? scopes.scopeOf(record) : undefined;
    const label = scope ? ` · ${plainMarkdown(scopeLabel(scope))}` : '';
    const link = `[${plainMarkdown(record.name)}](${vscode.Uri.file(record.path).toString()})`;
    return `- ${link} — ${plainMarkdown(record.description)} \`${record.type}\`${label}`;
  });
}
