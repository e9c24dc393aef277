import assert from 'node:assert/strict';
import type { ModelErrorKind } from '../../../../src/models/model.ts';
import {
  isCutReply,
  isMissingModel,
  lmErrorKind,
  lmFailureOf,
} from '../../../../src/vscode/models/lmErrorKind.ts';

const CASES: readonly [text: string, kind: ModelErrorKind][] = [
  ['prompt token count of 130000 exceeds the limit of 128000', 'overflow'],
  ['prompt is too long: 210000 tokens > 200000 maximum', 'overflow'],
  ["This model's maximum context length is 8192 tokens.", 'overflow'],
  ['400 {"error":{"code":"context_length_exceeded"}}', 'overflow'],
  ['Request Failed: 400 {"code":"model_max_prompt_tokens_exceeded"}', 'overflow'],
  ['too many tokens', 'overflow'],
  ['rate_limit_error: too many tokens per minute', 'rateLimit'],
  ['Sorry, you have exceeded your Copilot token usage quota.', 'rateLimit'],
  ['429 Too Many Requests', 'rateLimit'],
  ['The model is overloaded', 'overloaded'],
  ['fetch failed', 'network'],
  ['connect ECONNREFUSED 127.0.0.1:11434', 'network'],
  ['something else', 'other'],
  ["You've exhausted your premium model quota. Please enable additional requests.", 'rateLimit'],
  ['You cannot accrue additional premium requests at this time.', 'rateLimit'],
  ['overage_limit_reached', 'rateLimit'],
  ['402 {"error":"Your credit balance is too low"}', 'rateLimit'],
  [
    'The extension has been temporarily blocked due to making too many requests. Please try again later.',
    'rateLimit',
  ],
  ['Sorry, you have been rate-limited. Please wait a moment.', 'rateLimit'],
  ['Message exceeds token limit.', 'overflow'],
  ['Response got filtered.', 'refused'],
  ['Sorry, your prompt was filtered by the Responsible AI Service.', 'refused'],
  ['finish_reason: content_filter', 'refused'],
  ['Off-topic', 'refused'],
  ['The provider is experiencing high demand.', 'overloaded'],
  ['Request Failed: 503 Service Unavailable', 'overloaded'],
  ['net::ERR_INTERNET_DISCONNECTED', 'network'],
  ['connection refused by the server: socket closed', 'network'],
  ['unable to verify the first certificate', 'network'],
  ['getaddrinfo ENOTFOUND api.githubcopilot.com', 'network'],
  ['401 Incorrect API key provided', 'auth'],
  ['Invalid API key', 'auth'],
  ['You are not signed in.', 'auth'],
  ['Request Failed: 403 Forbidden', 'auth'],
  ['Request Failed: 400 {"error":{"code":"model_not_supported"}}', 'other'],
  ['Request Failed: 403 {"error":{"code":"model_not_supported"}}', 'other'],
  ['Endpoint not found for model gpt-9', 'other'],
  ['Cannot have more than 128 tools per request.', 'other'],
  ['Response contained no choices.', 'other'],
];

/** What vendors say of a prompt that is too long. */
const OVERFLOWS = [
  'Request Failed: 400 {"message":"prompt token count of 9000 exceeds the limit of 8000"}',
  'Request Failed: 400 {"error":{"code":"context_length_exceeded"}}',
  'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000',
  'the request exceeds the available context size',
  'Trying to keep the first 15857 tokens when context the overflows.',
  'model_context_window_exceeded',
  'Message exceeds context limit.',
  '输入长度超过模型最大上下文长度',
  'Request Failed: 413 Request Entity Too Large',
  '413 status code (no body)',
];

/** What sounds like it, but is a rate or another fault. */
const NO_OVERFLOWS = [
  'rate_limit: too many tokens per minute',
  'Limit 8000 TPM: too many tokens',
  'Too many tokens, please wait before trying again.',
  '请求过于频繁，输入超过每分钟 token 长度限制',
  'connect ECONNREFUSED 10.0.0.413',
];

