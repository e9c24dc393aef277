// Where what leaves a conversation is kept: in the workspace folder once that is trusted, else in the storage that
// VS Code gives to extensions, since nothing may be written to a folder that is not trusted.

import * as vscode from 'vscode';
import { Archive } from '../context/archive.ts';

export class Archives {
  /** Outside the workspace; the agent's tools may read there. */
  readonly outside: string;
  readonly #outside: Archive;
  readonly #inFolder: Archive | undefined;

  /** `folder` is the workspace folder, `storage` a folder of our own outside of it. */
  constructor(folder: string | undefined, storage: vscode.Uri) {
    this.outside = storage.fsPath;
    this.#outside = new Archive({ root: this.outside, pointers: 'absolute' });
    this.#inFolder =
      folder === undefined ? undefined : new Archive({ root: folder, pointers: 'relative' });
  }

  get all(): readonly Archive[] {
    return this.#inFolder ? [this.#outside, this.#inFolder] : [this.#outside];
  }

  get current(): Archive {
    return vscode.workspace.isTrusted && this.#inFolder ? this.#inFolder : this.#outside;
  }
}
