// /remember, /recall and /forget: the memories by hand, without a model and without a key.

import * as vscode from 'vscode';
import { COMMANDS, type SlashCommand } from '../../manifest.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { rankRecords } from '../../memory/words/lexical.ts';
import { figure } from '../text/figures.ts';
import { plainLine, plainMarkdown, shorten } from '../text/plainText.ts';
import { memoriesButton } from './buttons.ts';
import type { NextStep } from './followups.ts';
import { listText, MOST_SHOWN } from './memoryLines.ts';
import { remember } from './rememberCommand.ts';
import { refuseUntrusted } from './untrustedLine.ts';

/** Characters. A longer query is no topic to ask about, nor to be repeated whole. */
const LONGEST_TOPIC = 60;
/** Of a name on a button. */
const NAME_CHARS = 60;

type MemoryCommand = Extract<SlashCommand, 'remember' | 'recall' | 'forget'>;

interface SlashRequest {
  readonly command: MemoryCommand;
  readonly prompt: string;
  /** Whether something is attached. */
  readonly hasAttachments: boolean;
  /** Undefined when the workspace is not trusted. */
  readonly scopes: MemoryScopes | undefined;
  readonly response: vscode.ChatResponseStream;
}

export function isMemoryCommand(command: string | undefined): command is MemoryCommand {
  return command === 'remember' || command === 'recall' || command === 'forget';
}

/** What may be wanted next. */
export async function runMemoryCommand(request: SlashRequest): Promise<readonly NextStep[]> {
  const { scopes, response } = request;
  if (!scopes) {
    refuseUntrusted(response);
    return [];
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

async function recall(
  scopes: MemoryScopes,
  { prompt, response }: SlashRequest,
): Promise<readonly NextStep[]> {
  const { records } = await scopes.list();
  const found = matching(records, prompt);
  if (found.length === 0) return tellNone(records.length, prompt, response);
  response.markdown(listText(found, records, scopes));
  if (found.length <= MOST_SHOWN) return [];
  memoriesButton(response);
  const topic = prompt.trim();
  return topic !== '' && topic.length <= LONGEST_TOPIC ? [{ kind: 'sumUp', words: topic }] : [];
}

async function forget(
  scopes: MemoryScopes,
  { prompt, response }: SlashRequest,
): Promise<readonly NextStep[]> {
  const { records } = await scopes.list();
  if (prompt.trim() === '') {
    response.markdown(
      vscode.l10n.t('Write what to forget after the command, for example `/forget tabs`.'),
    );
    return records.length > 0 ? [{ kind: 'showAll' }] : [];
  }
  const found = matching(records, prompt);
  if (found.length === 0) return tellNone(records.length, prompt, response);
  const [only, second] = found;
  const question =
    only && !second
      ? vscode.l10n.t('This one? Deleting asks first, and can be undone.')
      : vscode.l10n.t('Which one? Deleting asks first, and can be undone.');
  response.markdown(`${question}\n\n${listText(found, records, scopes)}`);
  for (const record of found.slice(0, MOST_SHOWN)) {
    response.button({
      command: COMMANDS.deleteMemory,
      title: vscode.l10n.t('Delete “{0}”', shorten(plainLine(record.name), NAME_CHARS)),
      arguments: [record.path],
    });
  }
  if (found.length > MOST_SHOWN) memoriesButton(response);
  return [];
}

/** Best first; all of them, newest first, when there are no words to search for. */
function matching(records: readonly MemoryRecord[], query: string): readonly MemoryRecord[] {
  if (query.trim() === '') return records.toSorted((a, b) => b.modified - a.modified);
  return rankRecords(records, query).map((ranked) => ranked.record);
}

function tellNone(
  count: number,
  query: string,
  response: vscode.ChatResponseStream,
): readonly NextStep[] {
  if (count === 0) {
    response.markdown(
      vscode.l10n.t(
        'Nothing is remembered yet. Say what to keep, for example `/remember I prefer tabs for indentation.`',
      ),
    );
    return [{ kind: 'help' }];
  }
  const topic = plainMarkdown(shorten(plainLine(query), LONGEST_TOPIC));
  response.markdown(
    count === 1
      ? vscode.l10n.t('The one memory that there is does not match “{0}”.', topic)
      : vscode.l10n.t(
          'None of the {0} memories matches “{1}”. Try other words for it, or fewer.',
          figure(count),
          topic,
        ),
  );
  return [{ kind: 'showAll' }];
}
