// Our request in Claude's form. A side question, which is asked once and answered in few words, is not cached, and
// thinks as little as the model can be made to.

import { claudeMessages, claudeQuestion, claudeSystem, claudeTools } from './claudeMessages.ts';
import type { ClaudeModelInfo } from './claudeModels.ts';
import type { Model, ModelRequest } from './model.ts';
import { withoutImages } from './sentImages.ts';

export interface RequestOptions {
  readonly limits: Model['limits'];
  /** True when left out. */
  readonly seesImages?: boolean;
  /** Off when left out. */
  readonly thinking?: ClaudeModelInfo['thinking'];
  /** `unneeded` when left out. */
  readonly thinkingOff?: ClaudeModelInfo['thinkingOff'];
}

/** Tokens that a model gets besides those of a short answer, where it cannot be kept from thinking before it. */
const ROOM_TO_THINK = 8_000;

export function claudeRequest(request: ModelRequest, options: RequestOptions) {
  const { outputSchema, maxOutputTokens } = request;
  const { limits, seesImages = true, thinkingOff } = options;
  const isSideQuestion = outputSchema !== undefined || maxOutputTokens !== undefined;
  const messages = seesImages ? request.messages : withoutImages(request.messages);
  const system = claudeSystem(request.system);
  const thinking = isSideQuestion ? withoutThinking(options) : thinkingParam(options);
  // A side question sets its own limit, which thinking would eat up.
  const room = thinkingOff === 'impossible' ? ROOM_TO_THINK : 0;
  const output = maxOutputTokens === undefined ? limits.output : maxOutputTokens + room;
  return {
    max_tokens: Math.min(output, limits.output),
    messages: isSideQuestion ? claudeQuestion(messages) : claudeMessages(messages),
    ...(system.length > 0 && { system }),
    ...(request.tools.length > 0 && { tools: claudeTools(request.tools) }),
    ...(thinking && { thinking }),
  };
}

function thinkingParam(options: RequestOptions) {
  return options.thinking === 'adaptive'
    ? ({ type: 'adaptive', display: 'summarized' } as const)
    : withoutThinking(options);
}

/** Newer models think when nothing is sent, and each takes another word against it. */
function withoutThinking({ thinkingOff }: RequestOptions) {
  return thinkingOff === 'disabled' || thinkingOff === 'between_tools'
    ? { type: thinkingOff }
    : undefined;
}
