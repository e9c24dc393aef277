import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { HAS_MEMORIES_KEY, HAS_MODEL_KEY } from '../../src/manifest.ts';
import { StartProgress } from '../../src/vscode/host/startProgress.ts';

describe('the steps of the walkthrough', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => {
    Object.defineProperty(vscode.commands, 'executeCommand', { value: executeCommand });
  });

  it('are told as done once it is open and not while it opens, when VS Code would not end them', async () => {
    const progress = new StartProgress();
    const told: string[] = [];
    const run = (command: string, ...[key, isReached]: readonly unknown[]): Promise<void> => {
      if (command === 'setContext') told.push(`${String(key)} ${String(isReached)}`);
      else {
        progress.set(HAS_MODEL_KEY, true);
        told.push('open');
      }
      return Promise.resolve();
    };
    Object.defineProperty(vscode.commands, 'executeCommand', { value: run, configurable: true });
    progress.set(HAS_MEMORIES_KEY, true);
    await progress.openWalkthrough();
    assert.deepEqual(told, [
      `${HAS_MEMORIES_KEY} true`,
      `${HAS_MEMORIES_KEY} false`,
      'open',
      `${HAS_MEMORIES_KEY} true`,
      `${HAS_MODEL_KEY} true`,
    ]);
  });
});
