// A text that the person attached, cut at whole lines to the room that there is. What was cut is said in it, with
// the way to read on.

import { withoutHidden } from '../../memory/hiddenText.ts';
import type { AttachmentBlock } from '../../models/model.ts';
import { estimateTokens } from '../../models/tokens.ts';
import { attachmentBlock, holdsExactly, type Purpose } from './attachmentBlock.ts';
import { cutLine, linesOf } from '../../base/lines.ts';

/** Of a text, counted from 1, both ends included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

interface TextToAttach {
  readonly name: string;
  readonly text: string;
  /** All of them when left out. */
  readonly lines?: LineSpan | undefined;
  readonly purpose?: Purpose | undefined;
  readonly about?: string | undefined;
  /** The path by which the model can read the rest. */
  readonly readOn?: string | undefined;
}

interface AttachedText {
  readonly block: AttachmentBlock;
  /** Nothing of the text is left out or changed. */
  readonly isWhole: boolean;
  /** There was no room for all of the lines that were wanted. */
  readonly isCut: boolean;
}

export interface Room {
  readonly chars: number;
  readonly tokens: number;
}

/** What stands about the lines in a block: name, path, notes. */
const FRAME: Room = { chars: 800, tokens: 400 };
/** Less of a text tells nothing. */
const LEAST_CHARS = 200;
/** The most that a character takes, by the estimate. */
const TOKENS_PER_CHAR = 1.1;

/** As editors write a place. */
export function spanName(name: string, { first, last }: LineSpan): string {
  return first === last ? `${name}:${first}` : `${name}:${first}-${last}`;
}

/** No room to speak of. */
export function isFull({ chars, tokens }: Room): boolean {
  return chars < FRAME.chars + LEAST_CHARS || tokens < FRAME.tokens + LEAST_CHARS * TOKENS_PER_CHAR;
}

/** Needs a room that is not full. */
export function textAttachment(given: TextToAttach, room: Room): AttachedText {
  const { name, text, purpose, about, readOn } = given;
  const asGiven = linesOf(text);
  // What instructs is to say to the model what it says to the person.
  const all = purpose === 'instructions' ? linesOf(withoutHidden(text)) : asGiven;
  const { first, last } = given.lines ?? { first: 1, last: all.length };
  const wanted = all.slice(first - 1, last);
  const kept = linesThatFit(wanted, {
    chars: room.chars - FRAME.chars,
    tokens: room.tokens - FRAME.tokens,
  });
  const end = first + kept.length - 1;
  const rest =
    readOn === undefined
      ? 'The rest was not sent.'
      : `Read on with read_file, path ${JSON.stringify(readOn)}, offset ${end + 1}.`;
  const isShort = kept.length < wanted.length;
  const isCut = isShort || kept[0] !== wanted[0];
  const note = isShort ? [`[Cut: lines ${first}-${end} of ${all.length}. ${rest}]`] : [];
  const nothing = all.length === 0 ? '[empty]' : `[It ends before that, with line ${all.length}.]`;
  const body = wanted.length === 0 ? nothing : [...note, ...kept].join('\n');
  const block = attachmentBlock({ name, purpose, about, body });
  return { block, isWhole: asGiven.length === 0 || holdsExactly(block, asGiven), isCut };
}

/** As many of the first lines as there is room for. Of a first line that is too long by itself, its beginning. */
export function linesThatFit(lines: readonly string[], room: Room): readonly string[] {
  const kept: string[] = [];
  let { chars, tokens } = room;
  for (const line of lines) {
    chars -= line.length + 1;
    tokens -= estimateTokens(`${line}\n`);
    if (chars < 0 || tokens < 0) break;
    kept.push(line);
  }
  const [first] = lines;
  if (kept.length > 0 || first === undefined) return kept;
  return [cutLine(first, Math.floor(Math.min(room.chars, room.tokens / TOKENS_PER_CHAR)))];
}
