import assert from 'node:assert/strict';
import type { ModelErrorKind } from '../../../src/models/model.ts';
import { lmErrorKind } from '../../../src/vscode/lmErrorKind.ts';

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
  const kindOf = (text: string) => lmErrorKind({ code: undefined, name: 'Error', text });

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
    const kind = (code: string) => lmErrorKind({ code, name: 'LanguageModelError', text: 'No.' });
    assert.equal(kind('NoPermissions'), 'auth');
    assert.equal(kind('Blocked'), 'refused');
    assert.equal(kind('NotFound'), 'other');
    assert.equal(kind('Unknown'), 'other');
  });

  it('takes a used-up quota for a rate limit, though VS Code calls the requestor blocked', () => {
    const error = { code: 'Blocked', name: 'LanguageModelError', text: 'Quota exceeded.' };
    assert.equal(lmErrorKind(error), 'rateLimit');
  });

  it('knows a cancelled request by its name', () => {
    assert.equal(lmErrorKind({ code: undefined, name: 'Canceled', text: 'Canceled' }), 'cancelled');
  });
});