describe('lmErrorKind', () => {
  const kindOf = (text: string) => lmErrorKind({ code: undefined, names: ['Error'], text });

  it('knows a prompt that is too long by all the names that vendors have for it', () => {
    const missed = OVERFLOWS.filter((text) => kindOf(text) !== 'overflow');
    assert.deepEqual(missed, []);
  });

  it('takes a rate, or another fault, for no prompt that is too long', () => {
    const mistaken = NO_OVERFLOWS.filter((text) => kindOf(text) === 'overflow');
    assert.deepEqual(mistaken, []);
  });

  for (const [text, kind] of CASES) {
    it(`takes "${text}" for ${kind}`, () => {
      assert.equal(kindOf(text), kind);
    });
  }

  it("goes by VS Code's own codes", () => {
    const kind = (code: string) =>
      lmErrorKind({ code, names: ['LanguageModelError'], text: 'No.' });
    assert.equal(kind('NoPermissions'), 'auth');
    assert.equal(kind('Blocked'), 'refused');
    assert.equal(kind('NotFound'), 'other');
    assert.equal(kind('Unknown'), 'other');
  });

  it('takes a used-up quota for a rate limit, though VS Code calls the requestor blocked', () => {
    const error = { code: 'Blocked', names: ['LanguageModelError'], text: 'Quota exceeded.' };
    assert.equal(lmErrorKind(error), 'rateLimit');
  });

  it('knows a cancelled request by its name, but not by that of a cause', () => {
    assert.equal(kindOfError(named('Canceled', 'Canceled')), 'cancelled');
    const aborted = named('AbortError', 'This operation was aborted');
    assert.equal(kindOfError(new Error('fetch failed', { cause: aborted })), 'network');
  });

  it('knows a failure by the names and words of its causes', () => {
    const rate = named('ChatRateLimited', 'Wait.');
    assert.equal(kindOfError(rate), 'rateLimit');
    assert.equal(kindOfError(named('ChatQuotaExceeded', 'No more.')), 'rateLimit');
    assert.equal(kindOfError(new Error('Failed.', { cause: rate })), 'rateLimit');
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
    const deep = new Error('Failed.', { cause: new Error('Again.', { cause: refused }) });
    assert.equal(kindOfError(deep), 'network');
  });

  it('tells the words of all causes, each once, and comes to an end', () => {
    const cause = new Error('Too slow');
    const error = new Error('It failed: Too slow', { cause: new Error('Gone', { cause }) });
    cause.cause = error;
    assert.equal(lmFailureOf(error, undefined).text, 'It failed: Too slow: Gone');
    assert.equal(lmFailureOf('a word', undefined).text, 'a word');
  });

  it('knows a reply that was cut at its output limit from a request that is too long', () => {
    const cut = (text: string) => isCutReply(lmFailureOf(new Error(text), undefined));
    const replies = [
      'Response too long.',
      'Sorry, the response hit the length limit. Please rephrase your prompt.',
      'Invalid JSON for tool call',
      'The response was truncated.',
    ];
    assert.deepEqual(replies.filter(cut), replies);
    const others = [
      'prompt is too long: no room for a reply, output is truncated',
      'output truncated: too many tokens per minute',
      'Message exceeds token limit.',
      'too many requests',
    ];
    assert.deepEqual(others.filter(cut), []);
  });

  it('knows when another model is to be picked', () => {
    const missing = (text: string) => isMissingModel(lmFailureOf(new Error(text), undefined));
    assert(missing('The requested model is not supported.'));
    assert(missing('The model `gpt-9` does not exist or you do not have access to it.'));
    assert(!missing('The model is overloaded'));
  });
});

function kindOfError(error: Error): ModelErrorKind {
  return lmErrorKind(lmFailureOf(error, undefined));
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
