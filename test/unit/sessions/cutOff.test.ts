import assert from 'node:assert/strict';
import path from 'node:path';
import { userText } from '../../../src/models/model.ts';
import { SESSIONS_FILE, SessionStore } from '../../../src/sessions/sessionStore.ts';
import { says } from '../../support/conversation.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

describe('a turn that was cut off before it had written the request', () => {
  const folder = useTempFolder();

  it('still has the words of the person in the turn that goes on from it, also after one more reload', async () => {
    const file = path.join(folder.path, SESSIONS_FILE);
    const first = new SessionStore({ file });
    const done = await first.begin({ request: 'one' });
    done.append(userText('one'));
    done.append(says('1'));
    done.end();
    await first.begin({ previous: done.ref, request: 'two' });
    first.close();

    const second = new SessionStore({ file });
    const next = await second.begin({ previous: done.ref, unfinished: ['two'], request: 'three' });
    next.append(userText('three'));
    next.end();
    const said = [userText('one'), says('1'), userText('two'), userText('three')];
    assert.deepEqual(next.log(), said);
    assert.deepEqual(next.working(), said);
    second.close();

    const third = new SessionStore({ file });
    assert.deepEqual((await third.find(next.ref))?.log(), said);
    third.close();
  });
});
