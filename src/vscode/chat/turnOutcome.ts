// How an answer ends: what came of the turn, what failed and what helps, and the reference for the next request.

import * as vscode from 'vscode';
import type { Outcome } from '../../agent/loop.ts';
import type { TurnResult } from '../../agent/turn.ts';
import { errorText, type Log } from '../../base/log.ts';
import { COMMANDS } from '../../manifest.ts';
import type { ModelError } from '../../models/model.ts';
import { NO_TURN, REFUSED_TURN, refusedWork } from './chatHistory.ts';

interface TurnEnd {
  readonly result: TurnResult;
  /** Whether the person picked a model of ours: only that is opened by our key. */
  readonly isOwnModel: boolean;
}

export function finishTurn(
  response: vscode.ChatResponseStream,
  { result, isOwnModel }: TurnEnd,
  log: Log,
): vscode.ChatResult {
  const { outcome, ref } = result;
  const metadata = { ...ref, outcome: outcome.kind };
  switch (outcome.kind) {
    case 'completed':
    case 'cancelled':
      return { metadata };
    case 'roundLimit':
      response.markdown(`\n\n${roundLimitText(outcome.rounds)}`);
      return { metadata };
    case 'failed': {
      const { error } = outcome;
      log.error(`[chat] The turn failed: ${errorText(error)}`);
      if (error.kind === 'auth' && isOwnModel) setKeyButton(response);
      if (error.kind === 'refused') return refusedResult(result, error);
      return { metadata, errorDetails: { message: failureText(error, isOwnModel) } };
    }
  }
}

function roundLimitText(rounds: number): string {
  return rounds === 1
    ? vscode.l10n.t(
        'I stopped after one round of tool calls, the limit of the setting `memoryAgent.maxRounds`. Press *Continue* to let me go on from here, or write what to do instead.',
      )
    : vscode.l10n.t(
        'I stopped after {0} rounds of tool calls, the limit of the setting `memoryAgent.maxRounds`. Press *Continue* to let me go on from here, or write what to do instead.',
        rounds,
      );
}

/**
 * A refused request that stays in the conversation is refused again with every one that follows it. What was done by
 * then was not: the model went on from it, up to the last of it.
 */
function refusedResult({ ref, work }: TurnResult, error: ModelError): vscode.ChatResult {
  const outcome: Outcome['kind'] = 'failed';
  if (!work) {
    const message = vscode.l10n.t(
      'The model declined to answer. From the next request on, this one is left out of the conversation: put it in other words, or pick another model in the model picker. ({0})',
      error.message,
    );
    return { metadata: { ...REFUSED_TURN, outcome }, errorDetails: { message } };
  }
  const message = vscode.l10n.t(
    'The model declined to go on. What it had done stays, and the next request goes on from there: say what is left in other words, or pick another model in the model picker. When that is declined too, this request is left out of the conversation. ({0})',
    error.message,
  );
  return { metadata: { ...refusedWork(ref, work.files), outcome }, errorDetails: { message } };
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

/** What failed, and what helps. The words of the model or its server stand in brackets: they are not in our hand. */
function failureText(error: ModelError, isOwnModel: boolean): string {
  switch (error.kind) {
    case 'overflow':
      return vscode.l10n.t(
        'This conversation is too long for the model, even after its older part was archived. Start a new chat; your memories come along. ({0})',
        error.message,
      );
    case 'auth':
      return isOwnModel
        ? error.message
        : vscode.l10n.t(
            'The model may not be used. Allow it when VS Code asks, sign in to its provider again, or pick another model in the model picker. ({0})',
            error.message,
          );
    case 'rateLimit':
      return vscode.l10n.t(
        'The model takes no more requests for now. Wait a while, or pick another model in the model picker. ({0})',
        error.message,
      );
    case 'overloaded':
      return vscode.l10n.t(
        'The model is overloaded. Wait a few minutes, or pick another model in the model picker. ({0})',
        error.message,
      );
    case 'network':
      return vscode.l10n.t(
        'The answer of the model did not come through. What is shown of it is kept, and you can ask to go on from there. ({0})',
        error.message,
      );
    case 'refused':
    case 'cancelled':
    case 'other':
      return error.message;
  }
}
