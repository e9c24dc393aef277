// A VS Code window as a person uses it: palette, notifications, dialogs, views, editors. The chat is in chat.ts.
// Selectors are those of VS Code 1.139. Every action waits for its effect, so that tests hold no pauses.

import type { Locator, Page } from 'playwright-core';

import { Chat } from './chat.ts';
import { repeat } from './repeat.ts';

/** The first window of a server takes longest: 10 s, 40 s on a busy machine. */
const START_LIMIT_MS = 90_000;

export class Workbench {
  readonly page: Page;
  readonly chat: Chat;
  /** Shown when the extension under test is ready for a first step. */
  readonly #ready: (window: Workbench) => Locator;

  constructor(page: Page, ready: (window: Workbench) => Locator) {
    this.page = page;
    this.#ready = ready;
    this.chat = new Chat(page, (name) => this.menuItem(name));
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: 'commit' });
    await this.#untilReady();
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await this.#untilReady();
  }

  async screenshot(file: string): Promise<void> {
    // What comes or goes slowly would be in it half.
    await this.page.screenshot({ path: file, animations: 'disabled' });
  }

  // Quick input: palette, picks, input boxes.

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  /** Runs a command by its id; `title` brings it into the list, e.g. `Memory: Consolidate`. */
  async runCommand(id: string, title: string): Promise<void> {
    const input = this.quickInput.locator('input[aria-controls="quickInput_list"]');
    const entry = this.quickInput.locator(`.quick-input-list-entry[data-quick-input-id="${id}"]`);
    // While the window is starting F1 is lost, and what takes the focus closes the palette.
    await repeat(
      async () => {
        await this.page.keyboard.press('F1');
        await input.fill(`>${title}`, { timeout: 1500 });
      },
      () => entry.waitFor({ timeout: 1500 }),
    );
    // Once: a click that is late may have run the command all the same.
    await entry.click();
  }

  /** Chooses an entry of an open pick. */
  async pick(label: string | RegExp): Promise<void> {
    await this.quickInput.getByRole('option', { name: label }).first().click();
  }

  /** Ends an open pick of several entries with those that are checked. */
  async acceptPicked(): Promise<void> {
    await this.quickInput.getByRole('button', { name: 'OK', exact: true }).click();
  }

  /** Fills an open input box and presses Enter. */
  async answer(text: string): Promise<void> {
    await this.quickInput.locator('.quick-input-box input').fill(text);
    await this.page.keyboard.press('Enter');
  }

  // Notifications and dialogs.

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast .notification-list-item', { hasText: text });
  }

  /** In the open list of all that were not dismissed. */
  keptNotification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-center .notification-list-item', { hasText: text });
  }

  async notificationText(text: string | RegExp): Promise<string> {
    const message = this.notification(text).first().locator('.notification-list-item-message');
    return (await message.innerText()).trim();
  }

  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    const notification = this.notification(text).first();
    const buttons = notification.locator('.notification-list-item-buttons-container');
    await buttons.getByRole('button', { name: button, exact: true }).click();
  }

  /** Keeps notifications of one test out of the next. */
  async clearNotifications(): Promise<void> {
    await this.runCommand('notifications.clearAll', 'Notifications: Clear All Notifications');
    await this.page.locator('.notification-toast').first().waitFor({ state: 'detached' });
  }

  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  async dialogText(): Promise<string> {
    return (await this.dialog.locator('.dialog-message-container').innerText()).trim();
  }

  async pressInDialog(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
    await this.dialog.waitFor({ state: 'detached' });
  }

  // The side bar.

  viewTab(title: string): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name: title });
  }

  async openView(title: string): Promise<void> {
    const tab = this.viewTab(title);
    // A click on the open view would close it.
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.locator('a').click();
    await this.page.locator('.part.sidebar .composite.title', { hasText: title }).waitFor();
  }

  get sideBar(): Locator {
    return this.page.locator('.part.sidebar');
  }

  /** A button in a view's title bar, which shows while the mouse is over the view. */
  async pressInViewTitle(title: string): Promise<void> {
    await this.sideBar.locator('.pane-header, .composite.title').first().hover();
    await this.sideBar.getByRole('button', { name: title }).first().click();
  }

  /** An entry behind the three dots of a view's title bar. */
  async chooseInViewMenu(title: string): Promise<void> {
    await this.pressInViewTitle('Views and More Actions...');
    await this.menuItem(title);
  }

  treeRow(label: string): Locator {
    const name = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.sideBar.locator('.monaco-list-row[role="treeitem"]', { has: name });
  }

  /** A view of the side bar with its title and buttons. */
  view(title: string): Locator {
    const header = this.page.locator('.pane-header').getByText(title, { exact: true });
    return this.sideBar.locator('.pane', { has: header });
  }

  /** A row in one of several views. */
  rowIn(view: string, label: string): Locator {
    const name = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.view(view).locator('.monaco-list-row[role="treeitem"]', { has: name });
  }

  /** What a row shows beside its label. */
  async treeDescription(label: string): Promise<string> {
    const description = this.treeRow(label).locator('.label-description');
    return (await description.count()) > 0 ? (await description.innerText()).trim() : '';
  }

  /** The labels of all rows in sight, from top to bottom. */
  async treeLabels(): Promise<string[]> {
    const rows = this.sideBar.locator('.monaco-list-row[role="treeitem"]');
    const labels = await rows.evaluateAll((all) =>
      all.map((row) => ({
        index: Number(row.dataset['index']),
        label: row.querySelector('.label-name')?.textContent ?? '',
      })),
    );
    // A list that scrolls uses its rows again, so their order in the page tells nothing.
    return labels.toSorted((a, b) => a.index - b.index).map(({ label }) => label);
  }

  /** Presses a button that a row shows while the mouse is over it. */
  async pressInTreeRow(label: string, action: string): Promise<void> {
    const row = await this.#settledRow(label);
    await row.hover();
    await row.getByRole('button', { name: action }).click();
  }

  /** Chooses in the context menu of a row. */
  async chooseInTreeRow(label: string, action: string): Promise<void> {
    const row = await this.#settledRow(label);
    await row.click({ button: 'right' });
    await this.menuItem(action);
  }

  /** Chooses in the open menu. */
  async menuItem(name: string): Promise<void> {
    const menu = this.page.locator('.monaco-menu');
    const item = menu.getByRole('menuitem', { name });
    await item.waitFor();
    // A menu ignores the mouse for its first 100 ms.
    await repeat(
      async () => {
        if ((await item.count()) > 0) await item.click();
      },
      () => menu.waitFor({ state: 'detached', timeout: 500 }),
    );
  }

  // Editors and the status bar.

  editorTab(name: string | RegExp): Locator {
    return this.page.locator('.part.editor').getByRole('tab', { name });
  }

  /** What the status bar says for a moment. */
  statusMessage(text: string): Locator {
    return this.page.locator('.part.statusbar').getByText(text, { exact: true });
  }

  /** What an item of the status bar shows while the mouse is over it. `told` stands in it. */
  async statusHover(id: string, told: string): Promise<string> {
    const hover = this.page.locator('.workbench-hover', { hasText: told });
    await repeat(
      async () => {
        // A mouse that is there already makes no hover.
        await this.page.mouse.move(0, 0);
        await this.page.locator(`[id="${id}"]`).hover();
      },
      () => hover.waitFor({ timeout: 2000 }),
    );
    return hover.innerText();
  }

  /** The tab in front. */
  frontTab(name: string | RegExp): Locator {
    return this.page.locator('.part.editor').getByRole('tab', { name, selected: true });
  }

  /** The first editor, once it shows such a text. */
  editorShowing(text: RegExp): Locator {
    const lines = this.page.locator('.part.editor .editor-instance .view-lines');
    return lines.filter({ hasText: text }).first();
  }

  /** The lines in sight of the first editor. */
  async editorText(): Promise<string> {
    const lines = this.page.locator('.part.editor .editor-instance .view-lines').first();
    return (await lines.innerText()).replaceAll('\u00a0', ' ');
  }

  /** Replaces the whole text of the first editor, and saves. */
  async writeInEditor(text: string): Promise<void> {
    await this.typeInEditor(text);
    await this.page.keyboard.press('Control+S');
  }

  /** Replaces the whole text of the first editor, which stays unsaved. The text must fit into it. */
  async typeInEditor(text: string): Promise<void> {
    const editor = this.page.locator('.part.editor .editor-instance .monaco-editor').first();
    const lines = text.split('\n');
    await repeat(
      async () => {
        await editor.locator('.native-edit-context, textarea.inputarea').first().focus();
        await this.page.keyboard.press('Control+A');
        await this.page.keyboard.insertText(text);
      },
      // A file that is just being opened takes the place of what was typed.
      async () => {
        const shown = await this.editorText();
        const missing = lines.find((line) => !shown.includes(line.trim()));
        if (missing !== undefined) throw new Error(`The editor does not show: ${missing}`);
      },
    );
  }

  /** The row, once it is the only one: while VS Code rebuilds a tree, the old row stands below the new for a moment. */
  async #settledRow(label: string): Promise<Locator> {
    const row = this.treeRow(label);
    await row.nth(1).waitFor({ state: 'detached' });
    return row;
  }

  async #untilReady(): Promise<void> {
    const statusBar = this.page.locator('.monaco-workbench .part.statusbar');
    await statusBar.waitFor({ timeout: START_LIMIT_MS });
    await this.#ready(this).first().waitFor({ timeout: START_LIMIT_MS });
  }
}
