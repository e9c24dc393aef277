import assert from 'node:assert/strict';
import { judge, modelErrorOf, type WireFailure } from '../../../src/models/claudeErrors.ts';
import type { ModelErrorKind } from '../../../src/models/model.ts';

type Row = readonly [status: number | undefined, type: string | undefined, text: string];

/** Each failure with its kind, and whether it is tried again. */
const TABLE: readonly (readonly [...Row, ModelErrorKind, 'again' | 'never'])[] = [
  [
    400,
    'invalid_request_error',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'overflow',
    'never',
  ],
  [
    400,
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000',
    'overflow',
    'never',
  ],
  [400, undefined, "This model's maximum context length is 8192 tokens", 'overflow', 'never'],
  [400, undefined, 'context_length_exceeded', 'overflow', 'never'],
  [400, undefined, 'the request exceeds the available context size', 'overflow', 'never'],
  [400, undefined, 'token count exceeds the limit of 64000', 'overflow', 'never'],
  [422, undefined, 'too many tokens in the request', 'overflow', 'never'],
  [500, 'api_error', 'context window is full', 'overflow', 'never'],
  [413, 'request_too_large', 'Request exceeds the maximum size', 'overflow', 'never'],
  [undefined, 'invalid_request_error', 'prompt is too long', 'overflow', 'never'],
  [429, 'rate_limit_error', 'too many tokens per minute', 'rateLimit', 'again'],
  [429, 'rate_limit_error', 'prompt is too long for your rate limit', 'rateLimit', 'again'],
  [
    400,
    'invalid_request_error',
    'rate_limit exceeded: too many tokens per minute',
    'rateLimit',
    'never',
  ],
  [400, 'invalid_request_error', 'messages: roles must alternate', 'other', 'never'],
  [401, 'authentication_error', 'invalid x-api-key', 'auth', 'never'],
  [402, 'billing_error', 'Your credit balance is too low', 'other', 'never'],
  [429, 'insufficient_quota', 'You exceeded your current quota.', 'other', 'never'],
  [529, undefined, '', 'overloaded', 'again'],
  [504, 'timeout_error', 'Request timed out', 'network', 'again'],
  [undefined, 'timeout_error', 'Request timed out', 'network', 'again'],
  [403, 'permission_error', 'Not allowed', 'auth', 'never'],
  [404, 'not_found_error', 'model: claude-test', 'other', 'never'],
  [408, undefined, '', 'network', 'again'],
  [500, 'api_error', 'Internal server error', 'network', 'again'],
  [502, undefined, '', 'network', 'again'],
  [503, undefined, '', 'overloaded', 'again'],
  [529, 'overloaded_error', 'Overloaded', 'overloaded', 'again'],
  [undefined, 'overloaded_error', 'Overloaded', 'overloaded', 'again'],
  [undefined, 'api_error', 'Internal server error', 'network', 'again'],
  [undefined, 'brand_new_error', 'What?', 'other', 'never'],
];

