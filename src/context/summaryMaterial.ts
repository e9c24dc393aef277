// What a summary is made from: the whole of what leaves, as text in parts that fit into one question each. Words
// of the person and the assistant come whole, what tools took and gave comes shortened.

import { inertTag } from '../base/inertTag.ts';
import type { Message, ToolResultBlock, ToolUseBlock } from '../models/model.ts';
import { estimateTokens } from '../models/tokens.ts';
import { insideSummary, isSummary } from './summaryBlock.ts';
import { toolCalls } from './transcript.ts';

/** Most characters of a text. */
interface Lengths {
  readonly words: number;
  /** Of each string in a call's input. */
  readonly input: number;
  readonly result: number;
}

/** The next row is for a history that makes too many parts with the one before. */
const LENGTHS: readonly Lengths[] = [
  { words: Infinity, input: 1_000, result: 2_000 },
  { words: 20_000, input: 500, result: 800 },
  { words: 5_000, input: 200, result: 300 },
  { words: 1_000, input: 100, result: 120 },
];
/** Each part is a question, and each question takes time and money. */
const MAX_PARTS = 12;
/** An input of many strings must not outgrow a result. */
const WHOLE_INPUT_SHARE = 4;
/** A text is split into pieces that fit into a part in every script. */
const MOST_TOKENS_PER_CHARACTER = 1.2;
/** A piece ends at a blank or a line end in its last fifth, where there is one. */
const SOFT_END = 0.8;
const GAP = '\n[…]\n';

/**
 * The parts, oldest first, each of at most `room` estimated tokens. Empty when nothing is there to summarise,
 * undefined when the history is too long for any summary.
 */
export function summaryParts(
  messages: readonly Message[],
  room: number,
): readonly string[] | undefined {
  for (const lengths of LENGTHS) {
    const parts = joined(entriesOf(messages, lengths), room);
    if (parts) return parts;
  }
  return undefined;
}

/** Whether there is anything to summarise but earlier summaries and memories. */
export function hasMaterial(messages: readonly Message[]): boolean {
  return messages.some(({ content }) =>
    content.some(({ type }) =>
      ['text', 'attachment', 'image', 'tool_use', 'tool_result'].includes(type),
    ),
  );
}

/** What earlier summaries say, empty when there are none. */
export function earlierSummary(messages: readonly Message[]): string {
  return messages
    .flatMap(({ content }) => content.filter(isSummary).map(insideSummary))
    .join('\n\n');
}

/** At most `most` characters: beginning and end in equal parts. */
export function headAndTail(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(Math.max(0, most - GAP.length) / 2);
  // Well formed: a cut through a surrogate pair would not survive JSON.
  return (text.slice(0, half) + GAP + text.slice(text.length - half)).toWellFormed();
}

/** Makes the tags of a question harmless in what it quotes. */
export const inertQuote = inertTag(
  'transcript',
  'current_request',
  'summary_so_far',
  'summary_focus',
);

interface Entry {
  readonly from:
    'person' | 'attachment' | 'assistant' | 'tool_call' | 'tool_result' | 'failed_tool_result';
  readonly text: string;
}

function entriesOf(messages: readonly Message[], lengths: Lengths): readonly Entry[] {
  const names = new Map(messages.flatMap(toolCalls).map(({ id, name }) => [id, name]));
  return messages
    .flatMap(({ role, content }) => {
      const from = role === 'user' ? 'person' : 'assistant';
      return content.flatMap((block): readonly Entry[] => {
        switch (block.type) {
          case 'text':
            return [{ from, text: headAndTail(block.text, lengths.words) }];
          case 'attachment':
            return [{ from: 'attachment', text: headAndTail(block.text, lengths.result) }];
          case 'image':
            return [{ from, text: IMAGE_NOTE }];
          case 'tool_use':
            return [callEntry(block, lengths.input)];
          case 'tool_result':
            return [resultEntry(block, names.get(block.tool_use_id), lengths.result)];
          // Memories come anew with each request; an earlier summary is carried on by itself.
          case 'context':
          case 'thinking':
          case 'redacted_thinking':
            return [];
        }
      });
    })
    .filter(({ text }) => text.trim() !== '');
}

const IMAGE_NOTE = '[an image]';

function callEntry({ name, input }: ToolUseBlock, most: number): Entry {
  const json = JSON.stringify(input, (_key, value: unknown) =>
    typeof value === 'string' ? headAndTail(value, most) : value,
  );
  return { from: 'tool_call', text: `${name} ${headAndTail(json, most * WHOLE_INPUT_SHARE)}` };
}

function resultEntry(block: ToolResultBlock, name: string | undefined, most: number): Entry {
  const text = block.content
    .map((part) => (part.type === 'text' ? part.text : IMAGE_NOTE))
    .join('\n');
  const place = block.archived ? `\n[The full text stands in ${block.archived.place}.]` : '';
  return {
    from: block.is_error ? 'failed_tool_result' : 'tool_result',
    text: `${name ?? 'unknown tool'}: ${headAndTail(text, most)}${place}`,
  };
}

/** Entries as text, as many in a part as fit. Undefined when they make too many parts. */
function joined(entries: readonly Entry[], room: number): readonly string[] | undefined {
  const parts: string[][] = [];
  let left = 0;
  for (const { from, text } of entries) {
    for (const piece of pieces(inertQuote(text), from, room)) {
      const tokens = estimateTokens(piece) + 1;
      if (tokens > left) {
        if (parts.length === MAX_PARTS) return undefined;
        parts.push([]);
        left = room;
      }
      parts.at(-1)?.push(piece);
      left -= tokens;
    }
  }
  return parts.map((part) => part.join('\n'));
}

function* pieces(text: string, from: Entry['from'], room: number): Iterable<string> {
  const frame = estimateTokens(entryText(from, ''));
  const most = Math.max(1, Math.floor((room - frame) / MOST_TOKENS_PER_CHARACTER));
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start, most);
    yield entryText(from, text.slice(start, end));
    start = end;
  }
}

function pieceEnd(text: string, start: number, most: number): number {
  if (text.length - start <= most) return text.length;
  const hard = start + most;
  const soft = Math.max(text.lastIndexOf('\n', hard - 1), text.lastIndexOf(' ', hard - 1)) + 1;
  if (soft > start + most * SOFT_END) return soft;
  // Never between the halves of a surrogate pair.
  const isLow = (text.charCodeAt(hard) & 0xfc00) === 0xdc00;
  return isLow && hard - 1 > start ? hard - 1 : hard;
}

function entryText(from: Entry['from'], text: string): string {
  return `<transcript_entry from="${from}">\n${text}\n</transcript_entry>`;
}
