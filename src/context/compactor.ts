// Makes the working history smaller after the model said that it is too long. A mechanical cut that needs no
// model: older messages go to the archive, the current request stays verbatim, and so do call and result pairs.

import type { Message, ToolResultBlock, UserMessage } from '../models/model.ts';
import type { Archive } from './archive.ts';
import { lastRequestIndex, measure, safeCut } from './transcript.ts';

/** Enough for the model to see what it was doing. */
const KEPT_MESSAGES = 5;
/** A kept tool result longer than this is archived and shortened, else a long tail would overflow again. */
const LONG_RESULT_CHARS = 4_000;
const PREVIEW_CHARS = 2_000;

export interface Compaction {
  readonly messages: readonly Message[];
  /** Estimated tokens. */
  readonly before: number;
  readonly after: number;
  /** Absolute path of the transcript, or of the last archived result when no message was dropped. */
  readonly archive: string;
}

/** The shorter history, or undefined when nothing is left to cut. Never changes its input. */
export async function compactAfterOverflow(
  messages: readonly Message[],
  archive: Archive,
): Promise<Compaction | undefined> {
  const cut = safeCut(messages, messages.length - KEPT_MESSAGES);
  const shortened = await shortenResults(messages.slice(cut), archive);
  if (cut === 0 && !shortened.archived) return undefined;

  const transcript = cut > 0 ? await archive.saveTranscript(messages.slice(0, cut)) : undefined;
  const kept = transcript
    ? behindMarker(messages, cut, shortened.messages, archive.pointer(transcript))
    : shortened.messages;
  const before = measure(messages);
  const after = measure(kept);
  const place = transcript ?? shortened.archived;
  if (after >= before || place === undefined) return undefined;
  return { messages: kept, before, after, archive: place };
}

/** The tail behind a marker that says what left, with the current request in front when it was cut off. */
function behindMarker(
  messages: readonly Message[],
  cut: number,
  tail: readonly Message[],
  place: string,
): readonly Message[] {
  const marker = {
    type: 'context',
    text: `[${cut} earlier messages were moved out of this conversation. They stand verbatim in ${place}, one JSON message a line.]`,
    records: {},
  } as const;
  const requestIndex = lastRequestIndex(messages);
  const request = messages[requestIndex];
  if (request?.role === 'user' && requestIndex < cut) {
    return [{ role: 'user', content: [marker, ...request.content] }, ...tail];
  }
  const [first, ...rest] = tail;
  if (first?.role === 'user')
    return [{ role: 'user', content: [marker, ...first.content] }, ...rest];
  return [{ role: 'user', content: [marker] }, ...tail];
}

async function shortenResults(
  messages: readonly Message[],
  archive: Archive,
): Promise<{ messages: readonly Message[]; archived: string | undefined }> {
  let archived: string | undefined;
  const shortened: Message[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      shortened.push(message);
      continue;
    }
    const content: UserMessage['content'][number][] = [];
    for (const block of message.content) {
      const place = block.type === 'tool_result' ? await archiveIfLong(block, archive) : undefined;
      if (block.type === 'tool_result' && place !== undefined) {
        archived = place;
        content.push(preview(block, archive.pointer(place)));
      } else {
        content.push(block);
      }
    }
    shortened.push({ role: 'user', content });
  }
  return { messages: shortened, archived };
}

async function archiveIfLong(
  block: ToolResultBlock,
  archive: Archive,
): Promise<string | undefined> {
  const text = resultText(block);
  return text.length > LONG_RESULT_CHARS ? archive.saveToolResult(text) : undefined;
}

function preview(block: ToolResultBlock, place: string): ToolResultBlock {
  const text = `[The full result stands in ${place}. Its beginning:]\n${resultText(block).slice(0, PREVIEW_CHARS).toWellFormed()}`;
  const images = block.content.filter((part) => part.type === 'image');
  return { ...block, content: [{ type: 'text', text }, ...images] };
}

function resultText(block: ToolResultBlock): string {
  return block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
