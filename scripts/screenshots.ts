// Takes the pictures of the README from the running product, into media/readme: `npm run screenshots`.
// With a folder as argument it also takes every other surface there, light and dark, for a person to look at.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { silentLog } from '../src/base/log.ts';
import type { NewProposal } from '../src/memory/review/proposals.ts';
import { MemoryStore } from '../src/memory/store.ts';
import { startSession } from '../test/e2e/session.ts';
import type { Workbench } from '../test/e2e/workbench.ts';
import { startFakeMessagesApi, type FakeMessagesApi } from '../test/support/fakeMessagesApi.ts';
import { text as say, toolUse } from '../test/support/messageEvents.ts';
import { STORY_PROMPTS, storyResponder } from '../test/support/story.ts';
import { ROOT } from './places.ts';

const README = path.join(ROOT, 'media', 'readme');
const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
} as const;
type Theme = keyof typeof THEMES;

const LONG_AND_CHINESE = {
  'indentation-and-quotes-in-all-languages-that-this-project-uses.md':
    '---\nname: indentation-and-quotes-in-all-languages-that-this-project-uses\ndescription: Tabs in Python and Go, two spaces in YAML and JSON, single quotes wherever the language leaves the choice\ntype: feedback\n---\n\nAsked for on several occasions.\n',
  '部署时间与发布流程.md':
    '---\nname: 部署时间与发布流程\ndescription: 每周五中午发布，发布前必须先在预发环境跑完整套测试，并通知值班同事\ntype: project\n---\n\n发布由值班同事执行。\n',
  'broken.md': '---\nname: [unclosed\n---\n',
};

const PROPOSED: readonly NewProposal[] = [
  {
    kind: 'add',
    fields: {
      name: 'release-day',
      description: 'Releases go out on Friday at noon',
      type: 'project',
      body: 'Releases go out on Friday at noon, after the tests have passed on staging.',
    },
    quote: 'According to docs/release.md releases go out on Friday at noon.',
    from: 'assistant',
  },
  {
    kind: 'add',
    fields: {
      name: 'error-dashboard',
      description: 'Errors of the web shop are counted on a dashboard',
      type: 'reference',
      body: 'Errors of the web shop are counted on the dashboard “shop-errors”.',
    },
    quote: 'Errors are counted on the dashboard shop-errors.',
    from: 'pasted',
  },
];

const SERVER = '[server]\nhost = localhost\nport = 8080\ntimeout = 30\n';

const [looks] = process.argv.slice(2);
fs.mkdirSync(README, { recursive: true });
for (const theme of looks === undefined ? (['light'] as const) : (Object.keys(THEMES) as Theme[])) {
  await take(theme);
}

