// A request in the chat with all that it is answered with: the session that it goes on in, the models, what is shown.

import * as vscode from 'vscode';
import type { Emit, TurnEvent } from '../../agent/events.ts';
import type { Learned } from '../../agent/learning/learned.ts';
import type { LearningStep } from '../../agent/learning/learning.ts';
import type { SessionDeps, SessionRequest } from '../../agent/sessionDeps.ts';
import type { Tool } from '../../agent/tools.ts';
import type { Log } from '../../base/log.ts';
import type { LateAnswers } from '../../memory/recall/lateAnswers.ts';
import type { SessionView } from '../../sessions/session.ts';
import { readWindowSettings } from '../host/settings.ts';
import type { ModelChoice } from '../models/modelChoice.ts';
import { workspaceFolderPaths } from '../tools/editorWorkspace.ts';
import { invokableTools } from '../tools/lmTools.ts';
import { goingOn, unfinishedRequests, visibleHistory } from './chatHistory.ts';
import { showEvent } from './turnDisplay.ts';
import type { UsageLine } from './usageLine.ts';

export interface ParticipantDeps {
  /** Read at each request: memory comes and goes with the trust in the workspace. */
  readonly sessionDeps: () => SessionDeps;
  /** Those that the workspace allows now. */
  readonly tools: () => readonly Tool[];
  readonly chooseModel: (picked: vscode.LanguageModelChat) => Promise<ModelChoice>;
  /** Asks, shows and tells by itself, with the model picked in the chat. */
  readonly consolidate: (picked: vscode.LanguageModelChat, stop: AbortSignal) => Promise<void>;
  readonly onLearningStep: (step: LearningStep | undefined) => void;
  readonly onLearned: (learned: Learned) => void;
  /** Besides what the chat shows of it. */
  readonly onEvent: (event: TurnEvent) => void;
  readonly log: Log;
}

export interface Exchange {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly response: vscode.ChatResponseStream;
  /** Of this window. */
  readonly lateAnswers: LateAnswers;
  readonly usageLine: UsageLine;
}

export type Models = Pick<Extract<ModelChoice, { kind: 'chosen' }>, 'model' | 'utility'>;

export function sessionRequest(
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

/** For what is asked of a model: the request goes to models that are metered, and `metered` tells what it took. */
export function meteredRequest(deps: ParticipantDeps, exchange: Exchange, models: Models) {
  const metered = exchange.usageLine.begin(models);
  const request = sessionRequest(deps, exchange, metered.models);
  return { metered, request, sessionDeps: deps.sessionDeps() };
}

/** The session up to now, if there is one. Where it is lost the person would wonder why the agent does not know what it did. */
export async function knownSession(
  { sessions }: SessionDeps,
  { previous, unfinished }: SessionRequest,
  response: vscode.ChatResponseStream,
): Promise<SessionView | undefined> {
  if (!previous) return undefined;
  const session = await sessions.find(previous, unfinished);
  if (session) return session;
  const line = vscode.l10n.t(
    'What was done in this chat before is no longer known, only the text that it shows.',
  );
  response.markdown(`_${line}_\n\n`);
  return undefined;
}

export function emitTo(
  deps: ParticipantDeps,
  { memory }: SessionDeps,
  response: vscode.ChatResponseStream,
): Emit {
  return (event) => {
    deps.onEvent(event);
    showEvent(response, event, memory?.scopes);
  };
}