/** What servers say of a prompt that is too long. */
const OVERFLOWS: readonly Row[] = [
  [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
  [
    400,
    'invalid_request_error',
    'input length and `max_tokens` exceed context limit: 190 + 32 > 200',
  ],
  [
    400,
    undefined,
    "This model's maximum context length is 8192 tokens. However, you requested 9000.",
  ],
  [400, undefined, 'Input is too long for requested model.'],
  [400, undefined, 'prompt token count of 9000 exceeds the limit of 8000'],
  [400, undefined, 'The input token count (1200000) exceeds the maximum number of tokens allowed.'],
  [400, undefined, "This model's maximum prompt length is 131072 but the request contains more."],
  [400, undefined, 'Prompt has 9000 tokens. Please reduce the length of the messages.'],
  [400, undefined, 'Range of input length should be [1, 129024]'],
  [400, undefined, 'request (9000 tokens) exceeds the available context size (8192 tokens)'],
  [400, undefined, 'Trying to keep the first 15857 tokens when context the overflows.'],
  [400, undefined, 'Too few tokens left (n_keep: 13055 >= n_ctx: 4096)'],
  [400, undefined, 'prompt too long; exceeded max context length by 12 tokens'],
  [400, undefined, '输入的 tokens 超过了模型的上下文长度限制'],
  [400, undefined, '輸入內容過長'],
  [400, undefined, 'Prompt 超长'],
  [400, 'exceed_context_size_error', 'Bad request'],
  [400, 'context_length_exceeded', ''],
  [400, undefined, 'prompt_too_long'],
  [500, 'api_error', 'input length too long'],
  [undefined, 'model_context_window_exceeded', 'The stream was ended'],
  [undefined, undefined, 'Your input exceeds the context window of this model.'],
  [413, undefined, ''],
  [undefined, 'request_too_large', ''],
];

/** What sounds like it, but would not be helped by a shorter prompt. */
const NO_OVERFLOWS: readonly Row[] = [
  [429, 'rate_limit_error', 'too many tokens per minute'],
  [400, undefined, 'rate_limit: too many tokens per minute'],
  [400, 'rate_limit_error', 'too many tokens'],
  [400, undefined, 'Request too large on tokens per min (TPM): Limit 30000, Requested 40000.'],
  [400, undefined, 'Too many tokens, please wait before trying again.'],
  [400, undefined, '请求过于频繁，输入超过每分钟 token 长度限制'],
  [
    400,
    undefined,
    'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens',
  ],
  [400, undefined, 'image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'],
  [401, undefined, 'context_length_exceeded'],
];

describe('claudeErrors', () => {
  it('knows a prompt that is too long by all the names that servers have for it', () => {
    const missed = OVERFLOWS.filter((row) => kindOf(row) !== 'overflow');
    assert.deepEqual(missed, []);
  });

  it('takes a rate, or another limit, for no prompt that is too long', () => {
    const mistaken = NO_OVERFLOWS.filter((row) => kindOf(row) === 'overflow');
    assert.deepEqual(mistaken, []);
  });

  for (const [status, type, text, kind, retry] of TABLE) {
    it(`takes ${status ?? type} “${text}” for ${kind}, tried ${retry}`, () => {
      const verdict = judge({ ...failure(), status, type, text }, 'claude-test');
      assert.deepEqual(
        [verdict.kind, verdict.retryable],
        [kind, retry === 'again'],
        String(verdict.message),
      );
    });
  }

  it('says that money is missing, whatever the status, and does not try again', () => {
    const words = 'Your credit balance is too low to access the API.';
    for (const status of [400, 402, 403, 429]) {
      const verdict = judge({ ...failure(), status, text: words }, 'm');
      assert.deepEqual([verdict.kind, verdict.retryable], ['other', false]);
      assert.match(String(verdict.message), /cannot pay .*credit balance.*Add credit/);
    }
  });

  it('does not try again for a certificate, but for a connection that may come back', () => {
    const connection = (text: string) => judge({ ...failure(), origin: 'connection', text }, 'm');
    for (const text of [
      'self-signed certificate in certificate chain',
      'unable to get local issuer certificate',
      'certificate has expired',
      "Hostname/IP does not match certificate's altnames",
      'write EPROTO 40:error:0A00010B:SSL routines:ssl3_get_record:wrong version number',
      'net::ERR_CERT_AUTHORITY_INVALID',
    ]) {
      const { kind, retryable, message } = connection(text);
      assert.deepEqual([kind, retryable], ['network', false], text);
      assert.match(String(message), /address of the server, and the certificates/);
    }
    for (const text of [
      'connect ECONNREFUSED 127.0.0.1:11434',
      'getaddrinfo ENOTFOUND api.example',
      'read ECONNRESET',
    ]) {
      assert.equal(connection(text).retryable, true, text);
    }
  });

  it('does not try again for a spend limit, nor when the server says so', () => {
    const limited = { ...failure(), status: 429, code: 'enforced_spend_limit_reached' };
    assert.equal(judge(limited, 'm').retryable, false);
    const headers = new Headers({ 'x-should-retry': 'false' });
    assert.equal(judge({ ...failure(), status: 500, headers }, 'm').retryable, false);
  });

  it('reads the wait in milliseconds, in seconds and as a date', () => {
    assert.equal(wait({ 'retry-after-ms': '250', 'retry-after': '9' }), 250);
    assert.equal(wait({ 'retry-after': '1.5' }), 1500);
    assert.equal(wait({ 'retry-after': 'soon' }), undefined);
    assert.equal(wait({}), undefined);
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    const asked = wait({ 'retry-after': inTwoMinutes }) ?? 0;
    assert(asked > 100_000 && asked <= 120_000, String(asked));
  });

  it('says when in hours for a long wait', () => {
    const headers = new Headers({ 'retry-after': '86400' });
    const verdict = judge({ ...failure(), status: 429, headers }, 'm');
    assert.match(modelErrorOf(verdict, undefined).message, /Try again in 24 hours\.$/);
  });
});

function kindOf([status, type, text]: Row): ModelErrorKind {
  return judge({ ...failure(), status, type, text }, 'claude-test').kind;
}

function wait(headers: Record<string, string>): number | undefined {
  return judge({ ...failure(), status: 429, headers: new Headers(headers) }, 'm').retryAfterMs;
}

function failure(): WireFailure {
  return {
    status: undefined,
    type: undefined,
    code: undefined,
    text: '',
    headers: undefined,
    origin: 'server',
  };
}
