import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { text } from '../support/messageEvents.ts';
import { untilChatIsKept, workspaceStorage } from './keptChats.ts';
import { until } from './until.ts';
import { useWindow } from './useWindow.ts';

const GARBAGE = 'This is no database. '.repeat(2_000);

describe('a damaged file of conversations', () => {
  const used = useWindow({
    environmentKey: 'any-key',
    settings: { 'memoryAgent.extraction': 'off', 'memoryAgent.recall': 'off' },
    chatModel: 'Claude Auto',
  });

  it('is kept aside with one warning, and the chat goes on from what it shows', async () => {
    const { api, window, home } = used;
    api.push({ blocks: [text('The port is 8081.')] });
    await window.chat.ask('@memory which port?');
    await untilChatIsKept(window.page, home, ['The port is 8081.', 'turnId']);
    const folder = path.join(workspaceStorage(home), 'memory-agent.memory-agent');
    const database = path.join(folder, 'sessions.db');
    const address = window.page.url();
    await window.page.goto('about:blank');
    // It goes with the last who uses the database.
    await until(() => !fs.existsSync(`${database}-wal`) || undefined);
    fs.writeFileSync(database, GARBAGE);

    await window.open(address);
    await window.chat.view.waitFor();
    await window.chat.untilModel('Claude Auto');
    api.push({ blocks: [text('Yes, 8081.')] }, { blocks: [text('Further on.')] });
    const answer = await window.chat.ask('@memory are you sure?');
    assert.match(answer, /Yes, 8081\./);
    const aside = fs.readdirSync(folder).filter((name) => name.startsWith('sessions.db.'));
    assert.equal(aside.length, 1);
    assert.equal(fs.readFileSync(path.join(folder, aside[0] ?? ''), 'utf8'), GARBAGE);

    assert.match(await window.chat.ask('@memory go on'), /Further on\./);
    const last = JSON.stringify(api.messageRequests.at(-1)?.body.messages);
    assert.match(last, /are you sure\?.*Yes, 8081\..*go on/);
    await window.runCommand('notifications.showList', 'Notifications: Show Notifications');
    // It came when the window opened, and may have gone from sight since.
    const warnings = window.keptNotification('The file with your @memory chats is damaged');
    await warnings.first().waitFor();
    assert.equal(await warnings.count(), 1);
  });
});
