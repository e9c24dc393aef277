import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PARTICIPANT_ID } from '../../src/manifest.ts';
import { messageText } from '../../src/models/model.ts';
import {
  goingOn,
  REFUSED_TURN,
  refusedWork,
  unfinishedRequests,
  visibleHistory,
} from '../../src/vscode/chat/chatHistory.ts';
import { NO_TURN } from '../../src/vscode/chat/noTurn.ts';

type Turn = vscode.ChatContext['history'][number];

describe('the history of a chat', () => {
  it('goes on from the latest answer that names its turn', () => {
    const history = [asked('a'), answered('A', 't1'), asked('b'), answered('B', 't2')];
    assert.deepEqual(goingOn(history).previous, { sessionId: 's', turnId: 't2' });
    assert.equal(goingOn([asked('a')]).previous, undefined);
  });

  it('goes on from a compaction, and behind commands that leave no turn', () => {
    const history = [
      asked('a'),
      answered('A', 't1'),
      asked('', 'compact'),
      answered('Compacted', 't2', 'compact'),
      asked('', 'context'),
      answered('Table', undefined, 'context'),
      asked('tabs', 'recall'),
      answered('None', undefined, 'recall'),
    ];
    assert.deepEqual(goingOn(history).previous, { sessionId: 's', turnId: 't2' });
    assert.deepEqual(unfinishedRequests(history), []);
  });

  it('knows the requests whose turns were cut off, in order', () => {
    const history = [
      asked('a'),
      answered('A', 't1'),
      asked('b'),
      answered('', undefined),
      asked('tabs', 'recall'),
      answered('None', undefined, 'recall'),
      asked('c'),
      asked('other', undefined, 'another.participant'),
    ];
    assert.deepEqual(unfinishedRequests(history), ['b', 'c']);
    assert.deepEqual(unfinishedRequests([asked('first')]), ['first']);
  });

  it('takes no request for one that was cut off when no turn was begun for it', () => {
    const withoutKey = Object.assign(answered('Set a key', undefined), {
      result: { metadata: NO_TURN },
    });
    assert.deepEqual(unfinishedRequests([asked('a'), withoutKey, asked('b')]), ['b']);
  });

  it('has no part in which no model spoke, but keeps what was asked there', () => {
    const ours = (text: string) =>
      Object.assign(answered(text, undefined), { result: { metadata: NO_TURN } });
    const welcomed = [asked(''), ours('What I am for')];
    const history = [asked('a'), answered('A', 't1'), ...welcomed, asked('b'), ours('Set a key')];
    assert.deepEqual(visibleHistory(history).map(messageText), ['a', 'A', 'b']);
    assert.deepEqual(visibleHistory(welcomed), []);
    assert.deepEqual(unfinishedRequests(history), []);
  });

  it('goes on from before a request that was refused, which is not shown either', () => {
    const history = [asked('a'), answered('A', 't1'), asked('b'), refused('I can'), asked('c')];
    assert.deepEqual(goingOn(history).previous, { sessionId: 's', turnId: 't1' });
    assert.deepEqual(unfinishedRequests(history), ['c']);
    assert.deepEqual(visibleHistory(history).map(messageText), ['a', 'A', 'c']);
    assert.equal(goingOn([asked('b'), refused('')]).previous, undefined);
  });

  it('goes on from the work of a turn that was refused in the end', () => {
    const history = [asked('a'), answered('A', 't1'), asked('b'), refusedAfterWork('t2', 'x.ts')];
    const t2 = { sessionId: 's', turnId: 't2' };
    assert.deepEqual(goingOn(history), { previous: t2, leftOutFiles: [] });
    // What was refused then was asked after that work was read, so the work is not at fault.
    const more = [...history, asked('c'), answered('C', 't3'), asked('d'), refused('')];
    assert.equal(goingOn(more).previous?.turnId, 't3');
  });

  it('leaves that work out when the model refuses what comes next, and tells once what it wrote', () => {
    const history = [
      asked('a'),
      answered('A', 't1'),
      asked('b'),
      refusedAfterWork('t2', 'x.ts', 'y.ts'),
      asked('', 'compact'),
      answered('Compacted', 't3', 'compact'),
      asked('c'),
      refused(''),
    ];
    const t1 = { sessionId: 's', turnId: 't1' };
    const leftOut = { previous: t1, leftOutFiles: ['x.ts', 'y.ts'] };
    assert.deepEqual(goingOn(history), leftOut);
    assert.deepEqual(goingOn([...history, asked('d'), refused('')]), leftOut);
    assert.deepEqual(unfinishedRequests(history), []);
    const { previous, leftOutFiles } = goingOn([...history, asked('d'), answered('D', 't4')]);
    assert.deepEqual([previous?.turnId, leftOutFiles], ['t4', []]);
  });

  it('names what was attached in front of the words, but for the editor of that time', () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'src/a.ts');
    const range = new vscode.Range(9, 0, 19, 4);
    const history = [
      askedAbout('Look.', [
        { id: 'a', value: uri },
        { id: 'b', value: new vscode.Location(uri, range) },
        { id: 'Terminal', value: 'npm test' },
        { id: 'vscode.implicit.file', value: uri },
      ]),
      askedAbout('', [{ id: 'a', value: uri }]),
    ];
    const [first, second] = visibleHistory(history);
    assert.deepEqual(
      first?.content.map((block) => (block.type === 'attachment' ? block.name : block)),
      ['src/a.ts', 'src/a.ts:10-20', 'Terminal', { type: 'text', text: 'Look.' }],
    );
    assert.doesNotMatch(JSON.stringify(first), /npm test/);
    assert.equal(second?.content.length, 1);
  });

  it('shows the words of both sides without commands', () => {
    const history = [
      answered('Hello', undefined),
      asked('a'),
      answered('A', 't1'),
      asked('', 'compact'),
      answered('Compacted', 't2', 'compact'),
      asked('b'),
    ];
    assert.deepEqual(
      visibleHistory(history).map(({ role, content }) => [role, ...content]),
      [
        ['user', { type: 'text', text: 'a' }],
        ['assistant', { type: 'text', text: 'A' }],
        ['user', { type: 'text', text: 'b' }],
      ],
    );
  });
});

/** Only VS Code may call the constructors. */
function asked(prompt: string, command?: string, participant = PARTICIPANT_ID): Turn {
  const turn = Object.create(vscode.ChatRequestTurn.prototype) as vscode.ChatRequestTurn;
  return Object.assign(turn, { prompt, command, participant, references: [] });
}

function askedAbout(prompt: string, references: readonly vscode.ChatPromptReference[]): Turn {
  return Object.assign(asked(prompt), { references });
}

function refused(text: string): Turn {
  const metadata = { ...REFUSED_TURN, outcome: 'failed' };
  return Object.assign(answered(text, undefined), { result: { metadata } });
}

function refusedAfterWork(turnId: string, ...files: readonly string[]): Turn {
  const metadata = refusedWork({ sessionId: 's', turnId }, files);
  return Object.assign(answered('I do', undefined), { result: { metadata } });
}

function answered(text: string, turnId: string | undefined, command?: string): Turn {
  const turn = Object.create(vscode.ChatResponseTurn.prototype) as vscode.ChatResponseTurn;
  const response = text === '' ? [] : [new vscode.ChatResponseMarkdownPart(text)];
  const result = turnId === undefined ? {} : { metadata: { sessionId: 's', turnId } };
  return Object.assign(turn, { response, result, command });
}
