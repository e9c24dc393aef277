// The Chat view as a person uses it: prompts, answers, references, confirmations of tools.
// Its list is virtual: rows out of sight leave the page, so an answer is found by its index, never by counting.

import type { Locator, Page } from 'playwright-core';

import { repeat } from './repeat.ts';

/** VS Code's own choices when a tool asks: the button, or an entry of the menu beside it. */
type Consent = 'Allow Once' | 'Allow in this Session' | 'Allow in this Workspace';

export class Chat {
  readonly #page: Page;
  readonly #chooseInMenu: (item: string) => Promise<void>;

  constructor(page: Page, chooseInMenu: (item: string) => Promise<void>) {
    this.#page = page;
    this.#chooseInMenu = chooseInMenu;
  }

  get view(): Locator {
    return this.#page.locator('.part.auxiliarybar .interactive-session');
  }

  async open(): Promise<void> {
    if (!(await this.view.isVisible())) await this.#page.keyboard.press('Control+Alt+I');
    await this.view.waitFor();
  }

  /** Waits until the model stands in the input's toolbar: before that a prompt reaches no participant. */
  async untilModel(name: string): Promise<void> {
    const toolbar = this.view.locator('.chat-input-toolbars', { hasText: name });
    await toolbar.waitFor({ timeout: 60_000 });
  }

