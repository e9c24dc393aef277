// A Messages API server on the loopback address: scripted replies as real server-sent events, faults of the wire,
// and the raw requests as they came in. It needs no test runner, since `npm start` replays a story through it.

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventText, streamedEvents, type ReplyStep, type StreamedEvent } from './messageEvents.ts';

interface ErrorStep {
  readonly status: number;
  readonly error: { readonly type: string; readonly message: string; readonly details?: object };
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a proxy answers when the server behind it is down. */
interface HtmlStep {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection is closed before a word of an answer. */
interface HangUpStep {
  readonly hangUp: true;
}

export type Step = ReplyStep | ErrorStep | HtmlStep | HangUpStep;
type Responder = (body: RequestBody, request: RecordedRequest) => Step | Promise<Step>;

/** The body of a request as far as tests look into it; everything that was sent is there. */
export interface RequestBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system?: readonly RawBlock[];
  readonly messages: readonly { readonly role: string; readonly content: readonly RawBlock[] }[];
  readonly tools?: readonly { readonly name: string; readonly [key: string]: unknown }[];
  readonly output_config?: { readonly format?: { readonly type: string; readonly schema: object } };
  readonly [key: string]: unknown;
}

export interface RawBlock {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly cache_control?: unknown;
  readonly [key: string]: unknown;
}

interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Empty for requests that have none. */
  readonly body: RequestBody;
  /** Resolves when the client hung up before the answer was over; else never. */
  readonly hungUp: Promise<void>;
}

export interface FakeMessagesApiOptions {
  /** Answers a request when the script is empty. */
  readonly respond?: Responder;
  /** With it, any other key is refused with 401. */
  readonly apiKey?: string;
  /** What GET /v1/models lists; any fields. */
  readonly models?: readonly object[];
  /** Any free port when left out. */
  readonly port?: number;
}

