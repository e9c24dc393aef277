import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { COMMANDS, EXTENSION_ID } from '../../src/manifest.ts';

describe('activation', () => {
  it('succeeds and registers every command', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert(extension);
    await extension.activate();
    const registered = await vscode.commands.getCommands(true);
    const missing = Object.values(COMMANDS).filter((command) => !registered.includes(command));
    assert.deepEqual(missing, []);
  });
});
