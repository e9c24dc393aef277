// Lists to pick from, and reports: consolidation, import, what was deleted, export, the health check.

import fs from 'node:fs';
import path from 'node:path';

import { text as say } from '../../../test/support/messageEvents.ts';
import { movePointerAway } from '../pictureWindow.ts';
import { CONSOLIDATED, DAMAGED, FAULTY } from '../samples.ts';
import { leave, openMemories, run, STATUS_ITEM, type Surface } from './look.ts';

export const lookAtPicks: Surface = async ({ window, workspace, api }, looking) => {
  const { look, text } = looking;
  const { page, quickInput } = window;
  const options = quickInput.getByRole('option');
  await openMemories(window, 'indentation');
  api.push({ blocks: [say(JSON.stringify(CONSOLIDATED))] });
  await run(window, 'consolidate', looking);
  await quickInput.locator('.quick-input-list-entry', { hasText: 'old-host' }).first().waitFor();
  await look('consolidation');
  await quickInput.locator('.quick-input-list-entry').first().hover();
  await quickInput
    .getByRole('button', { name: text('Show Difference') })
    .first()
    .click();
  await quickInput.getByText(text('Back to All Changes')).waitFor();
  await movePointerAway(window);
  await look('consolidation-difference');
  await page.keyboard.press('Enter');
  await window.acceptPicked();
  await window.notification('indentation').first().waitFor();
  await look('consolidated');
  await window.pressInNotification('indentation', text('Review'));
  await options.nth(1).waitFor();
  await look('changes');
  await leave(window);
  await window.clearNotifications();

  await run(window, 'importMemories', looking);
  await quickInput.getByText(text('Cursor rules')).first().waitFor();
  await look('import-sources');
  await window.pick(text('Cursor rules'));
  await quickInput.getByText('returns').first().waitFor();
  await look('import');
  await leave(window);
  await run(window, 'exportMemories', looking);
  await options.nth(1).waitFor();
  await look('export');
  await leave(window);

  await run(window, 'restoreMemory', looking);
  await options.nth(1).waitFor();
  await look('restore');
  await leave(window);
  await run(window, 'deleteMemory', looking);
  await options.nth(3).waitFor();
  await look('delete-which');
  await leave(window);
  await run(window, 'emptyTrash', looking);
  await window.dialog.waitFor();
  await look('empty-trash');
  await leave(window);

  fs.writeFileSync(path.join(workspace, '.memory', 'broken.md'), DAMAGED);
  fs.writeFileSync(path.join(workspace, '.memory', 'faulty.md'), FAULTY);
  await window.treeRow('broken.md').waitFor();
  await run(window, 'healthCheck', looking);
  const report = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await report.getByRole('heading').first().waitFor();
  await movePointerAway(window);
  await look('health');
  await window.statusHover(STATUS_ITEM, text('Open Settings'));
  await look('status-hover');
};
