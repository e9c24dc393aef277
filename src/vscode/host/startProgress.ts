// How far a person has come, told to VS Code for the steps of the walkthrough, and the walkthrough itself.

import * as vscode from 'vscode';
import {
  EXTENSION_ID,
  WALKTHROUGH_ID,
  type HAS_MEMORIES_KEY,
  type HAS_MODEL_KEY,
} from '../../manifest.ts';

type ProgressKey = typeof HAS_MEMORIES_KEY | typeof HAS_MODEL_KEY;

export class StartProgress {
  readonly #reached = new Set<ProgressKey>();
  #isOpening = false;

  set(key: ProgressKey, isReached: boolean): void {
    if (this.#reached.has(key) === isReached) return;
    if (isReached) this.#reached.add(key);
    else this.#reached.delete(key);
    if (!this.#isOpening) void setContext(key, isReached);
  }

  async openWalkthrough(): Promise<void> {
    // VS Code ends a step when a key turns true after it has read its walkthroughs, and it reads them when one is
    // opened: a key that is true by then would leave the step open for ever.
    this.#isOpening = true;
    for (const key of this.#reached) await setContext(key, false);
    const id = `${EXTENSION_ID}#${WALKTHROUGH_ID}`;
    try {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
    } finally {
      this.#isOpening = false;
      for (const key of this.#reached) await setContext(key, true);
    }
  }
}

async function setContext(key: ProgressKey, isReached: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, isReached);
}
