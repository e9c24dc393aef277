import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../../src/vscode/host/baseUrl.ts';

describe('parseBaseUrl', () => {
  it('takes an address and drops the slash at its end', () => {
    assert.deepEqual(parseBaseUrl(' http://localhost:11434/ '), {
      ok: true,
      url: 'http://localhost:11434',
    });
    assert.deepEqual(parseBaseUrl('https://e.com/api/'), { ok: true, url: 'https://e.com/api' });
  });

  for (const [text, fault] of [
    ['localhost', 'notAnAddress'],
    ['localhost:11434', 'notHttp'],
    ['file:///etc/passwd', 'notHttp'],
    ['https://me:secret@e.com', 'holdsPassword'],
    ['https://e.com/?key=1', 'holdsQuery'],
    ['https://e.com/#top', 'holdsQuery'],
  ] as const) {
    it(`refuses ${text} as ${fault}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: false, fault });
    });
  }
});
