// /compact: summarises the conversation of the chat now, between two turns.

import * as vscode from 'vscode';
import { compactSession } from '../../agent/compactSession.ts';
import type { Emit } from '../../agent/events.ts';
import type { SessionRequest, SessionDeps } from '../../agent/sessionDeps.ts';
import { plainLine } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';

interface CompactCommand {
  readonly deps: SessionDeps;
  readonly request: SessionRequest;
  /** What the summary is to keep in particular. */
  readonly focus: string;
  readonly response: vscode.ChatResponseStream;
  readonly emit: Emit;
}

/** The next request goes on from what this leaves in the chat, whatever came of it. */
export async function compactChat(
  { deps, request, focus, response, emit }: CompactCommand,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const { previous, unfinished, visibleHistory } = request;
  if (!previous && unfinished.length === 0 && visibleHistory.length === 0) {
    response.markdown(vscode.l10n.t('Nothing has been said in this chat yet.'));
    return {};
  }
  response.progress(vscode.l10n.t('Summarising the conversation…'));
  const { ref, outcome } = await compactSession(deps, { ...request, focus }, emit, signal);
  const metadata = { ...ref };
  switch (outcome.kind) {
    // It was announced as every compaction is.
    case 'compacted':
    case 'cancelled':
      return { metadata };
    case 'nothing':
      response.markdown(vscode.l10n.t('There is too little to summarise yet.'));
      return { metadata };
    case 'failed': {
      const message = vscode.l10n.t(
        'The conversation was not summarised, and stays as it is: {0}',
        plainLine(sentenceText(outcome.problem)),
      );
      return { metadata, errorDetails: { message } };
    }
  }
}
