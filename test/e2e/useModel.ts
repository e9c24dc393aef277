// For a `describe`: one window with the model under test, and a new chat for each test.

import type { ModelUnderTest } from './modelUnderTest.ts';
import { useWindow, type UsedWindow } from './useWindow.ts';

/** Few, so that a test comes to the limit, but more than a reply that is cut takes. */
export const MAX_ROUNDS = 5;

export function useModel({ chatModel, window }: ModelUnderTest): UsedWindow {
  const used = useWindow({
    ...window,
    chatModel,
    link: [...(window.link ?? []), 'test/e2e/fixtures/joint-reads'],
    settings: { 'memoryAgent.extraction': 'off', 'memoryAgent.maxRounds': MAX_ROUNDS },
  });
  beforeEach(async () => {
    used.api.clear();
    await used.window.chat.startNew();
  });
  return used;
}
