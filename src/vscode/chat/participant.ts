// The chat participant @memory: a chat request becomes a turn, its events become the response.
// What a turn needs is built elsewhere; nothing here decides what the agent does.

import * as vscode from 'vscode';
import type { Emit, TurnEvent } from '../../agent/events.ts';
import type { Learned } from '../../agent/learning/learned.ts';
import type { LearningStep } from '../../agent/learning/learning.ts';
import type { Outcome } from '../../agent/loop.ts';
import type { SessionDeps, SessionRequest } from '../../agent/sessionDeps.ts';
import type { Tool } from '../../agent/tools.ts';
import { runTurn, type TurnRequest } from '../../agent/turn.ts';
import { errorText, type Log } from '../../base/log.ts';
import { MODEL_VENDOR, PARTICIPANT_ID } from '../../manifest.ts';
import { LateAnswers } from '../../memory/recall/lateAnswers.ts';
import type { SessionView } from '../../sessions/session.ts';
import { approveRecall } from './approveRecall.ts';
import { requestAttachments } from './attachments.ts';
import { goingOn, NO_TURN, unfinishedRequests, visibleHistory } from './chatHistory.ts';
import { compactChat } from './compactCommand.ts';
import { showContext } from './contextCommand.ts';
import { workspaceFolderPaths } from '../tools/editorWorkspace.ts';
import { followFoldedLines } from './foldedLines.ts';
import { createLmModel } from '../models/lmModel.ts';
import { invokableTools } from '../tools/lmTools.ts';
import type { ModelChoice } from '../models/modelChoice.ts';
import { registerRecallReceipts } from './recallReceiptLink.ts';
import { readWindowSettings } from '../host/settings.ts';
import { abortSignalOf } from '../host/signals.ts';
import { isMemoryCommand, runMemoryCommand } from './slashCommands.ts';
import { showEvent } from './turnDisplay.ts';
import { askForKey, finishTurn } from './turnOutcome.ts';
import { tellUnsaved } from './unsavedRequest.ts';
import { tellUntrusted } from './untrustedLine.ts';
import { UsageLine } from './usageLine.ts';

interface ParticipantDeps {
  /** Read at each request: memory comes and goes with the trust in the workspace. */
  readonly sessionDeps: () => SessionDeps;
  /** Those that the workspace allows now. */
  readonly tools: () => readonly Tool[];
  readonly chooseModel: (picked: vscode.LanguageModelChat) => Promise<ModelChoice>;
  /** Asks, shows and tells by itself, with the model picked in the chat. */
  readonly consolidate: (picked: vscode.LanguageModelChat) => Promise<void>;
  readonly onLearningStep: (step: LearningStep | undefined) => void;
  readonly onLearned: (learned: Learned) => void;
  /** Besides what the chat shows of it. */
  readonly onEvent: (event: TurnEvent) => void;
  readonly log: Log;
}

export function registerParticipant(deps: ParticipantDeps): vscode.Disposable {
  const lateAnswers = new LateAnswers();
  const usageLine = new UsageLine(deps.log);
  const participant = vscode.chat.createChatParticipant(
    PARTICIPANT_ID,
    (request, context, response, token) =>
      answer(deps, { request, context, response, lateAnswers, usageLine }, token),
  );
  participant.iconPath = new vscode.ThemeIcon('notebook');
  participant.followupProvider = { provideFollowups: (result) => followups(result) };
  return vscode.Disposable.from(participant, registerRecallReceipts());
}

interface Exchange {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly response: vscode.ChatResponseStream;
  /** Of this window. */
  readonly lateAnswers: LateAnswers;
  readonly usageLine: UsageLine;
}

async function answer(
  deps: ParticipantDeps,
  exchange: Exchange,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const { request, response } = exchange;
  const { command, prompt } = request;
  const { signal, dispose } = abortSignalOf(token);
  try {
    if (isMemoryCommand(command)) {
      const scopes = deps.sessionDeps().memory?.scopes;
      await runMemoryCommand({ command, prompt, scopes, response });
      return {};
    }
    if (command === 'consolidate') {
      await answerConsolidate(deps, exchange);
      return {};
    }
    const choice = await deps.chooseModel(request.model);
    if (command === 'context') {
      await answerContext(deps, exchange, choice);
      return {};
    }
    if (choice.kind === 'missingKey') return askForKey(response);
    if (choice.kind === 'problem') {
      return { errorDetails: { message: choice.problem }, metadata: NO_TURN };
    }
    return await (command === 'compact'
      ? answerCompact(deps, exchange, choice, signal)
      : answerTurn(deps, exchange, choice, signal));
  } catch (error) {
    deps.log.error(`[chat] ${errorText(error)}`);
    return { errorDetails: { message: errorText(error) } };
  } finally {
    dispose();
  }
}

async function answerConsolidate(
  { consolidate }: ParticipantDeps,
  { request, response }: Exchange,
): Promise<void> {
  response.progress(vscode.l10n.t('Consolidating memories…'));
  await consolidate(request.model);
  response.markdown(
    vscode.l10n.t(
      'The consolidation has ended. A notification says what it changed, if anything; **Memory: Undo Last Consolidation** takes it back.',
    ),
  );
}

/** Needs no key: of a model that cannot be used the size of its window is known all the same. */
async function answerContext(
  deps: ParticipantDeps,
  exchange: Exchange,
  choice: ModelChoice,
): Promise<void> {
  const picked = createLmModel(exchange.request.model, deps.log);
  const models = choice.kind === 'chosen' ? choice : { model: picked, utility: picked };
  const request = sessionRequest(deps, exchange, models);
  await showContext(deps.sessionDeps(), request, exchange.response);
}

