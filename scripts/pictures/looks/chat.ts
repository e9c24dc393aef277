// The chat: what it says of itself, what was recalled and saved, what a person is asked, what failed.

import { changeSettings } from '../../../test/e2e/changeSettings.ts';
import { STORY_PROMPTS } from '../../../test/support/story.ts';
import { movePointerAway } from '../pictureWindow.ts';
import { SECRET } from '../samples.ts';
import { leave, openMemories, STATUS_ITEM, type Surface } from './look.ts';

export const lookAtChat: Surface = async ({ window, workspace, api }, { look, text }) => {
  const { chat, page, quickInput } = window;
  await openMemories(window, 'indentation');
  await chat.open();
  await chat.untilModel('Claude');
  const answer = async (name: string, prompt: string): Promise<void> => {
    await chat.ask(prompt);
    await movePointerAway(window);
    await look(name);
  };
  await answer('welcome', '@memory');
  await chat.startNew();
  await answer('help', '@memory /help');
  await chat.startNew();
  await chat.ask(`@memory ${STORY_PROMPTS[3]}`);
  await window.notification('single-quotes').first().waitFor();
  await movePointerAway(window);
  await look('notice');
  await window.statusHover(STATUS_ITEM, text('Open Settings'));
  await look('status-hover');
  await window.clearNotifications();
  await chat.lastAnswer.locator('a', { hasText: 'token' }).first().click();
  await quickInput.getByRole('option').first().waitFor();
  await movePointerAway(window);
  await look('receipt');
  await leave(window);
  await answer('forget', '@memory /forget tabs');
  await answer('secret', `@memory /remember The key of staging is ${SECRET}`);
  await answer('recall', '@memory /recall');

  await chat.startNew();
  const error = (status: number, type: string) => ({ status, error: { type, message: 'No.' } });
  // The first is the question which memories fit.
  api.push(error(401, 'authentication_error'), error(401, 'authentication_error'));
  await answer('key-refused', '@memory Which database do we use?');
  api.push(error(404, 'not_found_error'), error(404, 'not_found_error'));
  await answer('no-model', '@memory Which database do we use?');

  await chat.startNew();
  const save = await chat.send('@other memorySave Prefers tabs over spaces');
  await chat.confirmation.waitFor();
  await movePointerAway(window);
  await look('other-agent-saves');
  await chat.skipTool();
  await chat.untilDone(save);
  await changeSettings(window, workspace, { 'memoryAgent.recall': 'review' });
  const recall = await chat.send('@other memoryRecall tabs or spaces');
  await chat.confirmation.waitFor();
  await movePointerAway(window);
  await look('other-agent-recalls');
  await chat.skipTool();
  await chat.untilDone(recall);
  await chat.startNew();
  await chat.send('@memory Which style guide do we have, tabs or spaces?');
  await quickInput.getByText(text('Memories to send with this request')).waitFor();
  await look('recall-review');
  await leave(window);
  await page.keyboard.press('Escape');
};
