import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Archive } from '../../src/context/archive.ts';
import { userText } from '../../src/models/model.ts';
import { SESSIONS_FILE, SessionStore } from '../../src/sessions/sessionStore.ts';
import { deleteSessions } from '../../src/vscode/deleteSessions.ts';
import { readTree, useTempFolder } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

describe('deleting the conversation history', () => {
  const folder = useTempFolder();
  const stub = useWindowStubs();

  async function setUp() {
    const sessions = new SessionStore({ file: path.join(folder.path, SESSIONS_FILE) });
    const archive = new Archive({ root: folder.path, pointers: 'relative' });
    const turn = await sessions.begin({ request: 'a word of mine' });
    turn.append(userText('a word of mine'));
    turn.end();
    await archive.saveTranscript(turn.ref.sessionId, turn.entries());
    await archive.saveText('what a tool printed');
    fs.writeFileSync(path.join(folder.path, '.transcripts', 'notes of mine.txt'), 'stay');
    const run = () => deleteSessions({ sessions, archives: [archive] });
    return { sessions, turn, run };
  }

  it('deletes conversations and archives after asking, and nothing of the person', async () => {
    const { sessions, turn, run } = await setUp();
    const asked = stub('showWarningMessage', () => 'Delete');
    const told = stub('showInformationMessage');
    await run();
    assert.equal(asked.length, 1);
    assert.match(String(told[0]?.[0]), /^1 conversation and its archive were deleted/);
    assert.deepEqual(await sessions.search('word'), []);
    assert.equal(await sessions.find(turn.ref), undefined);
    const files = Object.keys(await readTree(folder.path)).filter((name) => name.startsWith('.t'));
    assert.deepEqual(
      files.filter((name) => !name.endsWith('.gitignore')),
      ['.transcripts/notes of mine.txt'],
    );
    sessions.close();
  });

  it('deletes nothing when the person does not say so', async () => {
    const { sessions, turn, run } = await setUp();
    stub('showWarningMessage');
    const before = Object.keys(await readTree(folder.path));
    await run();
    assert.deepEqual(Object.keys(await readTree(folder.path)), before);
    assert.ok(await sessions.find(turn.ref));
    sessions.close();
  });

  it('leaves a conversation that is at work', async () => {
    const { sessions, run } = await setUp();
    const running = await sessions.begin({ request: 'at work' });
    running.append(userText('at work'));
    stub('showWarningMessage', () => 'Delete');
    stub('showInformationMessage');
    await run();
    running.append(userText('still at work'));
    running.end();
    assert.equal((await sessions.find(running.ref))?.log().length, 2);
    sessions.close();
  });
});
