import assert from 'node:assert/strict';
import {
  judge,
  modelErrorOf,
  shortText,
  type WireFailure,
} from '../../../src/models/claudeErrors.ts';
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
    'other',
    'never',
  ],
  [400, 'invalid_request_error', 'messages: roles must alternate', 'other', 'never'],
  [401, 'authentication_error', 'invalid x-api-key', 'auth', 'never'],
  [402, 'billing_error', 'Your credit balance is too low', 'other', 'never'],
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

describe('claudeErrors', () => {
  for (const [status, type, text, kind, retry] of TABLE) {
    it(`takes ${status ?? type} “${text}” for ${kind}, tried ${retry}`, () => {
      const verdict = judge({ ...failure(), status, type, text }, 'claude-test');
      assert.deepEqual(
        [verdict.kind, verdict.retryable],
        [kind, retry === 'again'],
        verdict.message,
      );
    });
  }

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

  it('puts what a server said on one short line', () => {
    assert.equal(shortText('a\n  b.\n', ''), 'a b');
    assert.equal(shortText('x'.repeat(1000), '').length, 301);
    assert.match(shortText('  <!doctype html><p>hi', ''), /HTML page/);
  });
});

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
