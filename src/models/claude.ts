// Claude, or any server that speaks its Messages API, as a Model. The only file that knows the SDK, whose own
// retries are off: they are invisible and may wait for hours. The key never gets into an error or a log.

import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk/core/error';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import {
  Messages,
  type MessageCreateParamsStreaming,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import { errorText, silentLog, type Log } from '../base/log.ts';
import { sentence } from '../base/sentence.ts';
import { judge, modelErrorOf, type WireFailure } from './claudeErrors.ts';
import { endEvent, usageOf } from './claudeReply.ts';
import { claudeModelInfo, type ClaudeModelInfo } from './claudeModels.ts';
import { claudeRequest, type RequestOptions } from './claudeRequest.ts';
import {
  ModelError,
  type JsonObject,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Usage,
} from './model.ts';
import { collectReply, type ReplyEvent } from './replyCollector.ts';
import { createRefusedImages, type RefusedImages } from './refusedImages.ts';
import { withoutRefusedParts, type RefusableParts } from './refusedParts.ts';
import { PassingFailure, realSleep, withRetries, type Sleep } from './retry.ts';
import { shortText, withoutKey } from './serverWords.ts';
import { createStaleThinking, type StaleThinking } from './staleThinking.ts';
import { watchFetch, type WatchdogLimits } from './watchdog.ts';

/** Where the API is and what opens it. */
interface ClaudeEndpoint {
  /** May be empty for a server that wants none. */
  readonly apiKey: string;
  /** Anthropic's own when left out. A `/v1` at its end is taken off, since the SDK adds it. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: typeof fetch;
}

export interface ClaudeOptions extends ClaudeEndpoint, RequestOptions {
  readonly modelId: string;
  readonly name: string;
  readonly structuredOutput: boolean;
  /** Shared by those that send the same conversations. */
  readonly staleThinking?: StaleThinking;
  readonly refusedImages?: RefusedImages;
  readonly log?: Log;
  readonly sleep?: Sleep;
  readonly watchdog?: WatchdogLimits;
}

const ANTHROPIC_URL = 'https://api.anthropic.com';
/** Claude sends a ping every few seconds, so a longer silence is a dead connection. */
const IDLE_MS = 90_000;
/** A local server may read the whole prompt, for minutes, before its first byte. Node gives up after this too. */
const LOCAL_FIRST_BYTE_MS = 300_000;

const NO_REPLY = sentence`The server answered with something else than the reply of a model. Check the address of the server, and whether this network wants you to sign in first.`;

export function createClaude(options: ClaudeOptions): Model {
  const { modelId, name, limits, structuredOutput, seesImages = true } = options;
  const log = options.log ?? silentLog;
  const parts: RefusableParts = {
    modelId,
    staleThinking: options.staleThinking ?? createStaleThinking(),
    refusedImages: options.refusedImages ?? createRefusedImages(),
    log,
  };
  return {
    id: modelId,
    name,
    limits,
    structuredOutput,
    seesImages,
    stream: (request, signal) =>
      withoutRefusedParts(request, parts, (mended) => {
        const params = messageParams(mended, options);
        const attempt = () => streamOnce(params, { ...options, log }, signal);
        return withRetries(attempt, options.sleep ?? realSleep, signal);
      }),
  };
}

/** All models that can be used now, as the endpoint orders them. Throws `ModelError`. */
export async function listClaudeModels(
  endpoint: ClaudeEndpoint,
  signal: AbortSignal,
): Promise<readonly ClaudeModelInfo[]> {
  try {
    const entries: unknown[] = [];
    const client = connect(endpoint, endpoint.fetch ?? fetch);
    for await (const entry of client.models.list({ limit: 1000 }, { signal })) entries.push(entry);
    return entries.flatMap((entry) => claudeModelInfo(entry) ?? []);
  } catch (error) {
    throw failureOf(error, { ...endpoint, modelId: '' }, { retry: 'never' }, signal);
  }
}

class ClaudeClient extends BaseAnthropic {
  readonly messages = new Messages(this);
  readonly models = new Models(this);
}

function connect({ apiKey, baseUrl }: ClaudeEndpoint, fetchToUse: typeof fetch): ClaudeClient {
  const baseURL = (baseUrl?.trim() || ANTHROPIC_URL).replace(/\/+$/, '').replace(/\/v1$/, '');
  const key = apiKey.trim();
  // Checked here, because the header error of fetch would quote the key.
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new ModelError(
      'auth',
      sentence`The API key holds characters that no key has. Set it again.`,
    );
  }
  if (key === '' && isAnthropic(baseURL)) {
    throw new ModelError('auth', sentence`There is no API key. Set one, then try again.`);
  }
  return new ClaudeClient({
    // Everything is given, since the SDK reads the environment for what is left out.
    apiKey: key || 'none',
    baseURL,
    // The SDK sends the key as a bearer token. Some compatible servers read only the older header.
    defaultHeaders: isAnthropic(baseURL) || key === '' ? {} : { 'x-api-key': key },
    // A redirect would take the key along, and the conversation, to wherever the server names.
    fetch: (input, init) => fetchToUse(input, { ...init, redirect: 'manual' }),
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
  });
}

function isAnthropic(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === 'anthropic.com' || host.endsWith('.anthropic.com');
}

function messageParams(
  request: ModelRequest,
  options: ClaudeOptions,
): MessageCreateParamsStreaming {
  const { outputSchema } = request;
  return {
    model: options.modelId,
    ...claudeRequest(request, options),
    ...(outputSchema && options.structuredOutput && { output_config: jsonOutput(outputSchema) }),
    stream: true,
  };
}

