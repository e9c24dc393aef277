// How an answer ends: what came of the turn, what failed and what helps, and the reference for the next request.

import * as vscode from 'vscode';
import type { TurnResult } from '../../agent/turn.ts';
import { errorText, type Log } from '../../base/log.ts';
import type { ModelError } from '../../models/model.ts';
import { figure } from '../text/figures.ts';
import { otherModelButton, setKeyButton } from './buttons.ts';
import { REFUSED_TURN, refusedWork } from './chatHistory.ts';
import { NO_TURN } from './noTurn.ts';
import { failureButtons, failureText, refusalText, stepsAfterFailure } from './failure.ts';
import { nextSteps, type NextStep } from './followups.ts';
import { attachedReferences } from './promptReferences.ts';

interface TurnEnd {
  readonly result: TurnResult;
  /** Whether the person picked a model of ours: only that is opened by our key. */
  readonly isOwnModel: boolean;
  /** Whether something was said or done. */
  readonly isBegun: boolean;
  /** What may be wanted behind a completed answer. */
  readonly steps: readonly NextStep[];
}

export function finishTurn(
  response: vscode.ChatResponseStream,
  { result, isOwnModel, isBegun, steps }: TurnEnd,
  log: Log,
): vscode.ChatResult {
  const { outcome, ref } = result;
  switch (outcome.kind) {
    case 'completed':
      return { metadata: { ...ref, ...nextSteps(...steps) } };
    case 'cancelled':
      return { metadata: { ...ref } };
    case 'roundLimit':
      response.markdown(`\n\n${roundLimitText(outcome.rounds)}`);
      return { metadata: { ...ref, ...nextSteps({ kind: 'continue' }) } };
    case 'failed': {
      const { error } = outcome;
      log.error(`[chat] The turn failed: ${errorText(error)}`);
      failureButtons(response, { error, isOwnModel });
      if (error.kind === 'refused') return refusedResult(result, error);
      const metadata = { ...ref, ...nextSteps(...stepsAfterFailure({ error, isBegun })) };
      return { metadata, errorDetails: { message: failureText({ error, isOwnModel, isBegun }) } };
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
        figure(rounds),
      );
}

/**
 * A refused request that stays in the conversation is refused again with every one that follows it. What was done by
 * then was not: the model went on from it, up to the last of it.
 */
function refusedResult({ ref, work }: TurnResult, error: ModelError): vscode.ChatResult {
  const metadata = work ? refusedWork(ref, work.files) : REFUSED_TURN;
  return { metadata, errorDetails: { message: refusalText(error, work === undefined) } };
}

/** Offers to ask again, where it is words alone that are to be sent. */
export function askForKey(
  response: vscode.ChatResponseStream,
  { command, prompt, references }: vscode.ChatRequest,
): vscode.ChatResult {
  response.markdown(
    vscode.l10n.t(
      'To talk to Claude I need an Anthropic API key. It is kept in the secret storage of VS Code. Or pick another model in the model picker below.\n\n`/remember`, `/recall`, `/forget`, `/context` and `/help` work without a model.',
    ),
  );
  setKeyButton(response);
  otherModelButton(response);
  const isWhole = command === undefined && attachedReferences(references).length === 0;
  const steps: readonly NextStep[] = isWhole ? [{ kind: 'askAgain', words: prompt }] : [];
  return { metadata: { ...NO_TURN, ...nextSteps(...steps) } };
}
