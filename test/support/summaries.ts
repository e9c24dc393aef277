// What a model answers when it is asked for a summary.

import type { Summary } from '../../src/context/summaryBlock.ts';

/** As JSON, with the parts given and no others. */
export function summaryAnswer(parts: Partial<Summary>): string {
  const nothing = { decisions: [], files: [], done: [], remaining: [], constraints: [], facts: [] };
  return JSON.stringify({ goal: 'Find the port.', ...nothing, ...parts } satisfies Summary);
}
