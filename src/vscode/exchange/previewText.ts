// Shows a text that is in no file yet, in an editor that cannot change it.

import * as vscode from 'vscode';

interface PreviewTexts extends vscode.Disposable {
  /** Beside what has the focus, which keeps it. */
  show(name: string, text: string): Promise<void>;
}

const SCHEME = 'memory-agent-preview';

/** Editors that are open when it is disposed keep their text. */
export function createPreviewTexts(): PreviewTexts {
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()),
  });
  return {
    async show(name, text) {
      // Another number, another document: VS Code asks for the text of each only once.
      const query = String(texts.size);
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md`, query });
      texts.set(uri.toString(), text);
      await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
    },
    dispose: () => provider.dispose(),
  };
}
