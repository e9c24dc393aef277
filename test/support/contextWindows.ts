// A context window over a real archive for tests of the loop. Without a summariser of its own no summary comes
// about, so that only what needs no model is compacted.

import { ContextWindow, type ContextWindowOptions } from '../../src/agent/contextWindow.ts';
import { silentLog } from '../../src/base/log.ts';
import { Archive } from '../../src/context/archive.ts';
import { Compactor } from '../../src/context/compactor.ts';
import { ModelError, type Model } from '../../src/models/model.ts';

type Given = Pick<ContextWindowOptions, 'turn' | 'model' | 'tools'>;

/** The default of the settings: nothing is set. */
export const UNSET = { maxTokens: 0, maxMessages: 0 };

export function contextWindowOf(
  folder: string,
  options: Given & Partial<ContextWindowOptions>,
): ContextWindow {
  return new ContextWindow({
    systemPrompt: async () => 'system',
    compactor: new Compactor({ log: silentLog }),
    settings: UNSET,
    archive: new Archive({ root: folder, pointers: 'relative' }),
    summariser: failingModel(),
    beforeLeaving: async () => undefined,
    emit: () => undefined,
    log: silentLog,
    now: () => new Date('2026-03-04T05:06:07Z'),
    ...options,
  });
}

/** Fails whatever it is asked. */
export function failingModel(): Model {
  return {
    id: 'failing',
    name: 'Failing model',
    limits: { input: 200_000, output: 32_000 },
    structuredOutput: true,
    // oxlint-disable-next-line require-yield -- it never comes to that.
    async *stream() {
      throw new ModelError('other', 'This model always fails.');
    },
  };
}
