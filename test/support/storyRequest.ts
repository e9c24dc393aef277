// Reads a request to the Messages API as far as the story needs it: which of our questions it is, what the person
// said last, which memories it shows. What stands behind the fake API knows the words of our prompts only from here.

import type { RawBlock, RequestBody } from './fakeMessagesApi.ts';

export interface StoryRequest {
  readonly kind: 'turn' | 'recall' | 'extraction' | 'consolidation' | 'other';
  /** What the person wrote last in a turn; the whole prompt of a side question. */
  readonly words: string;
  /** Tells calls of one conversation apart. */
  readonly messageCount: number;
  /** What came back when the last message answers a tool call. */
  readonly toolResult: { readonly text: string; readonly isError: boolean } | undefined;
  /** Name and description of each record that the conversation shows, less those that are gone since. */
  readonly memories: ReadonlyMap<string, string>;
}

/** Stands in front of it in an extraction's prompt. */
const DIALOGUE = '\nDialogue, oldest first:\n';

export function readRequest({ system = [], messages, tools = [] }: RequestBody): StoryRequest {
  const blocks = messages.at(-1)?.content ?? [];
  const said = blocks.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const kind = kindOf(textOf(system), tools.length > 0);
  return {
    kind,
    // What a turn adds stands in blocks of their own in front of the person's.
    words: kind === 'turn' ? (said.at(-1) ?? '') : said.join('\n'),
    messageCount: messages.length,
    toolResult: toolResultIn(blocks),
    memories: memoriesIn(messages.map(({ content }) => textOf(content)).join('\n')),
  };
}

/** What extraction is to look at: the words in its prompt that it has not looked at before. */
export function wordsToLookAt(body: RequestBody): readonly string[] {
  const { kind, words } = readRequest(body);
  if (kind !== 'extraction') return [];
  const dialogue = words.slice(words.indexOf(DIALOGUE) + DIALOGUE.length);
  const said = JSON.parse(dialogue) as readonly {
    readonly text: string;
    readonly earlier?: true;
  }[];
  return said.filter(({ earlier }) => !earlier).map(({ text }) => text);
}

/** How our prompts begin. A side question offers no tools. */
function kindOf(system: string, hasTools: boolean): StoryRequest['kind'] {
  if (hasTools || system.includes('You are Memory Agent')) return 'turn';
  if (system.startsWith('You choose which of a person')) return 'recall';
  if (system.startsWith('You extract durable memories')) return 'extraction';
  if (system.startsWith('You consolidate the memories')) return 'consolidation';
  return 'other';
}

function toolResultIn(blocks: readonly RawBlock[]): StoryRequest['toolResult'] {
  const result = blocks.find(({ type }) => type === 'tool_result');
  const content = (result?.content ?? []) as readonly RawBlock[];
  return result && { text: textOf(content), isError: result['is_error'] === true };
}

/** As src/memory/recall/memoryBlock.ts writes them down, in the order of the conversation. */
function memoriesIn(conversation: string): Map<string, string> {
  const memories = new Map<string, string>();
  const shown =
    /^## (?<name>\S+) \((?:user|feedback|project|reference), [^\n]*\nFile: [^\n]*\n(?:Description: (?<description>[^\n]*)|`+markdown\n(?<body>[^\n]*))|^The memory (?<gone>\S+) shown above no longer holds/gm;
  for (const { groups } of conversation.matchAll(shown)) {
    if (groups?.['gone']) memories.delete(groups['gone']);
    else memories.set(groups?.['name'] ?? '', groups?.['description'] ?? groups?.['body'] ?? '');
  }
  return memories;
}

function textOf(blocks: readonly RawBlock[]): string {
  return blocks.map(({ text }) => text ?? '').join('\n');
}
