// The chat participant @memory: a chat request becomes a turn, its events become the response.
// What a turn needs is built elsewhere; nothing here decides what the agent does.

import * as vscode from 'vscode';
import type { TurnEvent } from '../agent/events.ts';
import type { Learned, LearningStep } from '../agent/learning.ts';
import type { Outcome } from '../agent/loop.ts';
import type { Tool } from '../agent/tools.ts';
import { runTurn, type TurnDeps, type TurnResult } from '../agent/turn.ts';
import { errorText, type Log } from '../base/log.ts';
import { COMMANDS, PARTICIPANT_ID } from '../manifest.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import type { ModelError } from '../models/model.ts';
import { workspaceFolderPaths } from './editorWorkspace.ts';
import { previousTurn, visibleHistory } from './chatHistory.ts';
import { invokableTools } from './lmTools.ts';
import type { ModelChoice } from './modelChoice.ts';
import { readSettings } from './settings.ts';
import { abortSignalOf } from './signals.ts';
import { isSlashCommand, runSlashCommand } from './slashCommands.ts';

interface ParticipantDeps {
  /** Read at each request: memory comes and goes with the trust in the workspace. */
  readonly turnDeps: () => TurnDeps;
  /** Those that the workspace allows now. */
  readonly tools: () => readonly Tool[];
  readonly chooseModel: (picked: vscode.LanguageModelChat) => Promise<ModelChoice>;
  readonly onLearningStep: (step: LearningStep | undefined) => void;
  readonly onLearned: (learned: Learned) => void;
  readonly log: Log;
}

export function registerParticipant(deps: ParticipantDeps): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(
    PARTICIPANT_ID,
    (request, context, response, token) => answer(deps, { request, context, response }, token),
  );
  participant.iconPath = new vscode.ThemeIcon('notebook');
  participant.followupProvider = { provideFollowups: (result) => followups(result) };
  return participant;
}

interface Exchange {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly response: vscode.ChatResponseStream;
}

async function answer(
  deps: ParticipantDeps,
  exchange: Exchange,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const { request, response } = exchange;
  const { signal, dispose } = abortSignalOf(token);
  try {
    if (isSlashCommand(request.command)) {
      const scopes = deps.turnDeps().memory?.scopes;
      await runSlashCommand({ command: request.command, prompt: request.prompt, scopes, response });
      return {};
    }
    const choice = await deps.chooseModel(request.model);
    if (choice.kind === 'missingKey') return askForKey(response);
    if (choice.kind === 'problem') return { errorDetails: { message: choice.problem } };
    const result = await turn(deps, exchange, choice, signal);
    result.learning?.then(deps.onLearned).catch((error: unknown) => {
      deps.log.error(`[learning] What was learned could not be shown: ${errorText(error)}`);
    });
    return finish(response, result, deps.log);
  } catch (error) {
    deps.log.error(`[chat] ${errorText(error)}`);
    return { errorDetails: { message: errorText(error) } };
  } finally {
    dispose();
  }
}

function turn(
  deps: ParticipantDeps,
  { request, context, response }: Exchange,
  choice: Extract<ModelChoice, { kind: 'chosen' }>,
  signal: AbortSignal,
): Promise<TurnResult> {
  const settings = readSettings(vscode.workspace.workspaceFolders?.[0]?.uri);
  const turnDeps = deps.turnDeps();
  return runTurn(
    turnDeps,
    {
      text: request.prompt,
      previous: previousTurn(context.history),
      visibleHistory: visibleHistory(context.history),
      model: choice.model,
      utilityModel: choice.utility,
      tools: invokableTools(deps.tools(), request.toolInvocationToken),
      folders: workspaceFolderPaths(),
      recall: settings.recall,
      extraction: settings.extraction,
      maxRounds: settings.maxRounds,
      onLearningStep: deps.onLearningStep,
    },
    (event) => show(response, event, turnDeps.memory?.scopes),
    signal,
  );
}

function show(
  response: vscode.ChatResponseStream,
  event: TurnEvent,
  scopes: MemoryScopes | undefined,
): void {
  switch (event.type) {
    case 'recalled':
      for (const { record } of event.records) {
        const isPersonal = scopes?.scopeOf(record)?.kind === 'personal';
        // The icon that marks the personal ones in the sidebar.
        const icon = isPersonal ? new vscode.ThemeIcon('person') : undefined;
        response.reference(vscode.Uri.file(record.path), icon);
      }
      return;
    case 'text':
      response.markdown(event.text);
      return;
    case 'retrying': {
      const seconds = Math.max(1, Math.round(event.delayMs / 1000));
      response.progress(
        vscode.l10n.t(
          'Trying again in {0} s: {1} (attempt {2} of {3})',
          seconds,
          event.reason,
          event.attempt,
          event.attempts,
        ),
      );
      return;
    }
    case 'compacted':
      response.markdown(compactedLine(event));
      return;
    // VS Code shows running tools by itself, and has no stable part for thinking.
    case 'thinking':
    case 'toolStarted':
    case 'toolFinished':
      return;
  }
}

/** Stays in the chat: nothing leaves the conversation unsaid. */
function compactedLine(event: Extract<TurnEvent, { type: 'compacted' }>): string {
  const text = vscode.l10n.t(
    'The conversation outgrew the model: about {0} tokens became {1}. [The older part is archived.]({2})',
    event.before,
    event.after,
    vscode.Uri.file(event.archive).toString(),
  );
  return `\n\n_${text}_\n\n`;
}

function finish(
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

function askForKey(response: vscode.ChatResponseStream): vscode.ChatResult {
  response.markdown(
    vscode.l10n.t(
      'To talk to Claude I need an Anthropic API key. It is kept in the secret storage of VS Code. Or pick another model in the model picker below.\n\n/remember, /recall and /forget work without a model.',
    ),
  );
  setKeyButton(response);
  return {};
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

function followups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  const outcome: Outcome['kind'] | undefined = result.metadata?.['outcome'];
  if (outcome !== 'roundLimit') return [];
  return [{ prompt: vscode.l10n.t('Continue'), label: vscode.l10n.t('Continue') }];
}
