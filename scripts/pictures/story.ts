// The pictures of the README: what is said in it, done in a window. The other pictures on the way are for a look.

import fs from 'node:fs';
import path from 'node:path';

import { silentLog } from '../../src/base/log.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import type { Workbench } from '../../test/e2e/workbench.ts';
import type { FakeMessagesApi } from '../../test/support/fakeMessagesApi.ts';
import { text as say, toolUse } from '../../test/support/messageEvents.ts';
import { STORY_PROMPTS } from '../../test/support/story.ts';
import { ROOT } from '../places.ts';
import { inPictureWindow, movePointerAway, type Theme } from './pictureWindow.ts';
import { fillWithOdd, PROPOSED } from './samples.ts';

const README = path.join(ROOT, 'media', 'readme');
const SERVER = '[server]\nhost = localhost\nport = 8080\ntimeout = 30\n';

/** `looks` is the folder for all of them. */
export async function takeStory(theme: Theme, looks: string | undefined): Promise<void> {
  await inPictureWindow({ theme }, async ({ window, workspace, api }) => {
    const picture: Picture = async (name, forReadme) => {
      if (name !== 'review') await movePointerAway(window);
      if (theme === 'light' && forReadme === 'README')
        await window.screenshot(path.join(README, `${name}.png`));
      if (looks !== undefined) await window.screenshot(path.join(looks, `${name}-${theme}.png`));
    };
    await tellStory(window, workspace, picture);
    await window.clearNotifications();
    await window.chat.startNew();
    await showWork(window, { workspace, api }, picture);
    await showOddMemories(window, workspace, picture);
  });
}

type Picture = (name: string, forReadme?: 'README') => Promise<void>;

async function tellStory(window: Workbench, workspace: string, picture: Picture): Promise<void> {
  const [preferTabs, createFile, whatDidISay] = STORY_PROMPTS;
  await window.openView('Memory Agent');
  await window.sideBar.getByText('Nothing is remembered').waitFor();
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
  await fillWithOdd(workspace);
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