  /** Leaves the shown conversation for an empty one, unless it is empty. */
  async startNew(): Promise<void> {
    // In place of an empty one the new one comes unseen, and takes along what is sent meanwhile.
    if ((await this.#rows.count()) === 0) return;
    const title = this.#page.locator('.part.auxiliarybar .title');
    // After a reload the last conversation can come back behind the click.
    await repeat(
      async () => {
        if ((await this.#rows.count()) === 0) return;
        await title.getByRole('button', { name: /^New Chat \(/ }).click();
      },
      () => this.#rows.first().waitFor({ state: 'detached', timeout: 5000 }),
    );
  }

  /** Sends a prompt and returns its answer's row as soon as it shows. */
  async send(prompt: string): Promise<Locator> {
    await this.type(prompt);
    return this.#answerTo(async () => {
      // Enter would accept a suggestion that is still open.
      await this.#page.keyboard.press('Escape');
      await this.#page.keyboard.press('Enter');
    });
  }

  /** Rewrites an earlier request, 0 being the first, and sends it again; what came after it goes. */
  async rewrite(number: number, prompt: string): Promise<void> {
    const request = this.#rows.and(this.#page.locator(`.request[data-index="${2 * number}"]`));
    const editor = request.locator('.interactive-input-editor .monaco-editor');
    await repeat(
      async () => {
        await request.locator('.chat-markdown-part').focus({ timeout: 1000 });
        await this.#page.keyboard.press('Enter');
      },
      () => editor.waitFor({ timeout: 1000 }),
    );
    await this.#write(editor, prompt);
    // Without the Escape of `send`, which would end the editing.
    await this.#page.keyboard.press('Enter');
    await editor.waitFor({ state: 'detached' });
  }

  /** Has the last request answered once more. */
  async retry(): Promise<void> {
    await this.lastAnswer.hover();
    await this.lastAnswer.getByRole('button', { name: 'Retry' }).click();
  }

  /** Sends a prompt and returns the text of its finished answer. */
  async ask(prompt: string): Promise<string> {
    return this.answerText(await this.send(prompt));
  }

  /** Replaces what stands in the input. */
  async type(text: string): Promise<void> {
    await this.#write(this.view.locator('.interactive-input-editor .monaco-editor').first(), text);
  }

  /** Waits until this is what stands in the input. */
  async untilTyped(text: string): Promise<void> {
    const lines = this.view.locator('.interactive-input-editor .view-lines').first();
    await lines.filter({ hasText: text.replaceAll(' ', '\u00a0') }).waitFor();
  }

  async followUp(label: string): Promise<Locator> {
    const button = this.view.locator('.interactive-followup-reply', { hasText: label });
    return this.#answerTo(() => button.click());
  }

  get lastAnswer(): Locator {
    return this.view.locator(
      '.monaco-list-rows > .monaco-list-row.response[data-last-element="true"]',
    );
  }

  async untilDone(answer: Locator): Promise<void> {
    const limit = { timeout: 60_000 };
    const footer = answer.locator('.chat-footer-details[aria-label^="Completed"]');
    await footer.waitFor({ ...limit, state: 'attached' });
    await answer.locator('.chat-response-loading').waitFor({ ...limit, state: 'detached' });
  }

  /** The text in sight of a finished answer. VS Code folds earlier steps into "Completed N steps". */
  async answerText(answer: Locator): Promise<string> {
    await this.untilDone(answer);
    return (await answer.locator('.value').innerText()).trim();
  }

  /** The whole finished answer as Markdown, folded parts included. */
  async answerMarkdown(answer: Locator): Promise<string> {
    await this.untilDone(answer);
    const label = (await answer.getAttribute('aria-label')) ?? '';
    return label.replace(/ Inspect this in the accessible view with .*$/, '');
  }

  /** The names under "Used N references" of a finished answer. */
  async references(answer: Locator): Promise<string[]> {
    const button = answer.getByRole('button', { name: /references?$/ });
    const folded = answer.locator('summary.completed-response-summary');
    const rows = answer.locator('.chat-used-context-list .monaco-list-row');
    // A finished answer folds its steps a moment later.
    await repeat(
      async () => {
        if (!(await button.isVisible())) await folded.click({ timeout: 1000 });
        if (!(await rows.first().isVisible())) await button.click({ timeout: 1000 });
      },
      () => rows.first().waitFor({ timeout: 1000 }),
    );
    return rows.locator('.label-name').allInnerTexts();
  }

  /** The box in which an answer tells of its failure. */
  errorIn(answer: Locator): Locator {
    return answer.locator('.chat-notification-widget');
  }

  async press(button: string): Promise<void> {
    const buttons = this.lastAnswer.locator('.chat-command-button');
    await buttons.getByRole('button', { name: button }).click();
  }

  get stopButton(): Locator {
    return this.view.locator('.codicon-stop-circle');
  }

  /** Stops the running answer. */
  async stop(): Promise<void> {
    await this.stopButton.click();
    await this.stopButton.waitFor({ state: 'hidden' });
  }

  /** The card above the input in which a tool asks before it runs. */
  get confirmation(): Locator {
    return this.view.locator('.chat-tool-confirmation-carousel', {
      has: this.#page.locator('.chat-confirmation-widget-buttons'),
    });
  }

  async confirmationTitle(): Promise<string> {
    return (await this.confirmation.locator('.chat-confirmation-widget-title').innerText()).trim();
  }

  async allowTool(consent: Consent): Promise<void> {
    await this.confirmation.waitFor();
    const button = this.#confirmationButton(consent);
    if (await button.isVisible()) {
      await button.click();
    } else {
      await this.confirmation.getByRole('button', { name: 'More Actions' }).click();
      await this.#chooseInMenu(consent);
    }
  }

  /** Declines: the tool is not run, and the model is told. */
  async skipTool(): Promise<void> {
    await this.#confirmationButton('Skip').click();
  }

  /** By the text that a person reads: the accessible names are sentences. */
  #confirmationButton(text: string): Locator {
    const buttons = this.confirmation.locator('.chat-confirmation-widget-buttons');
    return buttons.locator('.monaco-text-button', { hasText: new RegExp(`^${text}$`) });
  }

  /** `.monaco-list-rows >` leaves out the copy of the request that sticks to the top. */
  get #rows(): Locator {
    return this.view.locator('.interactive-list .monaco-list-rows > .monaco-list-row');
  }

  /** Replaces what stands in an editor of the chat. */
  async #write(editor: Locator, text: string): Promise<void> {
    // An editor that opens meanwhile takes the keys; lines may wrap, hence no spaces.
    const written = async () => {
      const shown = await editor.locator('.view-lines').innerText();
      if (shown.replaceAll(/\s/gu, '') !== text.replaceAll(/\s/gu, '')) {
        throw new Error(`The chat input holds: ${shown}`);
      }
    };
    await repeat(async () => {
      // Focus, not a click: a notification may lie over the input.
      await editor.locator('.native-edit-context, textarea.inputarea').first().focus();
      // The participant stands there again after an answer.
      await this.#page.keyboard.press('Control+A');
      await this.#page.keyboard.press('Delete');
      await this.#page.keyboard.insertText(text);
    }, written);
  }

  /** Requests have even indices, their answers the odd ones. */
  async #answerTo(act: () => Promise<void>): Promise<Locator> {
    const indices = await this.#rows.evaluateAll((rows) =>
      rows.map((row) => Number(row.dataset['index'])),
    );
    const next = Math.max(-1, ...indices) + 2;
    const answer = this.view.locator(
      `.monaco-list-rows > .monaco-list-row.response[data-index="${next}"]`,
    );
    await act();
    await answer.waitFor();
    return answer;
  }
}
