import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { userText } from '../../src/models/model.ts';
import type { SessionTurn } from '../../src/sessions/session.ts';
import { SESSIONS_FILE, SessionStore } from '../../src/sessions/sessionStore.ts';
import { Archives, workspaceStorage } from '../../src/vscode/sessions/archives.ts';
import { deleteSessions } from '../../src/vscode/sessions/deleteSessions.ts';
import { readTree, useTempFolder, writeTree } from '../support/tempFolder.ts';
import { useWindowStubs } from '../support/windowStubs.ts';

describe('deleting the conversation history', () => {
  const temp = useTempFolder();
  const stub = useWindowStubs();
  const stores: SessionStore[] = [];
  const uri = (name: string) => vscode.Uri.file(path.join(temp.path, name));

  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
  });

  it('deletes conversations and archives after asking, and nothing of the person', async () => {
    const { sessions, archives } = workspace('one');
    const turn = await say(sessions, archives, 'a word of mine');
    turn.end();
    await writeTree(temp.path, { 'one/.transcripts/notes of mine.txt': 'stay' });
    const asked = stub('showWarningMessage', () => 'Delete');
    const told = stub('showInformationMessage');
    await deleteSessions({ sessions, archives: archives.all });
    assert.equal(asked.length, 1);
    assert.equal(told[0]?.[0], '1 conversation and its archive were deleted.');
    assert.deepEqual(await sessions.search('word'), []);
    assert.equal(await sessions.find(turn.ref), undefined);
    assert.deepEqual(await archived(), ['one/.transcripts/notes of mine.txt']);
  });

  it('deletes nothing when the person does not say so', async () => {
    const { sessions, archives } = workspace('one');
    const turn = await say(sessions, archives, 'a word of mine');
    turn.end();
    stub('showWarningMessage');
    const before = await archived();
    await deleteSessions({ sessions, archives: archives.all });
    assert.deepEqual(await archived(), before);
    assert.ok(await sessions.find(turn.ref));
  });

  it('leaves a conversation that is running, with its archive, and says so', async () => {
    const { sessions, archives } = workspace('one');
    (await say(sessions, archives, 'done')).end();
    const running = await say(sessions, archives, 'at work');
    stub('showWarningMessage', () => 'Delete');
    const told = stub('showInformationMessage');
    await deleteSessions({ sessions, archives: archives.all });
    assert.match(
      String(told[0]?.[0]),
      /^Archived tool results were kept, since a conversation is running.*deleted: 1\.$/,
    );
    const transcripts = `${running.ref.sessionId}.jsonl`;
    const files = await archived();
    assert.deepEqual(
      files.filter((file) => file.endsWith('.jsonl')).map((file) => path.basename(file)),
      [transcripts, transcripts],
    );
    assert.equal(files.filter((file) => file.endsWith('.txt')).length, 4);
    running.append(userText('still at work'));
    running.end();
    assert.equal((await sessions.find(running.ref))?.log().length, 2);
  });

  it('leaves what was archived in other workspaces, also where none is trusted', async () => {
    const { sessions, archives } = workspace('one');
    const other = workspace('another');
    const windows = workspace(undefined);
    (await say(sessions, archives, 'here')).end();
    for (const place of [other, windows])
      (await say(place.sessions, place.archives, 'there')).end();
    stub('showWarningMessage', () => 'Delete');
    stub('showInformationMessage');
    const before = await archived();
    await deleteSessions({ sessions, archives: archives.all });
    const isHere = (file: string) => /^(one|storage of one)\//.test(file);
    assert.deepEqual(
      await archived(),
      before.filter((file) => !isHere(file)),
    );
    assert.ok(before.some((file) => file.startsWith('storage of another/')));
    assert.ok(before.some((file) => file.startsWith('global storage/')));
    assert.equal((await other.sessions.search('there')).length, 1);
  });

  /** What a window has over a folder; without one it has what all such windows share. */
  function workspace(folder: string | undefined) {
    const places = {
      storageUri: folder === undefined ? undefined : uri(`storage of ${folder}`),
      globalStorageUri: uri('global storage'),
    };
    const file = vscode.Uri.joinPath(workspaceStorage(places), SESSIONS_FILE).fsPath;
    const sessions = new SessionStore({ file });
    stores.push(sessions);
    return { sessions, archives: new Archives(folder && uri(folder).fsPath, places) };
  }

  /** Begins a conversation that was archived both before and after the workspace was trusted. */
  async function say(
    sessions: SessionStore,
    archives: Archives,
    words: string,
  ): Promise<SessionTurn> {
    const turn = await sessions.begin({ request: words });
    turn.append(userText(words));
    for (const archive of archives.all) {
      await archive.saveTranscript(turn.ref.sessionId, turn.entries());
      await archive.saveText(`printed by a tool for ${words}`);
    }
    return turn;
  }

  async function archived(): Promise<string[]> {
    const files = Object.keys(await readTree(temp.path));
    return files.filter((file) => /\/\.(transcripts|task_outputs)\/[^.]/.test(file)).toSorted();
  }
});