export interface FakeMessagesApi {
  readonly url: string;
  /** All requests, oldest first, those refused for their key too. */
  readonly requests: readonly RecordedRequest[];
  /** The requests for a reply, without those for models or token counts. */
  readonly messageRequests: readonly RecordedRequest[];
  push(...steps: readonly (Step | Responder)[]): void;
  setModels(models: readonly object[]): void;
  setTokenCount(count: (body: RequestBody) => number): void;
  setApiKey(apiKey: string | undefined): void;
  /** The first request, past or to come, that fits. Rejects when the server closes before. */
  waitForRequest(fits: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Throws when steps are left over, or when a request came that nothing was there for. */
  assertDone(): void;
  /** Drops the steps that are left, so that they answer nothing in the next test, and the troubles so far. */
  clear(): void;
  /** From now on connections are refused, until it comes back at the same address. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

interface Waiter {
  readonly fits: (request: RecordedRequest) => boolean;
  readonly found: PromiseWithResolvers<RecordedRequest>;
}

export async function startFakeMessagesApi(
  options: FakeMessagesApiOptions = {},
): Promise<FakeMessagesApi> {
  const script: (Step | Responder)[] = [];
  const requests: RecordedRequest[] = [];
  const faults: string[] = [];
  const waiters = new Set<Waiter>();
  let { apiKey, models = [] } = options;
  let countTokens: (body: RequestBody) => number = anyCount;

  function record(request: RecordedRequest): void {
    requests.push(request);
    for (const waiter of waiters) {
      if (!waiter.fits(request)) continue;
      waiters.delete(waiter);
      waiter.found.resolve(request);
    }
  }

  async function nextStep(request: RecordedRequest): Promise<Step> {
    const next = script.shift() ?? options.respond;
    if (next !== undefined) return typeof next === 'function' ? next(request.body, request) : next;
    faults.push(`no step for: ${JSON.stringify(request.body.messages)}`);
    const error = { type: 'api_error', message: 'fake: no step is scripted for this request' };
    return { status: 500, error, headers: { 'x-should-retry': 'false' } };
  }

  async function answer(incoming: http.IncomingMessage, response: http.ServerResponse) {
    const request = await recordedRequest(incoming, response);
    record(request);
    const respond = new Response(response, `req_fake_${requests.length}`);
    if (apiKey !== undefined && !hasKey(request, apiKey)) {
      const error = { type: 'authentication_error', message: 'invalid x-api-key' };
      respond.error({ status: 401, error });
    } else if (request.path === '/v1/models') {
      respond.json(200, { data: models, has_more: false, first_id: null, last_id: null });
    } else if (request.path === '/v1/messages/count_tokens') {
      respond.json(200, { input_tokens: countTokens(request.body) });
    } else if (request.path === '/v1/messages') {
      await respond.step(await nextStep(request), request);
    } else {
      respond.error({ status: 404, error: { type: 'not_found_error', message: request.path } });
    }
  }

  const server = http.createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      faults.push(String(error));
      response.destroy();
    });
  });
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  async function goDown(): Promise<void> {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  }

  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get messageRequests() {
      return requests.filter((request) => request.path === '/v1/messages');
    },
    push: (...steps) => void script.push(...steps),
    setModels: (list) => void (models = list),
    setTokenCount: (count) => void (countTokens = count),
    setApiKey: (key) => void (apiKey = key),
    async waitForRequest(fits) {
      const past = requests.find(fits);
      if (past) return past;
      const found = Promise.withResolvers<RecordedRequest>();
      waiters.add({ fits, found });
      return found.promise;
    },
    assertDone() {
      if (faults.length > 0) throw new Error(`The fake server had trouble: ${faults.join('; ')}`);
      if (script.length > 0) throw new Error(`${script.length} step(s) were not asked for.`);
    },
    clear() {
      script.length = 0;
      faults.length = 0;
    },
    goDown,
    comeBack: () => listen(port),
    async close() {
      for (const { found } of waiters) found.reject(new Error('The fake server was closed.'));
      waiters.clear();
      await goDown();
    },
  };
}

function anyCount(): number {
  return 100;
}

/** Writes answers to one request. */
class Response {
  private readonly response: http.ServerResponse;
  private readonly requestId: string;

  constructor(response: http.ServerResponse, requestId: string) {
    this.response = response;
    this.requestId = requestId;
  }

  json(status: number, value: object, headers: Readonly<Record<string, string>> = {}): void {
    const type = 'application/json';
    this.response.writeHead(status, {
      'content-type': type,
      'request-id': this.requestId,
      ...headers,
    });
    this.response.end(JSON.stringify(value));
  }

  error({ status, error, headers }: ErrorStep): void {
    this.json(status, { type: 'error', error, request_id: this.requestId }, headers);
  }

  async step(step: Step, request: RecordedRequest): Promise<void> {
    if ('error' in step) return this.error(step);
    if ('hangUp' in step) {
      this.response.destroy();
      return;
    }
    if ('html' in step) {
      this.response.writeHead(step.status, { 'content-type': 'text/html', ...step.headers });
      this.response.end(step.html);
      return;
    }
    const { message, events } = streamedEvents(step, {
      id: this.requestId,
      model: request.body.model,
    });
    if (request.body.stream !== true) return this.json(200, message);
    await this.stream(step, events, request);
  }

  private async stream(
    step: ReplyStep,
    events: readonly StreamedEvent[],
    request: RecordedRequest,
  ): Promise<void> {
    const { response } = this;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': this.requestId });
    // Else a cut before the first event would look like a connection that was refused.
    response.flushHeaders();
    for (const [number, event] of events.entries()) {
      if (step.hold?.event === number) await step.hold.pass(request.hungUp);
      if (response.destroyed) return;
      if (step.cutAfter === number) {
        response.destroy();
        return;
      }
      if (step.endAfter === number) break;
      if (step.stallAfter === number) return;
      if (step.errorEventAfter === number) {
        await write(response, eventText({ type: 'error', error: step.errorEvent ?? OVERLOADED }));
        break;
      }
      await write(response, eventText(event));
      if (step.delayMs !== undefined) await delay(step.delayMs);
    }
    response.end();
  }
}

/** Waits until the text has left, so that a cut after it takes nothing of it along. */
async function write(response: http.ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve) => response.write(text, () => resolve()));
}

const OVERLOADED = { type: 'overloaded_error', message: 'Overloaded' };

async function recordedRequest(
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const hungUp = Promise.withResolvers<void>();
  response.on('close', () => {
    if (!response.writableFinished) hungUp.resolve();
  });
  return {
    method: incoming.method ?? '',
    path: (incoming.url ?? '').split('?')[0] ?? '',
    headers: incoming.headers,
    body: (text === '' ? {} : JSON.parse(text)) as RequestBody,
    hungUp: hungUp.promise,
  };
}

/** The SDK sends the first header, older clients the second; the API takes both. */
function hasKey({ headers }: RecordedRequest, apiKey: string): boolean {
  return headers.authorization === `Bearer ${apiKey}` || headers['x-api-key'] === apiKey;
}