function jsonOutput(
  schema: JsonObject,
): NonNullable<MessageCreateParamsStreaming['output_config']> {
  // The API refuses limits such as maxItems; this moves them into descriptions. `ask` checks them afterwards.
  return { format: { type: 'json_schema', schema: transformJSONSchema(schema) } };
}

type StreamOptions = ClaudeOptions & { readonly log: Log };

async function* streamOnce(
  params: MessageCreateParamsStreaming,
  options: StreamOptions,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const watchdog = watchFetch(options.fetch ?? fetch, options.watchdog ?? watchdogLimits(options));
  const collector = collectReply();
  let begun = false;
  try {
    const client = connect(options, watchdog.fetch);
    const {
      data: stream,
      request_id,
      response,
    } = await client.messages
      .create(params, { signal: AbortSignal.any([signal, watchdog.signal]) })
      .withResponse();
    // A caller that stops reading leaves this loop, and the SDK then hangs up.
    for await (const event of stream) {
      begun = true;
      collector.add(event);
      yield* shownAtOnce(event);
    }
    if (!begun && isOtherThanStream(response)) {
      throw new ModelError('other', NO_REPLY);
    }
    const reply = collector.reply();
    // An abort ends the SDK's stream in good order too.
    if (!reply) throw new Error('The reply ended before it was complete.');
    const end = endEvent(reply);
    const id = request_id ?? 'no request id';
    options.log.debug(
      `[models] ${params.model} ended with ${String(reply.stop_reason)}, taken for ${end.stopReason} (${id}).`,
    );
    yield end;
  } catch (error) {
    const usage = usageOf(collector.usage());
    if (watchdog.signal.aborted && !signal.aborted) {
      const message = sentence`The model has sent nothing for too long. Try again.`;
      throw new ModelError('network', message, { cause: error, usage });
    }
    throw failureOf(error, options, { retry: begun ? 'never' : 'again', usage }, signal);
  } finally {
    watchdog.stop();
  }
}

/** A web page, say. A stream without its first event, in contrast, is one that broke off. */
function isOtherThanStream({ headers }: Response): boolean {
  return /\b(html|json|plain|xml)\b/i.test(headers.get('content-type') ?? '');
}

function shownAtOnce({ type, content_block: block, delta }: ReplyEvent): ModelEvent[] {
  // Claude starts a block of text empty, but some compatible servers put its first words there.
  if (type === 'content_block_start' && block?.type === 'text' && block.text) {
    return [{ type: 'text', text: block.text }];
  }
  if (type !== 'content_block_delta') return [];
  if (delta?.type === 'text_delta') return [{ type: 'text', text: delta.text ?? '' }];
  if (delta?.type === 'thinking_delta') return [{ type: 'thinking', text: delta.thinking ?? '' }];
  return [];
}

function watchdogLimits({ baseUrl }: ClaudeEndpoint): WatchdogLimits {
  const local = baseUrl !== undefined && !isAnthropic(baseUrl);
  return { firstByteMs: local ? LOCAL_FIRST_BYTE_MS : IDLE_MS, idleMs: IDLE_MS };
}

type Sender = ClaudeEndpoint & { readonly modelId: string };

interface Sending {
  /** Whether the request may be sent again, if that can help. */
  readonly retry: 'again' | 'never';
  readonly usage?: Usage | undefined;
}

/** What to throw for an error. */
function failureOf(
  error: unknown,
  sender: Sender,
  { retry, usage }: Sending,
  signal: AbortSignal,
): ModelError | PassingFailure {
  if (signal.aborted) {
    return new ModelError('cancelled', 'Cancelled.', { cause: signal.reason, usage });
  }
  if (error instanceof ModelError) return error;
  const verdict = judge(wireFailure(error, sender.apiKey), sender.modelId);
  const cause = safeCause(error, sender.apiKey);
  return retry === 'again' && verdict.retryable
    ? new PassingFailure(verdict, cause)
    : modelErrorOf(verdict, cause, usage);
}

function wireFailure(error: unknown, apiKey: string): WireFailure {
  const short = (text: string): string => shortText(withoutKey(text, apiKey.trim()));
  const nothing = { status: undefined, type: undefined, code: undefined, headers: undefined };
  if (error instanceof APIConnectionError) {
    return { ...nothing, origin: 'connection', text: short(deepestMessage(error)) };
  }
  if (error instanceof APIError) {
    const { status, headers, apiMessage, message } = error;
    const type = error.type ?? undefined;
    const code = error.errorCode ?? undefined;
    return { origin: 'server', status, headers, type, code, text: short(apiMessage ?? message) };
  }
  if (error instanceof SyntaxError) {
    return { ...nothing, origin: 'reply', text: short(errorText(error)) };
  }
  // The words for a stream that is torn, or that ends before its time, tell a person nothing.
  return { ...nothing, origin: 'connection', text: sentence`the reply broke off` };
}

/** `fetch failed` tells nothing; `connect ECONNREFUSED …` is two causes below. */
function deepestMessage(error: Error): string {
  return error.cause instanceof Error ? deepestMessage(error.cause) : error.message;
}

/** The error itself, unless it quotes the key or a whole page: logs print causes. */
function safeCause(error: unknown, apiKey: string): unknown {
  const text = errorText(error);
  const safe = withoutKey(text, apiKey.trim());
  const short = shortText(safe);
  return safe !== text || short.length < text.length - 1 ? new Error(short) : error;
}
