// Any chat model of VS Code as a Model. VS Code hides usage and has no thinking and no system role.
// Every failure becomes a ModelError, and a stop ends the stream at once, also when the vendor goes on.

import * as vscode from 'vscode';
import { orAborted } from '../../base/aborted.ts';
import type { Log } from '../../base/log.ts';
import { sentence, type Sentence } from '../../base/sentence.ts';
import {
  ModelError,
  type AssistantBlock,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from '../../models/model.ts';
import { shortText } from '../../models/serverWords.ts';
import {
  isCutReply,
  isMissingModel,
  lmErrorKind,
  lmFailureOf,
  type LmFailure,
} from './lmErrorKind.ts';
import { jsonObject, toChatMessages, toChatTools } from './lmMessages.ts';
import { imagePart, seesImages } from './modelImages.ts';
import { cancellationTokenOf } from '../host/signals.ts';

/** VS Code does not tell what a model can put out. Every model of these days reaches this. */
const OUTPUT_TOKENS = 4096;
/** For a model that tells no size: that of most models of these days. */
const USUAL_INPUT = 200_000;

export function createLmModel(chat: vscode.LanguageModelChat, log: Log): Model {
  return {
    id: chat.id,
    name: chat.name,
    limits: {
      input: chat.maxInputTokens > 0 ? chat.maxInputTokens : USUAL_INPUT,
      output: OUTPUT_TOKENS,
    },
    structuredOutput: false,
    stream: (request, signal) => stream(chat, log, request, signal),
  };
}

async function* stream(
  chat: vscode.LanguageModelChat,
  log: Log,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { token, dispose } = cancellationTokenOf(signal);
  const content: AssistantBlock[] = [];
  try {
    for await (const part of parts(chat, request, token, signal)) {
      if (part instanceof vscode.LanguageModelTextPart) {
        if (part.value === '') continue;
        addText(content, part.value);
        yield { type: 'text', text: part.value };
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        const { callId, name, input } = part;
        content.push({ type: 'tool_use', id: callId, name, input: jsonObject(input) });
      }
    }
    const stopReason = content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
    yield { type: 'end', message: { role: 'assistant', content }, stopReason, usage: undefined };
  } catch (error) {
    if (signal.aborted || !isCutReply(failureOf(error))) {
      throw modelError(error, chat, log, signal);
    }
    log.debug(`[models] ${chat.vendor}/${chat.id} was cut at its output limit.`);
    const whole = content.filter((block) => block.type !== 'tool_use');
    const message = { role: 'assistant', content: whole } as const;
    yield { type: 'end', message, stopReason: 'max_tokens', usage: undefined };
  } finally {
    dispose();
  }
}

async function* parts(
  chat: vscode.LanguageModelChat,
  request: ModelRequest,
  token: vscode.CancellationToken,
  signal: AbortSignal,
): AsyncGenerator {
  const options: vscode.LanguageModelChatRequestOptions = {
    justification: vscode.l10n.t('Memory Agent answers your chat request with this model.'),
    tools: toChatTools(request.tools),
    toolMode: vscode.LanguageModelChatToolMode.Auto,
  };
  const shown = seesImages(chat) ? imagePart : () => undefined;
  const messages = toChatMessages(request.system, request.messages, shown);
  const stopped = () => new Error('Aborted', { cause: signal.reason });
  // Raced, since the question for consent and a vendor that ignores its token would outlast a stop, and since a
  // vendor may end its stream quietly when cancelled, as if the part that came were all.
  const response = await orAborted(
    () => chat.sendRequest(messages, options, token),
    signal,
    stopped,
  );
  const iterator = response.stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await orAborted(() => iterator.next(), signal, stopped);
    if (next.done) return;
    yield next.value;
  }
}

function addText(content: AssistantBlock[], text: string): void {
  const last = content.at(-1);
  if (last?.type === 'text') {
    content[content.length - 1] = { type: 'text', text: last.text + text };
  } else {
    content.push({ type: 'text', text });
  }
}

function modelError(
  error: unknown,
  chat: vscode.LanguageModelChat,
  log: Log,
  signal: AbortSignal,
): ModelError {
  if (error instanceof ModelError) return error;
  const failure = failureOf(error);
  const kind = signal.aborted ? 'cancelled' : lmErrorKind(failure);
  if (kind !== 'cancelled')
    log.debug(`[models] ${chat.vendor}/${chat.id}: ${kind}: ${failure.text}`);
  // Many vendors pass on the whole page of a proxy. Their keys are not known here.
  const told = { ...failure, text: shortText(failure.text) };
  return new ModelError(kind, saidOf(kind, told, chat.name), { cause: error });
}

function failureOf(error: unknown): LmFailure {
  return lmFailureOf(error, error instanceof vscode.LanguageModelError ? error.code : undefined);
}

function saidOf(kind: ModelError['kind'], failure: LmFailure, model: string): Sentence {
  const { text } = failure;
  if (isMissingModel(failure)) {
    return sentence`${model} is not available, or not for such a request. Pick another model in the model picker. (${text})`;
  }
  switch (kind) {
    case 'auth':
      return sentence`Memory Agent may not use ${model}: ${text}`;
    case 'rateLimit':
      return sentence`${model} accepts no more requests for now: ${text}`;
    case 'overflow':
      return sentence`The request is too long for ${model}: ${text}`;
    case 'refused':
      return sentence`${model} refused the request: ${text}`;
    case 'overloaded':
      return sentence`${model} is overloaded right now: ${text}`;
    case 'network':
      return sentence`${model} could not be reached: ${text}`;
    case 'cancelled':
      return sentence`The request was cancelled.`;
    case 'other':
      return sentence`${model} failed: ${text}`;
  }
}
