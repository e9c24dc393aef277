import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Locator } from 'playwright-core';

import { TeachableModel } from '../support/teachableModel.ts';
import { repeat } from './repeat.ts';
import { useWindow } from './useWindow.ts';
import type { Workbench } from './workbench.ts';

/** From pieces, so that no scanner takes this file for a leak. */
const SECRET = ['sk', 'ant', 'api03', 'Zq7w9Xk2Lm4Np8Rt6Vy1'].join('-');
const STATUS_ITEM = 'memory-agent.memory-agent.memoryAgent.status';

const DEPLOYS = '---\nname: 发布日\ndescription: 每周四发布\ntype: project\n---\n\n每周四发布。\n';

/** What a Chinese developer writes in Latin letters too. */
const NAMES = [
  /@memory|Memory Agent|VS Code|Claude|Haiku|Sonnet|Opus|Anthropic|Markdown|Ingest/g,
  /Ctrl|Enter|Escape|Shell|Windows|token/gi,
  /\b(user|feedback|project|reference)(?![a-z])/g,
  // Commands of the chat, settings, files, addresses.
  /\/\w+|memoryAgent\.[\w.]+|\.(memory|trash)\b|\b\w+\.md\b|https?:\/\//g,
];
/** VS Code's own, which stays English where its language pack is missing. */
const OF_VSCODE =
  /\(Press 'Enter' to confirm or 'Escape' to cancel\)|\d+ Results|Collapse All|Views and More Actions|Completed \d+ steps/g;

