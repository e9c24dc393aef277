// What the model is told of the archive wherever messages left the history: where everything stands, and which files
// were written. Both are known for certain, whatever a summary says.

import { inertTag } from '../base/inertTag.ts';

/** More are found with the tools. */
const MAX_FILES = 50;
/** The tag in which a summary stands, in the same message as these lines. */
export const SUMMARY_TAG = 'conversation_summary';

/** `place` is the session's transcript, as the model is told of it. */
export function transcriptNote(place: string): string {
  return `Everything that was said and done stands verbatim in ${oneLine(place)}, one JSON message a line. Read parts of it with read_file (offset, limit), or find words with search_history.`;
}

/** `files` are those that the agent wrote, newest last. Empty when there are none. */
export function changedFilesNote(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const shown = files.slice(-MAX_FILES).map((file) => `- ${oneLine(file)}`);
  const left = files.length - shown.length;
  const more = left > 0 ? [`- and ${left} more that were written before these`] : [];
  return [['Files that were written in this session, newest last:', ...more, ...shown].join('\n')];
}

function oneLine(text: string): string {
  return inert(text.toWellFormed().replaceAll(/\s+/gu, ' ').trim());
}

const inert = inertTag(SUMMARY_TAG);
