// Shows a report as a page in an editor tab, rendered by VS Code's own Markdown. Its built-in preview refuses links
// to files, hence a page of ours: without scripts, and able to do nothing but open what a link names.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { commandTarget } from '../text/commandTarget.ts';
import { plainLine, plainMarkdown } from '../text/plainText.ts';
import type { Report } from './reportParts.ts';

interface Reports extends vscode.Disposable {
  show(report: Report): Promise<void>;
}

/** The pages are closed when it is disposed. They are not restored after a reload: what they said may be over. */
export function registerReports(): Reports {
  const panels = new Map<string, vscode.WebviewPanel>();
  // A link to `vscode.open` would be followed by the window, which in a remote workspace does not have the files
  // that this side has. Nobody but our pages knows the name.
  const open = `_memoryAgent.openFromReport.${randomUUID()}`;
  const opening = vscode.commands.registerCommand(open, openFile);

  function panelFor(title: string): vscode.WebviewPanel {
    const shown = panels.get(title);
    if (shown) {
      shown.reveal();
      return shown;
    }
    const panel = vscode.window.createWebviewPanel(
      'memoryAgent.report',
      title,
      vscode.ViewColumn.Active,
      { enableCommandUris: [open], enableFindWidget: true, localResourceRoots: [] },
    );
    panels.set(title, panel);
    panel.onDidDispose(() => panels.delete(title));
    return panel;
  }

  return {
    async show({ title, markdown }) {
      const html: unknown = await vscode.commands.executeCommand(
        'markdown.api.render',
        markdown.replaceAll(FILE_LINK, (_, uri: string) => `](${openingLink(uri, open)})`),
      );
      panelFor(title).webview.html = page(String(html));
    },
    dispose() {
      for (const panel of panels.values()) panel.dispose();
      opening.dispose();
    },
  };
}

const FILE_LINK = /\]\((file:[^\s()]+)\)/g;

async function openFile(link: unknown): Promise<void> {
  const uri = vscode.Uri.parse(String(link), true);
  if (uri.scheme === 'file') await vscode.commands.executeCommand('vscode.open', uri);
}

/** A link's target and title: on hover the path is shown, not the command. */
function openingLink(fileUri: string, command: string): string {
  const file = plainMarkdown(plainLine(vscode.Uri.parse(fileUri, true).fsPath));
  return `${commandTarget(command, fileUri)} "${file}"`;
}

/** VS Code gives the page the colours and fonts of the theme; the rest is distance. */
function page(body: string): string {
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body { font-size: 14px; line-height: 1.6; max-width: 56em; padding: 0 2em 3em; overflow-wrap: anywhere; }
h1 { font-size: 1.7em; font-weight: 600; margin: 1em 0 0.3em; }
h2 { font-size: 1.2em; font-weight: 600; margin: 2em 0 0.3em; padding-bottom: 0.2em;
  border-bottom: 1px solid rgba(128, 128, 128, 0.35); }
p { margin: 0.5em 0; }
ul { margin: 0.5em 0; padding-left: 1.5em; }
li { margin: 0.3em 0; }
a { text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
</style>
</head>
<body>
${body}
</body>
</html>`;
}