/** The window of a person whose VS Code is in Chinese. */
describe('a person who reads Chinese', () => {
  const model = new TeachableModel();
  const used = useWindow({
    api: { respond: model.respond },
    environmentKey: 'any-key',
    language: 'zh-cn',
    chatModel: 'Claude',
  });
  const { workspace } = used;
  const memory = path.join(workspace, '.memory');
  let window: Workbench;
  before(async () => {
    ({ window } = used);
    await window.openView('Memory Agent');
  });

  it('reads Chinese where nothing is remembered yet', async () => {
    await assertChinese(window.sideBar.locator('.welcome-view-content'));
    await assertChineseLabels(window.sideBar.locator('.composite.title .action-label'));
  });

  it('makes a memory, and is told that it holds a secret', async () => {
    await window.runCommand('memoryAgent.newMemory', '记忆: 新建');
    await window.quickInput.getByRole('option').nth(3).waitFor();
    await assertChinese(window.quickInput);
    await window.pick('user');
    const input = window.quickInput.locator('.quick-input-box input');
    await window.quickInput.getByText('详细内容').waitFor();
    await assertChinese(window.quickInput);
    await input.fill(SECRET);
    await window.quickInput.getByText('敏感信息').waitFor();
    await assertChinese(window.quickInput);
    await window.answer('我喜欢空行');
    await window.treeRow('我喜欢空行').waitFor();
  });

  it('reads the rows of the tree, what they tell on hover, and what can be done with them', async () => {
    fs.writeFileSync(path.join(memory, '发布日.md'), DEPLOYS);
    fs.writeFileSync(path.join(memory, 'broken.md'), '没有开头。\n');
    await window.treeRow('broken.md').waitFor();
    await window.treeRow('发布日').waitFor();
    const rows = window.sideBar.locator('.monaco-list-row[role="treeitem"]');
    await assertChineseLabels(rows);
    for (const row of await rows.all()) await assertChinese(row, 'mayBeNames');
    await window.treeRow('broken.md').hover();
    await assertChinese(window.page.locator('.workbench-hover', { hasText: 'broken.md' }));
    await window.treeRow('发布日').click({ button: 'right' });
    await assertChinese(window.page.locator('.monaco-menu'));
    await window.page.keyboard.press('Escape');
    await window.page.locator('.monaco-menu').waitFor({ state: 'detached' });
  });

  it('deletes a memory, and takes it back', async () => {
    await window.pressInTreeRow('发布日', '删除');
    await assertChinese(window.dialog.locator('.dialog-message-container'));
    await window.pressInDialog('删除');
    await assertChineseNotice('发布日');
    await window.runCommand('memoryAgent.undoLastChange', '记忆: 撤销上次更改');
    await window.treeRow('发布日').waitFor();
    await assertChineseNotice('已恢复');
  });

  it('reads why a command failed', async () => {
    await window.clearNotifications();
    const trash = path.join(memory, '.trash');
    fs.renameSync(trash, `${trash}-away`);
    fs.writeFileSync(trash, '');
    await window.pressInTreeRow('发布日', '删除');
    await window.pressInDialog('删除');
    await assertChineseNotice('未能删除记忆');
    fs.rmSync(trash);
    fs.renameSync(`${trash}-away`, trash);
    await window.clearNotifications();
  });

  it('reads what the commands of the chat answer', async () => {
    for (const prompt of ['/help', `/remember ${SECRET}`, '/recall', '/forget 发布', '/context']) {
      await window.chat.ask(`@memory ${prompt}`);
      await assertChinese(window.chat.lastAnswer.locator('.value'));
    }
  });

  it('is told of what was recalled and saved, and finds what waits for review', async () => {
    const words = '我总是先写测试';
    const told = '我们周一开会';
    model.teach({ quote: words, name: '先写测试' });
    model.teach({ quote: told, name: '开会', type: 'project', from: 'assistant' });
    model.reply({ blocks: [{ type: 'text', text: told }] });
    await window.chat.ask(`@memory ${words}。什么时候发布？`);
    await assertChinese(window.chat.lastAnswer.locator('.value'));
    await assertChineseNotice('先写测试');
    await window.rowIn('待审阅', '开会').hover();
    await assertChinese(window.page.locator('.workbench-hover', { hasText: told }));
  });

  it('reads the status bar, the settings and the walkthrough', async () => {
    await window.runCommand('memoryAgent.getStarted', '记忆: 快速入门');
    const steps = window.page.locator('.gettingStartedContainer .getting-started-step');
    await steps.first().waitFor();
    // But for the chosen one they are folded.
    for (const text of await steps.allTextContents()) assertNoEnglish(text);
    const settings = window.page.locator('.settings-editor .setting-item-description');
    const hover = window.page.locator('.workbench-hover', { hasText: '此工作区' });
    await repeat(
      async () => {
        assertNoEnglish(await window.statusHover(STATUS_ITEM, '此工作区'));
        await hover.getByText('打开设置', { exact: true }).click({ timeout: 2000 });
      },
      () => settings.first().waitFor({ timeout: 5000 }),
    );
    for (const setting of await settings.all()) await assertChinese(setting);
  });

  /** Once it is there. Its hint, such as in an input, is read with it. */
  async function assertChinese(
    shown: Locator,
    what: 'words' | 'mayBeNames' = 'words',
  ): Promise<void> {
    const code = await shown.locator('code').allInnerTexts();
    const text = code.reduce((left, one) => left.replace(one, ' '), await shown.innerText());
    const hints = await shown
      .locator('input[placeholder]')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('placeholder') ?? ''));
    assertNoEnglish([text, ...hints].join('\n'));
    if (what === 'words') assert.match(text, /\p{Script=Han}/u);
  }

  async function assertChineseLabels(shown: Locator): Promise<void> {
    const labels = await shown.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? ''),
    );
    assert.ok(labels.length > 0);
    assertNoEnglish(labels.join('\n'));
  }

  async function assertChineseNotice(told: string): Promise<void> {
    const notice = window.notification(told).first();
    await assertChinese(notice.locator('.notification-list-item-message'));
    assertNoEnglish((await notice.locator('.monaco-text-button').allInnerTexts()).join('\n'));
  }
});

function assertNoEnglish(text: string): void {
  const ours = [OF_VSCODE, ...NAMES].reduce((left, known) => left.replace(known, ' '), text);
  const words = ours.match(/\p{Script=Latin}{4,}/gu);
  assert.deepEqual(words ?? [], [], text);
}
