import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Tool } from '../../src/agent/tools.ts';
import type { Mode } from '../../src/memory/mode.ts';
import { allowedTools } from '../../src/vscode/tools/allowedTools.ts';

describe('allowedTools', () => {
  it('allows tools over the conversation everywhere, behind those over a folder', () => {
    const [read, write, compact] = [tool(), { ...tool(), readOnly: false }, tool()];
    const tools = { workspace: [read, write], session: [compact], memory: [], skills: [] };
    const modes = { recall: 'auto', extraction: 'auto' } as const;
    assert.deepEqual(allowedTools(tools, modes), [read, write, compact]);
    assert.deepEqual(
      within({ isTrusted: false }, () => allowedTools(tools, modes)),
      [read, compact],
    );
    assert.deepEqual(
      within({ workspaceFolders: [] }, () => allowedTools(tools, modes)),
      [compact],
    );
  });

  it('allows skills, which are instructions, in a trusted folder only, behind all others', () => {
    const [read, compact, search, load] = [tool(), tool(), tool(), tool()];
    const tools = { workspace: [read], session: [compact], memory: [search], skills: [load] };
    const modes = { recall: 'auto', extraction: 'auto' } as const;
    assert.deepEqual(allowedTools(tools, modes), [read, compact, search, load]);
    for (const window of [{ isTrusted: false }, { workspaceFolders: [] }]) {
      const allowed = within(window, () => allowedTools(tools, modes));
      assert.ok(!allowed.some((each) => each === load));
    }
  });

  it('allows tools over the memories as far as recall and extraction go', () => {
    const [save, search] = [{ ...tool(), readOnly: false }, tool()];
    const tools = { workspace: [], session: [], memory: [save, search], skills: [] };
    const allowed = (recall: Mode, extraction: Mode) => allowedTools(tools, { recall, extraction });
    assert.deepEqual(allowed('auto', 'auto'), [save, search]);
    assert.deepEqual(allowed('review', 'review'), [save]);
    assert.deepEqual(allowed('off', 'auto'), [save]);
    assert.deepEqual(allowed('auto', 'off'), [search]);
    assert.deepEqual(
      within({ workspaceFolders: [] }, () => allowed('auto', 'auto')),
      [search],
    );
    assert.deepEqual(
      within({ isTrusted: false }, () => allowed('auto', 'auto')),
      [],
    );
  });
});

/** What `run` returns where the workspace is as given. */
function within<T>(workspace: Partial<typeof vscode.workspace>, run: () => T): T {
  const originals = Object.keys(workspace).map(
    (key) => [key, Object.getOwnPropertyDescriptor(vscode.workspace, key)] as const,
  );
  try {
    for (const [key, value] of Object.entries(workspace)) {
      Object.defineProperty(vscode.workspace, key, { get: () => value, configurable: true });
    }
    return run();
  } finally {
    for (const [key, original] of originals) {
      if (original) Object.defineProperty(vscode.workspace, key, original);
    }
  }
}

function tool(): Tool {
  return {
    name: 'test_read',
    description: 'Reads.',
    inputSchema: { type: 'object' },
    readOnly: true,
    run: () => Promise.resolve(''),
  };
}
