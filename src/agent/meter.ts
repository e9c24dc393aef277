// Counts what the requests of a turn take, over all models that it asks. Where a model hides its usage it is
// estimated, from what was sent and what came.

import { measure, measureMessage, measureTools } from '../context/measure.ts';
import {
  ModelError,
  type AssistantMessage,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Usage,
} from '../models/model.ts';
import type { CountedRequest } from '../models/prices.ts';
import { estimateTokens } from '../models/tokens.ts';

export interface Meter {
  /** The same model, with its answers counted. */
  counting(model: Model): Model;
  /** A copy of what was counted up to now. */
  reading(): MeterReading;
}

export interface MeterReading {
  readonly requests: readonly CountedRequest[];
  /** Replies that broke off after their first words: nobody tells all that they took. */
  readonly brokenOff: number;
}

export function createMeter(): Meter {
  const requests: CountedRequest[] = [];
  let brokenOff = 0;

  async function* counted(
    model: Model,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    let state: 'silent' | 'begun' | 'ended' = 'silent';
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'end') {
          state = 'ended';
          const usage = event.usage ?? estimatedUsage(request, event.message);
          requests.push({ model: model.id, usage, estimated: event.usage === undefined });
        } else if (event.type !== 'retrying') {
          state = 'begun';
        }
        yield event;
      }
    } catch (error) {
      if (error instanceof ModelError && error.usage) {
        // The output of all others is told at their end, to which they did not come.
        if (error.kind === 'refused' || error.kind === 'overflow') state = 'ended';
        requests.push({ model: model.id, usage: error.usage, estimated: false });
      }
      throw error;
    } finally {
      if (state === 'begun') brokenOff++;
    }
  }

  return {
    counting: (model) => ({
      ...model,
      stream: (request, signal) => counted(model, request, signal),
    }),
    reading: () => ({ requests: [...requests], brokenOff }),
  };
}

function estimatedUsage(request: ModelRequest, reply: AssistantMessage): Usage {
  const { system, tools, messages } = request;
  const input = estimateTokens(system) + measureTools(tools) + measure(messages);
  return { input, output: measureMessage(reply), cacheRead: 0, cacheWrite: 0 };
}
