// The words by which a message is found, and those around a match. Thinking is not among them, nor is what a search
// of earlier sessions found: it would find itself ever after.

import type { AssistantBlock, Message, ToolResultBlock } from '../models/model.ts';
import type { SearchHit } from './session.ts';

/** The tool that searches here. */
const HISTORY_TOOL = 'search_history';
/** Of a tool's output. What it was about stands at the beginning, and how it came out at the end. */
const RESULT_HEAD_CHARS = 16_000;
const RESULT_TAIL_CHARS = 4_000;
const EXCERPT_CHARS = 300;
const EXCERPT_LEAD_CHARS = 100;
/** Each is one more condition; nobody remembers more of what they look for. */
const MOST_QUERY_WORDS = 20;

export interface Words {
  readonly speaker: SearchHit['from'];
  readonly text: string;
}

/** `hiddenCalls`: the ids of calls whose results are left out. */
export function wordsOf(message: Message, hiddenCalls: ReadonlySet<string>): Words {
  if (message.role === 'assistant')
    return { speaker: 'assistant', text: joined(message.content.map(wordsOfReply)) };
  let speaker: Words['speaker'] = 'person';
  const parts = message.content.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'attachment') return headAndTail(`${block.name}\n${block.text}`);
    if (block.type !== 'tool_result') return '';
    speaker = 'tool';
    return hiddenCalls.has(block.tool_use_id) ? '' : wordsOfResult(block);
  });
  return { speaker, text: joined(parts) };
}

/** The ids of a reply's searches of earlier sessions. */
export function historyCallsOf(message: Message): readonly string[] {
  return message.content.flatMap((block) =>
    block.type === 'tool_use' && block.name === HISTORY_TOOL ? [block.id] : [],
  );
}

/** The words of a query, each of which must occur. */
export function queryWords(query: string): readonly string[] {
  const words = searchable(query).split(/\s+/u).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_QUERY_WORDS);
}

/** All ways to write a word of a few characters in upper and lower case. */
export function caseForms(word: string): readonly string[] {
  let forms = [''];
  for (const character of word) {
    const ways = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
    forms = forms.flatMap((form) => ways.map((way) => form + way));
  }
  return forms;
}

/** Finds a word in whatever case it stands, at its place: a text in lower case may be of another length. */
export function patternOf(word: string): RegExp {
  return new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu');
}

/** About the first of the words that stands in the text, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.search(patternOf(word))).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const start = Math.max(0, Math.min(first - EXCERPT_LEAD_CHARS, text.length - EXCERPT_CHARS));
  const end = start + EXCERPT_CHARS;
  const line = wholeCharacters(text.slice(start, end)).replaceAll(/\s+/gu, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
}

function wordsOfReply(block: AssistantBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type !== 'tool_use' || block.name === HISTORY_TOOL) return '';
  return joined([block.name, ...leaves(block.input)]);
}

/**
 * Names and values, without the marks of JSON, so that quotes and line ends are found as they were meant. A loop: a
 * model may nest its input deeper than functions can call each other.
 */
function leaves(input: unknown): readonly string[] {
  const found: string[] = [];
  // The next one stands at the end.
  const left: unknown[] = [input];
  while (left.length > 0) {
    const value = left.pop();
    const isList = Array.isArray(value);
    if (!isList && (typeof value !== 'object' || value === null)) {
      found.push(String(value));
      continue;
    }
    const parts: readonly unknown[] = isList ? value : Object.entries(value).flat();
    for (const part of parts.toReversed()) left.push(part);
  }
  return found;
}

function wordsOfResult(block: ToolResultBlock): string {
  const text = joined(block.content.map((part) => (part.type === 'text' ? part.text : '')));
  return headAndTail(text);
}

function headAndTail(text: string): string {
  if (text.length <= RESULT_HEAD_CHARS + RESULT_TAIL_CHARS) return text;
  return `${text.slice(0, RESULT_HEAD_CHARS)}\n${text.slice(-RESULT_TAIL_CHARS)}`;
}

function joined(parts: readonly string[]): string {
  return searchable(parts.filter(Boolean).join('\n'));
}

/** What looks the same is written the same, and SQLite gets no character that it would stop at or replace. */
function searchable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').normalize('NFC');
}

/** Without half a character at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
