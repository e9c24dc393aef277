// How an answer ends: what came of the turn, what failed and what helps, and the reference for the next request.

import * as vscode from 'vscode';
import type { TurnResult } from '../agent/turn.ts';
import { errorText, type Log } from '../base/log.ts';
import { COMMANDS } from '../manifest.ts';
import type { ModelError } from '../models/model.ts';
import { NO_TURN } from './chatHistory.ts';

export function finishTurn(
  response: vscode.ChatResponseStream,
  result: TurnResult,
  log: Log,
): vscode.ChatResult {
  const { outcome, ref } = result;
  const metadata = { ...ref, outcome: outcome.kind };
  switch (outcome.kind) {
    case 'completed':
    case 'cancelled':
      return { metadata };
    case 'roundLimit':
      response.markdown(
        '\n\n' +
          vscode.l10n.t(
            'I stopped after {0} rounds of tool calls, the limit of the setting memoryAgent.maxRounds.',
            outcome.rounds,
          ),
      );
      return { metadata };
    case 'failed':
      log.error(`[chat] The turn failed: ${errorText(outcome.error)}`);
      if (outcome.error.kind === 'auth') setKeyButton(response);
      return { metadata, errorDetails: { message: failureText(outcome.error) } };
  }
}

export function askForKey(response: vscode.ChatResponseStream): vscode.ChatResult {
  response.markdown(
    vscode.l10n.t(
      'To talk to Claude I need an Anthropic API key. It is kept in the secret storage of VS Code. Or pick another model in the model picker below.\n\n/remember, /recall, /forget and /context work without a model.',
    ),
  );
  setKeyButton(response);
  return { metadata: NO_TURN };
}

function setKeyButton(response: vscode.ChatResponseStream): void {
  response.button({ command: COMMANDS.setApiKey, title: vscode.l10n.t('Set API Key') });
}

/** One sentence on what failed, and what helps. */
function failureText(error: ModelError): string {
  switch (error.kind) {
    case 'overflow':
      return vscode.l10n.t(
        'This conversation is too long for the model, even after its older part was archived. Start a new chat; your memories come along. ({0})',
        error.message,
      );
    case 'refused':
      return vscode.l10n.t('The model declined to answer. ({0})', error.message);
    case 'auth':
    case 'rateLimit':
    case 'overloaded':
    case 'network':
    case 'cancelled':
    case 'other':
      return error.message;
  }
}
