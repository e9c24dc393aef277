// The events of a turn as what the chat shows of them.

import * as vscode from 'vscode';
import type { TurnEvent } from '../../agent/events.ts';
import type { RecallReceipt } from '../../memory/recall/recallReceipt.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { newChatButton } from './buttons.ts';
import { showChecklist } from './checklist.ts';
import { codeSpan } from '../text/codeMarkdown.ts';
import { compactionText } from '../text/compactionText.ts';
import { figure, percent } from '../text/figures.ts';
import { plainMarkdown } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { hasReceiptLine, receiptLink } from './recallReceiptLink.ts';
import { windowPartName } from '../text/windowPartName.ts';

/** What fills the window besides is small, and only the large parts can be done something about. */
const PARTS_NAMED = 3;

export function showEvent(
  response: vscode.ChatResponseStream,
  event: TurnEvent,
  scopes: MemoryScopes | undefined,
): void {
  switch (event.type) {
    case 'recalled':
      showRecall(response, event.receipt, scopes);
      return;
    case 'text':
      response.markdown(event.text);
      return;
    case 'retrying':
      response.progress(retryText(event));
      return;
    case 'leaving':
      // A summary takes some seconds.
      response.progress(vscode.l10n.t('Making room in the conversation…'));
      return;
    case 'compacted':
      // Nothing leaves the conversation unsaid.
      response.markdown(`\n\n_${compactionText(event)}_\n\n`);
      return;
    case 'archiveFailed': {
      const text = vscode.l10n.t(
        'The older part of this conversation could not be archived, so it stays as it is and may become too long: {0}',
        plainMarkdown(sentenceText(event.problem)),
      );
      response.markdown(`\n\n_${text}_\n\n`);
      return;
    }
    case 'compactionNear':
      response.markdown(`\n\n_${compactionNearText(event)}_\n\n`);
      return;
    case 'compactionGivenUp':
      response.markdown(`\n\n${givenUpText(event)}\n\n`);
      newChatButton(response);
      return;
    case 'inTask':
      showTaskEvent(response, event);
      return;
    case 'todos':
      showChecklist(response, event.todos);
      return;
    // VS Code shows running tools by itself, and has no stable part for thinking. Figures stand in the status bar.
    case 'thinking':
    case 'toolStarted':
    case 'toolFinished':
    case 'answered':
      return;
  }
}

/** Of a sub-agent's turn what holds it up, and what leaves its view: its words are for the agent that asked. */
function showTaskEvent(
  response: vscode.ChatResponseStream,
  { title, event }: Extract<TurnEvent, { type: 'inTask' }>,
): void {
  const task = codeSpan(title);
  if (event.type === 'retrying') {
    response.progress(vscode.l10n.t('Task {0}: {1}', task, retryText(event)));
  } else if (event.type === 'compacted') {
    const text = vscode.l10n.t('Task {0}: {1}', task, compactionText(event));
    response.markdown(`\n\n_${text}_\n\n`);
  } else if (event.type === 'archiveFailed') {
    const text = vscode.l10n.t(
      'The older part of the task {0} could not be archived, so it stays as it is and may become too long: {1}',
      task,
      plainMarkdown(sentenceText(event.problem)),
    );
    response.markdown(`\n\n_${text}_\n\n`);
  } else if (event.type === 'compactionGivenUp') {
    const text = vscode.l10n.t(
      'Compacting no longer helps the task {0}, which may become too long for the model.',
      task,
    );
    response.markdown(`\n\n_${text}_\n\n`);
  }
}

/** Nothing is shown where nothing bears on the request. */
function showRecall(
  response: vscode.ChatResponseStream,
  receipt: RecallReceipt,
  scopes: MemoryScopes | undefined,
): void {
  for (const { record } of receipt.recalled) {
    const isPersonal = scopes?.scopeOf(record)?.kind === 'personal';
    // The icon that marks the personal ones in the sidebar.
    const icon = isPersonal ? new vscode.ThemeIcon('person') : undefined;
    response.reference(vscode.Uri.file(record.path), icon);
  }
  if (hasReceiptLine(receipt)) response.markdown(receiptLink(receipt));
}

function retryText(event: Extract<TurnEvent, { type: 'retrying' }>): string {
  const { reason, attempt, attempts } = event;
  const seconds = Math.max(1, Math.round(event.delayMs / 1000));
  return vscode.l10n.t(
    'Trying again in {0} s: {1} (attempt {2} of {3})',
    seconds,
    sentenceText(reason),
    attempt,
    attempts,
  );
}

function compactionNearText({
  tokens,
  limit,
}: Extract<TurnEvent, { type: 'compactionNear' }>): string {
  return vscode.l10n.t(
    'This conversation has filled {0} of its room. When it is full, its older part is shortened or summed up, and every word stays readable in the archive. `/compact` does it now; your memories also come along into a new chat.',
    percent(tokens / limit),
  );
}

function givenUpText({ parts }: Extract<TurnEvent, { type: 'compactionGivenUp' }>): string {
  const largest = parts.toSorted((a, b) => b.tokens - a.tokens).slice(0, PARTS_NAMED);
  const lines = largest.map(({ part, tokens }) =>
    vscode.l10n.t('{0}: about {1} tokens', windowPartName(part), figure(tokens)),
  );
  return [
    vscode.l10n.t('Compacting no longer helps. What fills most of the model’s window:'),
    lines.map((line) => `- ${line}`).join('\n'),
    vscode.l10n.t(
      'Paste less at once, start a new chat (your memories come along), or pick a model with a larger window.',
    ),
  ].join('\n\n');
}