async function answerCompact(
  deps: ParticipantDeps,
  exchange: Exchange,
  models: Models,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const { response } = exchange;
  const metered = exchange.usageLine.begin(models);
  const request = sessionRequest(deps, exchange, metered.models);
  const sessionDeps = deps.sessionDeps();
  await knownSession(sessionDeps, request, response);
  const focus = exchange.request.prompt.trim();
  const emit = emitTo(deps, sessionDeps, response);
  const command = { deps: sessionDeps, request, focus, response, emit };
  const result = await compactChat(command, signal);
  metered.tell(response);
  return result;
}

async function answerTurn(
  deps: ParticipantDeps,
  exchange: Exchange,
  models: Models,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const { response } = exchange;
  const metered = exchange.usageLine.begin(models);
  const request = sessionRequest(deps, exchange, metered.models);
  const sessionDeps = deps.sessionDeps();
  const { isTrusted } = vscode.workspace;
  tellUntrusted(response, { isTrusted, isFirst: request.previous === undefined });
  const before = await knownSession(sessionDeps, request, response);
  const attached = await attachmentsOf(exchange, request, before, signal);
  const folded = followFoldedLines();
  const show = emitTo(deps, sessionDeps, response);
  const result = await runTurn(
    sessionDeps,
    { ...turnRequest(deps, exchange, request), ...attached },
    (event) => {
      folded.follow(event);
      show(event);
    },
    signal,
  );
  // First of all: the chat of a turn that was stopped may be closed by now, and refuses what it is shown.
  result.learning?.then(deps.onLearned).catch((error: unknown) => {
    deps.log.error(`[learning] What was learned could not be shown: ${errorText(error)}`);
  });
  const isUnsaved = sessionDeps.memory !== undefined && request.extraction === 'off';
  const tellAtEnd = () => {
    for (const line of folded.lines()) response.markdown(line);
    if (isUnsaved && result.outcome.kind === 'completed')
      tellUnsaved(response, exchange.request.prompt);
  };
  unlessClosed(tellAtEnd, signal, deps.log);
  const isOwnModel = exchange.request.model.vendor === MODEL_VENDOR;
  const answered = finishTurn(response, { result, isOwnModel }, deps.log);
  metered.tell(response);
  return answered;
}

function turnRequest(
  { onLearningStep }: ParticipantDeps,
  { request, context, response, lateAnswers }: Exchange,
  session: SessionRequest,
): TurnRequest {
  return {
    ...session,
    text: request.prompt,
    leftOutFiles: goingOn(context.history).leftOutFiles,
    maxRounds: readWindowSettings().maxRounds,
    lateAnswers,
    approveRecall: (proposal, stopped) => {
      response.progress(vscode.l10n.t('Waiting for you to choose which memories to send…'));
      return approveRecall(proposal, stopped);
    },
    onLearningStep,
  };
}

/** Else what the next request goes on from would be lost with a line that nobody can see any more. */
function unlessClosed(tell: () => void, signal: AbortSignal, log: Log): void {
  try {
    tell();
  } catch (error) {
    if (!signal.aborted) throw error;
    log.debug(`[chat] The end of a stopped answer could not be shown: ${errorText(error)}`);
  }
}

async function attachmentsOf(
  exchange: Exchange,
  { model }: SessionRequest,
  before: SessionView | undefined,
  signal: AbortSignal,
): Promise<Pick<TurnRequest, 'attachments' | 'wholeFiles'>> {
  return requestAttachments(
    {
      request: exchange.request,
      response: exchange.response,
      inputLimit: model.limits.input,
      working: before?.working() ?? [],
      isTrusted: vscode.workspace.isTrusted,
    },
    signal,
  );
}

type Models = Pick<Extract<ModelChoice, { kind: 'chosen' }>, 'model' | 'utility'>;

function sessionRequest(
  deps: ParticipantDeps,
  { request, context: { history } }: Exchange,
  { model, utility }: Models,
): SessionRequest {
  const { recall, extraction, compaction } = readWindowSettings();
  return {
    previous: goingOn(history).previous,
    unfinished: unfinishedRequests(history),
    visibleHistory: visibleHistory(history),
    model,
    utilityModel: utility,
    tools: invokableTools(deps.tools(), request.toolInvocationToken),
    folders: workspaceFolderPaths(),
    recall,
    extraction,
    compaction,
  };
}

/** The session up to now, if there is one. Where it is lost the person would wonder why the agent does not know what it did. */
async function knownSession(
  { sessions }: SessionDeps,
  { previous, unfinished }: SessionRequest,
  response: vscode.ChatResponseStream,
): Promise<SessionView | undefined> {
  if (!previous) return undefined;
  const session = await sessions.find(previous, unfinished);
  if (session) return session;
  const line = vscode.l10n.t(
    'What was done in this chat before is not known any more, only the text that it shows.',
  );
  response.markdown(`_${line}_\n\n`);
  return undefined;
}

function emitTo(
  deps: ParticipantDeps,
  { memory }: SessionDeps,
  response: vscode.ChatResponseStream,
): Emit {
  return (event) => {
    deps.onEvent(event);
    showEvent(response, event, memory?.scopes);
  };
}

function followups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  const outcome: Outcome['kind'] | undefined = result.metadata?.['outcome'];
  if (outcome !== 'roundLimit') return [];
  return [{ prompt: vscode.l10n.t('Continue'), label: vscode.l10n.t('Continue') }];
}
