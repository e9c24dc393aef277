// A long text's stand-in, once the text is in the archive: one line that says where, and its beginning or nothing.
// Only `ToolResultBlock.archived` tells that a result is a stand-in already, never what it says: tools print that.

import {
  isJsonObject,
  type ArchivedText,
  type JsonObject,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../models/model.ts';
import type { Archive } from './archive.ts';
import { measureBlock } from './measure.ts';

/** A string in a call's input longer than this can go. More than any stand-in, which is thus never taken again. */
const LONG_STRING_CHARS = 2_000;
/** No place in an archive is shorter. What would not gain even with it is not written at all. */
const SHORTEST_PLACE = '.task_outputs/tool-results/00000000000000000000000000000000.txt';

interface StandIn<Block> {
  readonly block: Block;
  /** Absolute path of what was archived for it, or undefined when that was done before. */
  readonly file: string | undefined;
}

/** The result with at most `beginning` characters of its text, or undefined when that is no less to send. */
export async function standInForResult(
  block: ToolResultBlock,
  beginning: number,
  archive: Archive,
): Promise<StandIn<ToolResultBlock> | undefined> {
  const text = resultText(block);
  const kept = firstPart(block.archived ? behindFirstLine(text) : text, beginning);
  const full = block.archived ?? { place: SHORTEST_PLACE, characters: text.length };
  const draft = withText(block, full, kept);
  const size = measureBlock(block);
  if (measureBlock(draft) >= size) return undefined;
  if (block.archived) return { block: draft, file: undefined };

  const file = await archive.saveText(text);
  const short = withText(block, { ...full, place: archive.pointer(file) }, kept);
  return measureBlock(short) < size ? { block: short, file } : undefined;
}

/** The call with at most `beginning` characters of each long string in its input, or undefined when there is none. */
export async function standInForCall(
  block: ToolUseBlock,
  beginning: number,
  archive: Archive,
): Promise<StandIn<ToolUseBlock> | undefined> {
  let file: string | undefined;
  const short = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') {
      if (value.length <= LONG_STRING_CHARS) return value;
      const saved = await archive.saveText(value);
      file ??= saved;
      const full = { place: archive.pointer(saved), characters: value.length };
      return standIn(full, firstPart(value, beginning));
    }
    if (Array.isArray(value)) return Promise.all(value.map(short));
    return isJsonObject(value) ? shortObject(value) : value;
  };
  const shortObject = async (object: JsonObject): Promise<JsonObject> => {
    const entries = Object.entries(object).map(
      async ([key, value]) => [key, await short(value)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };

  const shorter = { ...block, input: await shortObject(block.input) };
  if (file === undefined || measureBlock(shorter) >= measureBlock(block)) return undefined;
  return { block: shorter, file };
}

/** All the words of a result: images are none. */
export function resultText(block: ToolResultBlock): string {
  return block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function withText(block: ToolResultBlock, full: ArchivedText, beginning: string): ToolResultBlock {
  const images = block.content.filter((part) => part.type === 'image');
  const text = standIn(full, beginning);
  return { ...block, content: [{ type: 'text', text }, ...images], archived: full };
}

function standIn({ place, characters }: ArchivedText, beginning: string): string {
  const where = `Archived: ${place}, ${characters} characters`;
  return beginning === '' ? `[${where}]` : `[${where}. This is how it begins:]\n${beginning}`;
}

function behindFirstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
}

function firstPart(text: string, characters: number): string {
  return text.slice(0, characters).toWellFormed();
}
