// Answers a chat request: it becomes a turn, its events become the response. What a turn needs is built elsewhere;
// nothing here decides what the agent does.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { SentenceError } from '../../base/sentence.ts';
import { abortSignalOf } from '../host/signals.ts';
import { createLmModel } from '../models/lmModel.ts';
import type { ModelChoice } from '../models/modelChoice.ts';
import { plainLine } from '../text/plainText.ts';
import { errorSentence } from '../text/sentenceText.ts';
import { showLogButton } from './buttons.ts';
import {
  emitTo,
  knownSession,
  meteredRequest,
  sessionRequest,
  type Exchange,
  type Models,
  type ParticipantDeps,
} from './chatExchange.ts';
import { compactChat } from './compactCommand.ts';
import { showContext } from './contextCommand.ts';
import { nextSteps } from './followups.ts';
import { showHelp } from './helpCommand.ts';
import { NO_TURN } from './noTurn.ts';
import { attachedReferences } from './promptReferences.ts';
import { isMemoryCommand, runMemoryCommand } from './slashCommands.ts';
import { answerTurn } from './turnAnswer.ts';
import { askForKey } from './turnOutcome.ts';
import { showWelcome } from './welcome.ts';

export async function answer(
  deps: ParticipantDeps,
  exchange: Exchange,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const { signal, dispose } = abortSignalOf(token);
  try {
    return (await answerUnasked(deps, exchange)) ?? (await answerByModel(deps, exchange, signal));
  } catch (error) {
    deps.log.error(`[chat] ${errorText(error)}`);
    return unexpected(error, exchange.response, deps.log);
  } finally {
    dispose();
  }
}

/** What needs no model and no key; undefined for all else. */
async function answerUnasked(
  deps: ParticipantDeps,
  { request, response }: Exchange,
): Promise<vscode.ChatResult | undefined> {
  const { command, prompt, references } = request;
  const hasAttachments = attachedReferences(references).length > 0;
  const scopes = deps.sessionDeps().memory?.scopes;
  if (isMemoryCommand(command)) {
    const steps = await runMemoryCommand({ command, prompt, hasAttachments, scopes, response });
    return { metadata: nextSteps(...steps) };
  }
  if (command === 'help') return { metadata: nextSteps(...(await showHelp(scopes, response))) };
  if (command !== undefined || prompt.trim() !== '' || hasAttachments) return undefined;
  const steps = await showWelcome(scopes, response);
  return { metadata: { ...NO_TURN, ...nextSteps(...steps) } };
}

async function answerByModel(
  deps: ParticipantDeps,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const { request, response } = exchange;
  const { command } = request;
  const choice = await deps.chooseModel(request.model);
  if (command === 'context') return answerContext(deps, exchange, choice);
  if (choice.kind === 'missingKey') return askForKey(response, request);
  if (choice.kind === 'problem') {
    return { errorDetails: { message: choice.problem }, metadata: NO_TURN };
  }
  if (command === 'consolidate') return answerConsolidate(deps, exchange, signal);
  return command === 'compact'
    ? answerCompact(deps, exchange, choice, signal)
    : answerTurn(deps, exchange, choice, signal);
}

/** An error that nobody foresaw. The chat may be closed by now, and refuses what it is shown. */
function unexpected(
  error: unknown,
  response: vscode.ChatResponseStream,
  log: Log,
): vscode.ChatResult {
  const said = plainLine(errorSentence(error));
  try {
    showLogButton(response);
  } catch (closed) {
    log.debug(`[chat] The way to the log could not be shown: ${errorText(closed)}`);
  }
  const message =
    error instanceof SentenceError
      ? said
      : vscode.l10n.t('Something unexpected went wrong, and the log tells more of it: {0}', said);
  return { errorDetails: { message } };
}

async function answerConsolidate(
  { consolidate }: ParticipantDeps,
  { request, response }: Exchange,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  response.progress(vscode.l10n.t('Consolidating memories…'));
  await consolidate(request.model, signal);
  // The chat is closed by then, and refuses what it is shown.
  if (signal.aborted) return {};
  response.markdown(
    vscode.l10n.t(
      'The consolidation has ended. A notification says what it changed, if anything; **Memory: Undo Last Consolidation** takes it back.',
    ),
  );
  return {};
}

/** Needs no key: of a model that cannot be used the size of its window is known all the same. */
async function answerContext(
  deps: ParticipantDeps,
  exchange: Exchange,
  choice: ModelChoice,
): Promise<vscode.ChatResult> {
  const picked = createLmModel(exchange.request.model, deps.log);
  const models = choice.kind === 'chosen' ? choice : { model: picked, utility: picked };
  const request = sessionRequest(deps, exchange, models);
  const steps = await showContext(deps.sessionDeps(), request, exchange.response);
  return { metadata: nextSteps(...steps) };
}

async function answerCompact(
  deps: ParticipantDeps,
  exchange: Exchange,
  models: Models,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const { response } = exchange;
  const { metered, request, sessionDeps } = meteredRequest(deps, exchange, models);
  await knownSession(sessionDeps, request, response);
  const focus = exchange.request.prompt.trim();
  const emit = emitTo(deps, sessionDeps, response);
  const command = { deps: sessionDeps, request, focus, response, emit };
  const result = await compactChat(command, signal);
  metered.tell(response);
  return result;
}
