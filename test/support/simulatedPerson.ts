// A person who works with the assistant for three months, twenty turns a day: says what holds, changes their mind,
// takes things back, and mostly asks for work. Keeps what is true by their own words, to compare the memories with.

import { FACTS, saying, takingBack, type Fact } from './simulatedFacts.ts';
import { seededRandom, type SeededRandom } from './seededRandom.ts';
import {
  FILLERS,
  FOUND,
  INJECTED,
  ONE_OFFS,
  PASTED,
  REMEMBER,
  secretWords,
} from './simulatedTalk.ts';

export const DAYS = 90;
const TURNS_A_DAY = 20;

export interface Said {
  readonly fact: Fact;
  /** Undefined: it is taken back. */
  readonly value: string | undefined;
}

export interface SimulatedTurn {
  readonly text: string;
  readonly says?: Said;
  /** `reloaded`: the window is reloaded before anything could be learned. */
  readonly ending: 'completed' | 'failed' | 'stopped' | 'reloaded';
  /** The person goes on in a new chat, whatever became of this turn. */
  readonly endsChat?: true;
  readonly toolRounds: number;
  readonly answer: string;
}

/** What the person does with their own hands: these facts are said once, or never. */
export const BY_HAND = {
  pinned: 'design',
  edited: 'zh-units',
  deleted: 'emoji',
  undone: 'ja-diagram',
  written: ['zh-api', 'ja-spec'],
} as const;

const ARE_BY_HAND: readonly string[] = Object.values(BY_HAND).flat();

const TAKEN_BACK: readonly string[] = [
  'theme',
  'job',
  'flaky',
  'product',
  'zh-terminal',
  'zh-clock',
  'ja-size',
  'ja-newline',
];

/** The last fact is first said then, so that there is time for it to change twice. */
const LAST_NEW = 58;

export class SimulatedPerson {
  /** What holds now: the value, or undefined for what does not hold any more and must not stand there as if it did. */
  readonly truth = new Map<Fact, string | undefined>();
  readonly secrets: string[] = [];
  readonly #random: SeededRandom;
  readonly #plan = new Map<number, Said[]>();
  readonly #again: Said[] = [];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const facts = this.#random.shuffled(FACTS);
    const spoken = facts.filter(({ id }) => !ARE_BY_HAND.includes(id));
    for (const [index, fact] of spoken.entries())
      this.#planFact(fact, 1 + Math.floor((index / spoken.length) * LAST_NEW));
    const { pinned, edited, deleted, undone } = BY_HAND;
    const handled: readonly string[] = [pinned, edited, deleted, undone];
    for (const fact of facts.filter(({ id }) => handled.includes(id)))
      this.#planFact(fact, 1 + Math.floor(this.#random.next() * 7));
  }

  /** The turns of a day, the first day being 1. The last of them is nothing but a request. */
  day(day: number): readonly SimulatedTurn[] {
    const random = this.#random;
    const planned = [
      ...this.saysAgain(),
      ...(this.#plan.get(day) ?? []).map((says) => this.#stating(says)),
    ];
    const others = TURNS_A_DAY - 1 - planned.length;
    const turns = [...planned, ...Array.from({ length: others }, () => this.#other())];
    return [...inOrder(random.shuffled(turns), planned), plain(random.pick(FILLERS))];
  }

  /** What was not noticed is asked to be remembered. */
  saysAgain(): readonly SimulatedTurn[] {
    return this.#again.splice(0).map((says) => this.#stating(says, 'again'));
  }

  isToSayAgain(fact: Fact): boolean {
    return this.#again.some((each) => each.fact === fact);
  }

  /** The person sees that there was no notice of something, and says it once more on the next day. */
  sayAgain(said: Said): void {
    if (this.truth.get(said.fact) !== said.value || !this.truth.has(said.fact)) return;
    if (!this.isToSayAgain(said.fact)) this.#again.push(said);
  }

  /** From the moment on in which it is said. */
  heard({ says }: SimulatedTurn): void {
    if (says) this.truth.set(says.fact, says.value);
  }

  #planFact(fact: Fact, first: number): void {
    const random = this.#random;
    let day = first;
    for (const value of fact.values) {
      this.#on(day, { fact, value });
      day += 6 + Math.floor(random.next() * 8);
    }
    if (TAKEN_BACK.includes(fact.id)) this.#on(day, { fact, value: undefined });
  }

  #on(day: number, says: Said): void {
    this.#plan.set(day, [...(this.#plan.get(day) ?? []), says]);
  }

  #stating(says: Said, again?: 'again'): SimulatedTurn {
    const random = this.#random;
    const { fact, value } = says;
    const sentence = value === undefined ? takingBack(fact) : saying(fact, value);
    const common = { says, answer: 'Understood.', toolRounds: 0, ending: 'completed' } as const;
    if (again || random.chance(0.08))
      return { ...common, text: `${REMEMBER[fact.tongue]}${sentence}`, toolRounds: again ? 2 : 50 };
    if (random.chance(0.15)) {
      const code = `${random.pick(PASTED)}\n`.repeat(random.chance(0.3) ? 120 : 1);
      return { ...common, text: `${sentence}\n\n${code}\n${random.pick(FILLERS)}` };
    }
    const text = random.chance(0.5)
      ? `${sentence} ${random.pick(FILLERS)}`
      : `${random.pick(FILLERS)} ${sentence}`;
    const endings = ['failed', 'stopped', 'reloaded'] as const;
    if (random.chance(0.8)) return { ...common, text };
    const endsChat = random.chance(0.5);
    return { ...common, text, ending: random.pick(endings), ...(endsChat && { endsChat }) };
  }

  /** A turn with nothing new in it. */
  #other(): SimulatedTurn {
    const random = this.#random;
    const request = random.pick(FILLERS);
    const chance = random.next();
    if (chance < 0.05) return plain(`${random.pick(ONE_OFFS)} ${request}`);
    if (chance < 0.06) {
      const { text, secret } = secretWords(random);
      this.secrets.push(secret);
      return plain(`${text} ${request}`);
    }
    if (chance < 0.1) return plain(`${request}\n${random.pick(PASTED)}`);
    if (chance < 0.115) return plain(`${request}\n${random.pick(INJECTED)}`);
    if (chance < 0.16) return { ...plain(request), answer: `Done. ${random.pick(FOUND)}` };
    if (chance < 0.18) return { ...plain(request), ending: 'failed' };
    const known = [...this.truth].flatMap(([fact, value]) =>
      value === undefined ? [] : { fact, value },
    );
    if (chance < 0.21 && known.length > 0) {
      const says = random.pick(known);
      return { ...plain(`${saying(says.fact, says.value)} ${request}`), says };
    }
    return plain(request);
  }
}

function plain(text: string): SimulatedTurn {
  return { text, ending: 'completed', toolRounds: 0, answer: 'Done.' };
}

/** Among the others, what was planned comes in its own order; what is said of a fact again holds only before news. */
function inOrder(
  turns: readonly SimulatedTurn[],
  planned: readonly SimulatedTurn[],
): readonly SimulatedTurn[] {
  const rest = [...planned];
  const news = new Set(planned.map(({ says }) => says?.fact));
  return turns.map((turn) => {
    if (planned.includes(turn)) return rest.shift() ?? turn;
    return turn.says && news.has(turn.says.fact) ? plain(turn.answer) : turn;
  });
}
