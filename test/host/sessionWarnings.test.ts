import assert from 'node:assert/strict';
import { silentLog } from '../../src/base/log.ts';
import { createSessionWarnings } from '../../src/vscode/sessionWarnings.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const PROBLEM = { file: '/storage/sessions.db', detail: 'disk I/O error' };

describe('warnings about conversations', () => {
  const stub = useWindowStubs();

  it('are one for each kind', () => {
    const asked = stub('showWarningMessage');
    const warn = createSessionWarnings(silentLog);
    for (let time = 0; time < 3; time++) {
      warn({ kind: 'locked', ...PROBLEM });
      warn({ kind: 'corrupt', movedTo: '/storage/sessions.damaged.db', ...PROBLEM });
      warn({ kind: 'newer', ...PROBLEM });
      warn({ kind: 'unavailable', ...PROBLEM });
    }
    const texts = asked.map(([text]) => String(text));
    assert.equal(texts.length, 4);
    assert.match(texts[0] ?? '', /is written later.*\/storage\/sessions\.db$/);
    assert.match(texts[1] ?? '', /damaged.*\/storage\/sessions\.damaged\.db$/);
    assert.match(texts[2] ?? '', /newer version/);
    assert.match(texts[3] ?? '', /cannot be written to disk.*\/storage\/sessions\.db$/);
  });

  it('leave to the chat what it tells itself', () => {
    const asked = stub('showWarningMessage');
    createSessionWarnings(silentLog)({ kind: 'lostTurn', ...PROBLEM });
    assert.deepEqual(asked, []);
  });
});
