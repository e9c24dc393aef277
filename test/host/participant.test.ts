import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../../src/base/log.ts';
import { lateCode } from '../../src/vscode/host/lateCode.ts';
import { answering } from '../../src/vscode/chat/participant.ts';
import { keptResponse } from '../support/chatResponse.ts';

describe('a chat whose code cannot be read', () => {
  it('says so in place of an answer, with the way out, and begins no turn', async () => {
    const prepare = lateCode(() => Promise.reject(new Error('Cannot find module x')), silentLog);
    const answer = answering(silentLog, prepare);
    const { response, buttons, text } = keptResponse();
    const request = { prompt: 'hello', references: [] } as unknown as vscode.ChatRequest;
    const { token } = new vscode.CancellationTokenSource();
    const result = await answer(request, { history: [] }, response, token);
    assert.match(
      result?.errorDetails?.message ?? '',
      /^A part of Memory Agent could not be read from the disk, .* Reload the window\.$/,
    );
    assert.deepEqual(result?.metadata, { noTurn: true });
    assert.deepEqual(
      buttons.map(({ command }) => command),
      ['workbench.action.reloadWindow'],
    );
    assert.equal(text(), '');
  });
});
