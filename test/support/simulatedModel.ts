// A language model that answers the side questions of three months as a decent but imperfect one would. The same seed
// gives the same answers. What it does wrong on purpose is counted, so that it can be told what stopped it.

import {
  ModelError,
  type Model,
  type ModelEvent,
  type ModelRequest,
  messageText,
} from '../../src/models/model.ts';
import { seededRandom, type SeededRandom } from './seededRandom.ts';
import { consolidationAnswer } from './simulatedConsolidation.ts';
import { extractionAnswer } from './simulatedExtraction.ts';
import { recallAnswer } from './simulatedRecall.ts';
import type { Said } from './simulatedPerson.ts';

interface Fault {
  readonly kind: string;
  /** The name of the memory that it would make, by which the log tells what became of it. */
  readonly name?: string;
}

/** What the parts of the model share. */
export interface Mind {
  readonly random: SeededRandom;
  /** Notes a fault and says whether to make it: never while the model is at its best. */
  readonly errs: (probability: number) => boolean;
  readonly note: (fault: Fault) => void;
  /** It made so bad an operation of these that they cannot be saved: the person will see no notice of them. */
  readonly miss: (said: Said) => void;
  /** Another number each time, for names. */
  readonly count: () => number;
  /** One after the other, so that none is left to chance. */
  readonly inTurn: <const T>(kind: Question, ways: readonly [T, ...T[]]) => T;
}

/** How often each kind of answer cannot be used as a whole. */
const SPOILT = 0.06;
/** And how often the answer after that cannot either. */
const SPOILT_AGAIN = 0.4;

export class SimulatedModel implements Model {
  readonly id = 'simulated';
  readonly name = 'Simulated model';
  readonly limits = { input: 200_000, output: 32_000 };
  readonly structuredOutput = true;
  /** All that it did wrong, oldest first. */
  readonly faults: Fault[] = [];
  readonly missed: Said[] = [];
  /** Makes no mistakes. */
  isAtItsBest = false;
  /** Called once, while the next question of this kind is being answered. */
  meanwhile: { readonly kind: Question; readonly work: () => Promise<void> } | undefined;
  readonly asked = { extraction: 0, consolidation: 0, recall: 0 };
  readonly #mind: Mind;
  #count = 0;
  readonly #turns = { extraction: 0, consolidation: 0, recall: 0 };

  constructor(seed: number) {
    const random = seededRandom(seed);
    this.#mind = {
      random,
      errs: (probability) => random.chance(probability) && !this.isAtItsBest,
      note: (fault) => this.faults.push(fault),
      miss: (said) => this.missed.push(said),
      count: () => ++this.#count,
      inTurn: (kind, ways) => ways[this.#turns[kind]++ % ways.length] ?? ways[0],
    };
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    const kind = questionOf(request);
    this.asked[kind]++;
    if (this.meanwhile?.kind === kind) {
      const { work } = this.meanwhile;
      this.meanwhile = undefined;
      await work();
    }
    const prompt = request.messages[0] ? messageText(request.messages[0]) : '';
    const isRepair = request.messages.length > 1;
    const spoilt = this.#mind.errs(isRepair ? SPOILT_AGAIN : SPOILT)
      ? this.#spoilt(kind)
      : undefined;
    if (spoilt) {
      yield end(spoilt.text, spoilt.stopReason);
      return;
    }
    const answer = JSON.stringify(this.#answer(kind, prompt));
    yield end(this.#mind.random.chance(0.1) ? wrapped(answer) : answer);
  }

  #answer(kind: Question, prompt: string): unknown {
    switch (kind) {
      case 'extraction':
        return extractionAnswer(prompt, this.#mind);
      case 'consolidation':
        return consolidationAnswer(prompt, this.#mind);
      case 'recall':
        return recallAnswer(prompt, this.#mind);
    }
  }

  /** An answer that is none; throws for a failure of the network or a refusal. */
  #spoilt(kind: Question): { readonly text: string; readonly stopReason?: 'max_tokens' } {
    const { random, note } = this.#mind;
    const way = random.pick(['prose', 'cut', 'cut in the text', 'empty', 'network', 'refused']);
    note({ kind: `${kind}: ${way === 'cut in the text' ? 'cut' : way}` });
    switch (way) {
      case 'prose':
        return { text: 'As in [1], I would keep the first two and leave the others.' };
      case 'cut':
        return { text: '{"operations": [{"op": "add", "na', stopReason: 'max_tokens' };
      case 'cut in the text':
        return { text: '{"operations": [{"op": "add", "na' };
      case 'empty':
        return { text: '' };
      case 'network':
        throw new ModelError('network', 'The connection was cut.');
      default:
        throw new ModelError('refused', 'It would rather not.');
    }
  }
}

type Question = 'extraction' | 'consolidation' | 'recall';

/** By the shape of the answer that is asked for. */
function questionOf({ outputSchema }: ModelRequest): Question {
  const shape = JSON.stringify(outputSchema ?? {});
  if (shape.includes('"operations"')) return 'extraction';
  return shape.includes('"merge"') ? 'consolidation' : 'recall';
}

function wrapped(answer: string): string {
  return `Here is what I found, see [1]:\n\`\`\`json\n${answer}\n\`\`\`\nI hope that helps.`;
}

function end(text: string, stopReason: 'end_turn' | 'max_tokens' = 'end_turn'): ModelEvent {
  return {
    type: 'end',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    stopReason,
    usage: undefined,
  };
}
