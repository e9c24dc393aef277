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

describe('lmErrorKind', () => {
  for (const [text, kind] of CASES) {
    it(`takes "${text}" for ${kind}`, () => {
      assert.equal(lmErrorKind({ code: undefined, name: 'Error', text }), kind);
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
