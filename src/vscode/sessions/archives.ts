// Where what leaves a conversation is kept: in the workspace folder once that is trusted, else in the storage that
// VS Code gives to extensions, since nothing may be written to a folder that is not trusted.

import * as vscode from 'vscode';
import { Archive } from '../../context/archive.ts';

type Places = Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>;

export class Archives {
  /** Outside the workspace; the agent's tools may read there. */
  readonly outside: string;
  readonly #outside: Archive;
  readonly #inFolder: Archive | undefined;

  /** `folder` is the workspace folder. */
  constructor(folder: string | undefined, places: Places) {
    this.outside = vscode.Uri.joinPath(workspaceStorage(places), 'archive').fsPath;
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

/**
 * What was said in one workspace is neither found nor deleted from another. Windows without a workspace share one
 * place.
 */
export function workspaceStorage({ storageUri, globalStorageUri }: Places): vscode.Uri {
  return storageUri ?? globalStorageUri;
}
