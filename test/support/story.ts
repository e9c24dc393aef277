// The model's side of the story in the README, as rules over one request: for end-to-end tests, and for `npm start`
// without a key. It holds no state, so the answer to a request is always the same.

import type { RequestBody, Step } from './fakeMessagesApi.ts';
import { text, toolUse } from './messageEvents.ts';
import { readRequest, type StoryRequest } from './storyRequest.ts';

/** What a person writes, in this order. */
export const STORY_PROMPTS = [
  'I prefer using tabs for indentation, not spaces. Remember that.',
  'Create a Python file called test.py',
  'What did I tell you about my preferences?',
  'I also prefer single quotes over double quotes for strings.',
] as const;

/** What the replay lists as its models. */
export const STORY_MODELS = [
  { id: 'claude-sonnet-replay', display_name: 'Claude Sonnet (recorded replay)' },
  { id: 'claude-haiku-replay', display_name: 'Claude Haiku (recorded replay)' },
];

interface Preference {
  /** Finds the person's words. */
  readonly said: RegExp;
  /** Finds memories about it by their descriptions. */
  readonly topic: RegExp;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly reply: string;
}

const TABS: Preference = {
  topic: /\btabs\b/i,
  said: /I prefer[^.\n"\\]*\btabs\b[^.\n"\\]*/i,
  name: 'user-preference-tabs',
  description: 'Prefers tabs over spaces for indentation',
  body: 'Indent with tabs, not spaces.',
  reply: 'Understood: **tabs** for indentation, not spaces. I will keep to that.',
};
const SINGLE_QUOTES: Preference = {
  topic: /\bsingle quotes\b/i,
  said: /I (?:also )?prefer[^.\n"\\]*\bsingle quotes\b[^.\n"\\]*/i,
  name: 'user-preference-single-quotes',
  description: 'Prefers single quotes over double quotes for strings',
  body: 'Write strings in single quotes, not double quotes.',
  reply: 'Noted: **single quotes** for strings, beside what you told me before.',
};
const PREFERENCES = [TABS, SINGLE_QUOTES];

const CREATE_FILE = /\bcreate\b.*\btest\.py\b/i;
const ASK_BACK = /\bwhat did I tell you\b/i;

const HELP = `This is a recorded replay: no model is connected, so only these prompts are answered:

${STORY_PROMPTS.map((prompt) => `- \`@memory ${prompt}\``).join('\n')}

To talk to Claude, stop it and start it again with \`ANTHROPIC_API_KEY\` set.`;

/** Answers one request to the Messages API. */
export function storyResponder(body: RequestBody): Step {
  const request = readRequest(body);
  switch (request.kind) {
    case 'turn':
      return turn(request);
    case 'recall':
      return json({ relevant: chosenFrom(request.words) });
    case 'extraction':
      return json(extracted(request));
    case 'consolidation':
      return json(consolidated(request));
    case 'other':
      break;
  }
  return say(HELP);
}

function turn(request: StoryRequest): Step {
  if (request.toolResult) return afterTool(request.toolResult, request);
  const { words } = request;
  if (CREATE_FILE.test(words)) return writeFile(request);
  if (ASK_BACK.test(words)) return tellMemories(request);
  const preference = PREFERENCES.find(({ said }) => said.test(words));
  return say(preference ? preference.reply : HELP);
}

function writeFile({ memories, messageCount }: StoryRequest): Step {
  const indent = memories.has(TABS.name) ? '\t' : '    ';
  const quote = memories.has(SINGLE_QUOTES.name) ? "'" : '"';
  const lines = [
    'def greet(name):',
    `${indent}return f${quote}Hello, {name}!${quote}`,
    '',
    '',
    `if __name__ == ${quote}__main__${quote}:`,
    `${indent}print(greet(${quote}world${quote}))`,
    '',
  ];
  const input = { path: 'test.py', content: lines.join('\n') };
  const call = toolUse(`toolu_story_${messageCount}`, 'write_file', input);
  return { blocks: [text('I will create `test.py`.'), call] };
}

function afterTool(
  result: { readonly text: string; readonly isError: boolean },
  request: StoryRequest,
): Step {
  const { memories, messageCount } = request;
  // A story that is told again finds the file of the last time.
  if (result.isError && /Read it first/.test(result.text)) {
    const call = toolUse(`toolu_story_${messageCount}`, 'read_file', { path: 'test.py' });
    return { blocks: [text('It is there already, so I look at it first.'), call] };
  }
  if (!result.isError && result.text.includes('def greet')) return writeFile(request);
  if (/declined/i.test(result.text)) {
    return say('I did not create `test.py`, since you declined. What would you like instead?');
  }
  if (result.isError) return say(`I could not create \`test.py\`: ${result.text}`);
  const style = memories.has(TABS.name) ? ' It is indented with tabs, as you prefer.' : '';
  return say(`I created \`test.py\` with a small greeting.${style}`);
}

function tellMemories({ memories }: StoryRequest): Step {
  if (memories.size === 0) return say('You have told me no preferences that I am shown.');
  const lines = [...memories].map(([name, description]) => `- ${description} (\`${name}\`)`);
  return say(`You told me:\n\n${lines.join('\n')}`);
}

/** The numbers of a catalogue's lines `3: name — description` that tell a preference. */
function chosenFrom(prompt: string): number[] {
  const lines = prompt.matchAll(/^(\d+): (?=.*prefer)/gim);
  return Array.from(lines, ([, number]) => Number(number)).slice(0, 5);
}

function extracted({ words }: StoryRequest): object {
  const operations = PREFERENCES.flatMap(({ said, name, description, body }) => {
    const quote = said.exec(words)?.[0];
    // The prompt names the memories that there are.
    if (quote === undefined || words.includes(name)) return [];
    return [{ op: 'add', name, type: 'user', description, body, scope: 'persistent', quote }];
  });
  return { operations };
}

/** What stands in a consolidation's prompt as JSON. */
interface ShownRecord {
  readonly file: string;
  readonly description: string;
  readonly body: string;
}

/** Merges what was said twice about one of our preferences, and keeps every word of it. */
function consolidated({ words }: StoryRequest): object {
  const records = JSON.parse(words.slice(words.indexOf('['))) as readonly ShownRecord[];
  const merge = PREFERENCES.flatMap(({ topic, name, description }) => {
    const alike = records.filter((record) => topic.test(record.description));
    if (alike.length < 2) return [];
    const files = alike.map(({ file }) => file);
    const body = alike.map((record) => record.body.trim()).join('\n\n');
    return [{ files, name, description, type: 'user', body, reason: 'They say the same.' }];
  });
  return { merge, update: [], retire: [] };
}

function say(words: string): Step {
  return { blocks: [text(words)] };
}

function json(value: object): Step {
  return say(JSON.stringify(value));
}
