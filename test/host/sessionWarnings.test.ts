import assert from 'node:assert/strict';
import type { SessionProblem } from '../../src/sessions/session.ts';
import { tellSessionProblem } from '../../src/vscode/sessions/sessionWarnings.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

const PROBLEM = { file: '/storage/sessions.db', detail: 'disk I/O error' };

describe('warnings about conversations', () => {
  const stub = useWindowStubs();

  it('say what happened and what becomes of what is said', () => {
    assert.match(told({ kind: 'locked', ...PROBLEM }), /until then: \/storage\/sessions\.db$/);
    assert.match(
      told({ kind: 'damaged', movedTo: '/storage/sessions.damaged.db', ...PROBLEM }),
      /damaged.*\/storage\/sessions\.damaged\.db$/,
    );
    assert.match(told({ kind: 'newer', ...PROBLEM }), /written by a newer version/);
    assert.match(
      told({ kind: 'unavailable', ...PROBLEM }),
      /cannot be kept on disk.*\/storage\/sessions\.db$/,
    );
  });

  it('leave to the chat what it tells itself', () => {
    const asked = stub('showWarningMessage');
    tellSessionProblem({ kind: 'lostTurn', ...PROBLEM });
    assert.deepEqual(asked, []);
  });

  function told(problem: SessionProblem): string {
    const asked = stub('showWarningMessage');
    tellSessionProblem(problem);
    assert.equal(asked.length, 1);
    return String(asked[0]?.[0]);
  }
});
