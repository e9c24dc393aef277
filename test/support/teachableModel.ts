// A model for tests of what is remembered. It offers each of its lessons whenever the words for it are among those that
// it is to look at, however often, so that what comes of that is the extension's doing. Else it is of few words.

import type { RequestBody, Step } from './fakeMessagesApi.ts';
import { text } from './messageEvents.ts';
import { readRequest, wordsToLookAt } from './storyRequest.ts';

/** What the model makes of some words. */
interface Lesson {
  readonly quote: string;
  readonly name: string;
  /** The quote when left out. */
  readonly description?: string;
  /** The description when left out. */
  readonly body?: string;
  /** `user` when left out. */
  readonly type?: string;
  readonly from?: 'person' | 'assistant';
  /** The file of the memory that it corrects. */
  readonly target?: string;
}

export class TeachableModel {
  readonly #lessons: Lesson[] = [];
  readonly #replies: Step[] = [];
  readonly #relevant = new Set<string>();
  #outage: Step | undefined;

  teach(...lessons: readonly Lesson[]): void {
    this.#lessons.push(...lessons);
  }

  /** What it answers in the next turn, one step a request. */
  reply(...steps: readonly Step[]): void {
    this.#replies.push(...steps);
  }

  /** Names of the memories that it takes to bear on any request. */
  choose(...names: readonly string[]): void {
    for (const name of names) this.#relevant.add(name);
  }

  /** What it answers from now on when it is asked what there is to remember; undefined when it can be asked again. */
  failLearning(outage: Step | undefined): void {
    this.#outage = outage;
  }

  /** For a fake Messages API. */
  readonly respond = (body: RequestBody): Step => {
    const request = readRequest(body);
    switch (request.kind) {
      case 'turn':
        return this.#replies.shift() ?? { blocks: [text('Understood.')] };
      case 'recall':
        return json({ relevant: this.#relevantIn(request.words) });
      case 'extraction':
        return this.#outage ?? json({ operations: this.#operationsFor(wordsToLookAt(body)) });
      case 'consolidation':
        return json({ merge: [], update: [], retire: [] });
      case 'other':
        return json(SUMMARY);
    }
  };

  #operationsFor(words: readonly string[]): readonly object[] {
    return this.#lessons
      .filter(({ quote }) => words.some((said) => said.includes(quote)))
      .map(({ quote, name, description = `${quote}.`, body = description, ...rest }) => {
        const op = rest.target === undefined ? 'add' : 'update';
        const fields = { name, description, body, type: 'user', scope: 'persistent' };
        return { op, ...fields, quote, ...rest };
      });
  }

  #relevantIn(catalogue: string): readonly number[] {
    const lines = [...catalogue.matchAll(/^(\d+): (\S+) — /gm)];
    return lines
      .filter(([, , name = '']) => this.#relevant.has(name))
      .map(([, number]) => Number(number));
  }
}

const SUMMARY = {
  goal: 'The person wants the services to be listed.',
  decisions: [],
  done: ['Told of the services at length.'],
  remaining: [],
  facts: [],
};

function json(value: object): Step {
  return { blocks: [text(JSON.stringify(value))] };
}