async function take(theme: Theme): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-pictures-'));
  // The name stands in the window's title.
  const workspace = path.join(home, 'sample');
  fs.mkdirSync(workspace);
  const api = await startFakeMessagesApi({ respond: storyResponder });
  const session = await startSession({
    env: { ANTHROPIC_API_KEY: 'none-needed', ANTHROPIC_BASE_URL: api.url },
    settings: { 'workbench.colorTheme': THEMES[theme] },
  });
  try {
    const window = await session.openWindow(workspace);
    const picture: Picture = async (name, forReadme) => {
      if (name !== 'review') {
        // The pointer would leave a hover in the picture.
        await window.page.mouse.move(700, 400);
        await window.page.locator('.workbench-hover').first().waitFor({ state: 'hidden' });
      }
      if (theme === 'light' && forReadme === 'README') {
        await window.screenshot(path.join(README, `${name}.png`));
      }
      if (looks !== undefined) {
        fs.mkdirSync(looks, { recursive: true });
        await window.screenshot(path.join(looks, `${name}-${theme}.png`));
      }
    };
    await tellStory(window, workspace, picture);
    await window.clearNotifications();
    await window.chat.startNew();
    await showWork(window, { workspace, api }, picture);
    await showOddMemories(window, workspace, picture);
  } finally {
    await session.stop();
    await api.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

type Picture = (name: string, forReadme?: 'README') => Promise<void>;

async function tellStory(window: Workbench, workspace: string, picture: Picture): Promise<void> {
  const [preferTabs, createFile, whatDidISay] = STORY_PROMPTS;
  await window.openView('Memory Agent');
  await window.chat.open();
  await window.chat.untilModel('Claude');
  await picture('empty');

  await window.chat.ask(`@memory ${preferTabs}`);
  await window.notification('user-preference-tabs').first().waitFor();
  await window.treeRow('user-preference-tabs').waitFor();
  await picture('remember', 'README');
  await window.pressInNotification('user-preference-tabs', 'Open');
  await window.editorTab('user-preference-tabs.md').waitFor();

  await window.chat.startNew();
  const created = await window.chat.send(`@memory ${createFile}`);
  await window.chat.confirmation.waitFor();
  await picture('confirm', 'README');
  await window.chat.allowTool('Allow Once');
  await window.chat.untilDone(created);
  await window.chat.references(created);
  await picture('created');
  await window.chat.ask(`@memory ${whatDidISay}`);
  await window.chat.ask('@memory /recall tabs');
  await picture('answers');
  await window.chat.ask('@memory /context');
  await picture('context', 'README');

  const store = new MemoryStore({ folder: path.join(workspace, '.memory'), log: silentLog });
  await store.proposals.add(PROPOSED);
  await window.treeRow('release-day').waitFor();
  await window.treeRow('release-day').hover();
  await window.page.locator('.workbench-hover').getByText('Friday').first().waitFor();
  await picture('review', 'README');
}

async function showOddMemories(
  window: Workbench,
  workspace: string,
  picture: Picture,
): Promise<void> {
  for (const [name, text] of Object.entries(LONG_AND_CHINESE)) {
    fs.writeFileSync(path.join(workspace, '.memory', name), text);
  }
  await window.treeRow('部署时间与发布流程').waitFor();
  await picture('long-and-chinese');
  await window.chat.ask('@memory /forget 发布');
  await picture('forget');
  await window.chat.press('Delete');
  await window.dialog.waitFor();
  await picture('delete');
  await window.pressInDialog('Delete');
  await window.notification('部署时间与发布流程').first().waitFor();
  await picture('deleted');
}

async function showWork(
  window: Workbench,
  { workspace, api }: { readonly workspace: string; readonly api: FakeMessagesApi },
  picture: Picture,
): Promise<void> {
  fs.writeFileSync(path.join(workspace, 'server.ini'), SERVER);
  const todos = (...statuses: readonly string[]) => ({
    todos: [
      'Find where the port is set',
      'Change it to 9090',
      'Name the new port in the documents',
    ].map((content, index) => ({ content, status: statuses[index] })),
  });
  const edit = { path: 'server.ini', old_text: 'port = 8080', new_text: 'port = 9090' };
  api.push(
    { blocks: [toolUse('toolu_1', 'todo_write', todos('in_progress', 'pending', 'pending'))] },
    {
      blocks: [toolUse('toolu_2', 'task', { title: 'Find the port', prompt: 'Where is it set?' })],
    },
    { blocks: [toolUse('toolu_3', 'grep', { pattern: 'port' })] },
    { blocks: [say('It is set in server.ini, line 3.')] },
    { blocks: [toolUse('toolu_4', 'read_file', { path: 'server.ini' })] },
    { blocks: [say('The port is set in one place.'), toolUse('toolu_5', 'edit_file', edit)] },
  );
  const answer = await window.chat.send('@memory listen on port 9090');
  await window.chat.confirmation.waitFor();
  await picture('edit', 'README');
  api.push(
    { blocks: [toolUse('toolu_6', 'todo_write', todos('completed', 'completed', 'in_progress'))] },
    { blocks: [say('The port is 9090 now. The documents are next.')] },
    { blocks: [say('{"operations":[]}')] },
  );
  await window.chat.allowTool('Allow Once');
  await window.chat.untilDone(answer);
  await picture('checklist', 'README');
  await answer.locator('summary.completed-response-summary').click();
  await picture('steps');

  api.push({ blocks: [], stop: 'refusal' });
  await window.chat.untilDone(await window.chat.send('@memory do what must not be done'));
  await picture('refused');
}
