// The chats as VS Code keeps them, some seconds later: what was said on the disk, and which chat was shown in the
// browser. A reload before that begins with an empty chat, or loses the newest of it.

import fs from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { until } from './until.ts';

/** What VS Code stores in the browser: the list of chats, and which of them the view shows. */
const LIST = 'chat.ChatSessionStore.index';
const VIEW = 'memento/interactive-session-view-copilot';

/** Waits until VS Code has kept a chat that holds all these words. `home` is that of the window's profile. */
export async function untilChatIsKept(
  page: Page,
  home: string,
  words: readonly string[],
): Promise<void> {
  const folder = path.join(workspaceStorage(home), 'chatSessions');
  const file = await until(() => {
    const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return files.find((name) => {
      const chat = fs.readFileSync(path.join(folder, name), 'utf8');
      return words.every((word) => chat.includes(word));
    });
  });
  const id = path.parse(file).name;
  // The view keeps its address, in which the id is encoded.
  const shown = Buffer.from(id).toString('base64');
  const wanted = { [LIST]: id, [VIEW]: shown };
  await until(async () => (await page.evaluate(isStoredInBrowser, wanted)) || undefined);
}

/** Where VS Code keeps what belongs to the one workspace that was opened. */
export function workspaceStorage(home: string): string {
  const storage = path.join(home, 'user-data', 'User', 'workspaceStorage');
  const [workspace = ''] = fs.readdirSync(storage);
  return path.join(storage, workspace);
}

/** Runs in the page. Whether the items that VS Code has stored under these keys hold these texts. */
async function isStoredInBrowser(wanted: Readonly<Record<string, string>>): Promise<boolean> {
  const missing = new Map(Object.entries(wanted));
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await done(indexedDB.open(name));
    const items = database.transaction('ItemTable').objectStore('ItemTable');
    for (const [key, text] of missing) {
      if (String(await done(items.get(key))).includes(text)) missing.delete(key);
    }
    database.close();
  }
  return missing.size === 0;

  async function done<T>(request: PageRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  }
}

/** Of the page, which has other globals than Node. */
declare const indexedDB: {
  databases(): Promise<readonly { readonly name: string }[]>;
  open(name: string): PageRequest<{
    transaction(store: string): {
      objectStore(store: string): { get(key: string): PageRequest<unknown> };
    };
    close(): void;
  }>;
};

interface PageRequest<T> {
  readonly result: T;
  readonly error: Error;
  addEventListener(type: 'success' | 'error', listener: () => void): void;
}
