// Settings that a person changes while the window is open: those of the folder, as the window follows their file.

import fs from 'node:fs';
import path from 'node:path';

import type { Workbench } from './workbench.ts';

/** Resolves when they hold. What was set before and is not named stays. */
export async function changeSettings(
  window: Workbench,
  folder: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = path.join(folder, '.vscode', 'settings.json');
  const before = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as object) : {};
  // The window takes its title from the same file, and tells the extension of the others before anything that is
  // done next.
  const title = Object.values(settings).join(' ');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...before, ...settings, 'window.title': title }));
  await window.page.waitForFunction((wanted) => document.title === wanted, title);
}

/** Of the page, which has other globals than Node. */
declare const document: { readonly title: string };
