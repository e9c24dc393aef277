// What the tests of chat models share: a vendor that only tests declare, a tool, and an answer that calls it.

import type * as vscode from 'vscode';
import type { ModelEvent } from '../../src/models/model.ts';
import { call } from '../support/conversation.ts';

/** Declared by fixtures/fake-lm: our own vendor belongs to the activated extension. */
export const VENDOR = 'memory-agent-test';

export const READ = { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } };

/** Words and a call of `READ`, as `createLmModel` ends with them. */
export const LOOKS_AND_READS: ModelEvent = {
  type: 'end',
  message: {
    role: 'assistant',
    content: [{ type: 'text', text: 'Look.' }, call('c1', 'read_file', { path: 'a' })],
  },
  stopReason: 'tool_use',
  usage: undefined,
};

/** What a test puts in is disposed of after it. */
export function useDisposables(): vscode.Disposable[] {
  const disposables: vscode.Disposable[] = [];
  afterEach(() => {
    for (const disposable of disposables.splice(0)) disposable.dispose();
  });
  return disposables;
}
