// What a model answers when it is asked for a summary, and the stage that asks it.

import type { Stage } from '../../src/context/stage.ts';
import { summarise } from '../../src/context/stages/summarise.ts';
import type { Summary } from '../../src/context/summaryBlock.ts';
import { unreadStart } from '../../src/context/transcript.ts';
import type { Model } from '../../src/models/model.ts';
import { says } from './conversation.ts';

/** As JSON, with the parts given and no others. */
export function summaryAnswer(parts: Partial<Summary>): string {
  const nothing = { decisions: [], files: [], done: [], remaining: [], constraints: [], facts: [] };
  return JSON.stringify({ goal: 'Find the port.', ...nothing, ...parts } satisfies Summary);
}

/** Stage 5 by itself, with a model that always answers so. */
export function summariseStage(answer: string): Stage {
  return {
    name: 'summarise',
    async run(input, signal) {
      const options = { keepFrom: unreadStart(input.messages), least: 1 };
      const outcome = await summarise({ ...input, summariser: answering(answer) }, options, signal);
      return outcome.kind === 'summarised' ? outcome.result : undefined;
    },
  };
}

/** A model that gives the same answer to whatever it is asked. */
export function answering(text: string): Model {
  return {
    id: 'answering',
    name: 'Answering model',
    limits: { input: 100_000, output: 8_000 },
    structuredOutput: true,
    async *stream() {
      yield { type: 'end', message: says(text), stopReason: 'end_turn', usage: undefined };
    },
  };
}
