// Claude in VS Code's model picker, for every chat of the editor. It asks nothing of the person; without a key it
// offers one entry that says what to do, since VS Code calls no participant while no model is known.

import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { MODEL_VENDOR } from '../../manifest.ts';
import { agentModel, type ClaudeModelInfo } from '../../models/claudeModels.ts';
import { ModelError, type Model, type ModelRequest } from '../../models/model.ts';
import { estimateTokens } from '../../models/tokens.ts';
import { AUTO_MODEL_ID, NO_KEY_MODEL_ID, type ClaudeCatalogue } from './claudeCatalogue.ts';
import { chatMessageText, fromChatMessages, fromChatTools } from './lmMessages.ts';
import { abortSignalOf } from '../host/signals.ts';
import { sentenceText } from '../text/sentenceText.ts';

/** Nothing is ever sent, but VS Code wants numbers. */
const NO_KEY_LIMITS = { input: 200_000, output: 8_000 };

interface ModelProviderDeps {
  readonly catalogue: ClaudeCatalogue;
  /** Calls the listener when the key or the address may be another one. */
  readonly onDidChangeAccess: (listener: () => void) => vscode.Disposable;
  readonly log: Log;
}

export function registerModelProvider(deps: ModelProviderDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider = createModelProvider(deps.catalogue, changed.event, deps.log);
  return vscode.Disposable.from(
    vscode.lm.registerLanguageModelChatProvider(MODEL_VENDOR, provider),
    deps.onDidChangeAccess(() => changed.fire()),
    changed,
  );
}

/** Makes VS Code ask for our models now, so that the chat knows of one before the first request. */
export async function resolveOwnModels(): Promise<void> {
  await vscode.lm.selectChatModels({ vendor: MODEL_VENDOR });
}

export function createModelProvider(
  catalogue: ClaudeCatalogue,
  onDidChange: vscode.Event<void>,
  log: Log,
): vscode.LanguageModelChatProvider {
  return {
    onDidChangeLanguageModelChatInformation: onDidChange,
    async provideLanguageModelChatInformation() {
      const access = await catalogue.access();
      if (access.kind === 'missingKey') return [noKeyInformation()];
      // Also with a problem: using a model tells what it is, an empty list would tell nothing.
      const models = await catalogue.models(access);
      return [...autoInformation(models), ...models.map(information)];
    },
    async provideLanguageModelChatResponse(model, messages, options, progress, token) {
      const access = await catalogue.access();
      if (access.kind === 'missingKey') {
        progress.report(new vscode.LanguageModelTextPart(noKeyAnswer()));
        return;
      }
      if (access.kind === 'problem') throw new Error(access.problem);
      const request = { ...fromChatMessages(messages), tools: fromChatTools(options.tools) };
      const { signal, dispose } = abortSignalOf(token);
      try {
        const claude = await catalogue.plainModel(model.id, access);
        await respond(claude, request, { progress, log }, signal);
      } catch (error) {
        throw languageModelError(error);
      } finally {
        dispose();
      }
    },
    provideTokenCount(_model, text) {
      return Promise.resolve(
        estimateTokens(typeof text === 'string' ? text : chatMessageText(text)),
      );
    },
  };
}

/** Thinking is left out: the stable API has no part for it. */
async function respond(
  claude: Model,
  request: ModelRequest,
  { progress, log }: { progress: vscode.Progress<vscode.LanguageModelResponsePart>; log: Log },
  signal: AbortSignal,
): Promise<void> {
  for await (const event of claude.stream(request, signal)) {
    switch (event.type) {
      case 'text':
        progress.report(new vscode.LanguageModelTextPart(event.text));
        break;
      case 'retrying':
        log.info(`[models] ${claude.id}: attempt ${event.attempt}: ${String(event.reason)}`);
        break;
      case 'thinking':
        break;
      case 'end':
        // With any other stop reason a call may be cut in half.
        if (event.stopReason !== 'tool_use') break;
        for (const block of event.message.content) {
          if (block.type !== 'tool_use') continue;
          const { id, name, input } = block;
          progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
        }
    }
  }
}

/** The error as other extensions expect it. VS Code has names for three kinds; the message tells the rest. */
function languageModelError(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  switch (error.kind) {
    case 'auth':
      return vscode.LanguageModelError.NoPermissions(sentenceText(error.sentence));
    case 'rateLimit':
    case 'refused':
      return vscode.LanguageModelError.Blocked(sentenceText(error.sentence));
    case 'cancelled':
      return new vscode.CancellationError();
    case 'overloaded':
    case 'overflow':
    case 'network':
    case 'other':
      return new vscode.LanguageModelError(sentenceText(error.sentence));
  }
}

function information(model: ClaudeModelInfo): vscode.LanguageModelChatInformation {
  return {
    id: model.id,
    name: model.name,
    family: model.id,
    version: model.id,
    maxInputTokens: model.limits.input,
    maxOutputTokens: model.limits.output,
    capabilities: { toolCalling: true, imageInput: model.seesImages },
  };
}

/**
 * VS Code begins with the first name of the alphabet, which among Claude's lines is not the one for daily coding.
 * This name comes before theirs.
 */
function autoInformation(
  models: readonly ClaudeModelInfo[],
): vscode.LanguageModelChatInformation[] {
  const model = agentModel(models);
  if (!model || models.length < 2) return [];
  const name = vscode.l10n.t('Claude Auto');
  const tooltip = vscode.l10n.t('Takes {0}', model.name);
  return [{ ...information(model), id: AUTO_MODEL_ID, name, tooltip, family: 'auto' }];
}

function noKeyInformation(): vscode.LanguageModelChatInformation {
  return {
    id: NO_KEY_MODEL_ID,
    name: vscode.l10n.t('Claude (set an API key)'),
    tooltip: noKeyAnswer(),
    family: 'claude',
    version: '1',
    maxInputTokens: NO_KEY_LIMITS.input,
    maxOutputTokens: NO_KEY_LIMITS.output,
    // Without it VS Code does not offer the model in agent mode, and then no model at all is known there.
    capabilities: { toolCalling: true },
  };
}

function noKeyAnswer(): string {
  return vscode.l10n.t(
    'There is no Anthropic API key yet. Run the command “Memory: Set Anthropic API Key”, then ask again.',
  );
}
