// What the model is told wherever messages left the history, and what no summary has to remember: where everything
// stands, which files were written, which skills were loaded, what is still to be done, and what the person said.

import { messageText, type Message } from '../models/model.ts';
import { estimateTokens } from '../models/tokens.ts';
import { openTodoLines, type OpenTodos } from './openTodos.ts';
import type { StageInput } from './stage.ts';
import { inertInSummary } from './summaryTag.ts';

/** More are found with the tools. */
const MAX_FILES = 50;
/** Nobody follows more guides at once. */
const MAX_SKILLS = 10;
/** A wish is told in fewer words; what was pasted is not. */
const SAID_CHARS = 300;
/** Of what compaction aims at, for the words of the person. */
const SAID_SHARE = 0.05;

export interface ArchiveNote {
  /** The session's transcript, as the model is told of it. */
  readonly transcript: string;
  /** Those that the agent wrote, newest last. */
  readonly changedFiles: readonly string[];
  readonly openTodos: OpenTodos | undefined;
  /** Newest last. */
  readonly loadedSkills: readonly string[];
  /** What the person wrote in this session, oldest first. */
  readonly said: readonly string[];
  /** What stays in the history: words in it are not told again. */
  readonly kept: readonly Message[];
  /** Estimated tokens that compaction aims at. */
  readonly target: number;
}

/** The note of a stage that leaves `kept`. `transcript` is a pointer. */
export function noteOf(
  { changedFiles, openTodos, loadedSkills, said, budget }: StageInput,
  kept: readonly Message[],
  transcript: string,
): ArchiveNote {
  return {
    transcript,
    changedFiles,
    openTodos: openTodos(),
    loadedSkills: loadedSkills(),
    said: said(),
    kept,
    target: budget.target,
  };
}

/** Paragraphs for a context block. */
export function archiveNote(note: ArchiveNote): readonly string[] {
  return [
    ...saidNote(note),
    ...changedFilesNote(note.changedFiles),
    ...openTodosNote(note),
    ...skillsNote(note.loadedSkills),
    `Everything that was said and done stands verbatim in ${oneLine(note.transcript)}, one JSON message a line. Read parts of it with read_file (offset, limit), or find words with search_history.`,
  ];
}

/** The first words of the person and the newest ones, as many as there is room for. */
function saidNote({ said, kept, target }: ArchiveNote): readonly string[] {
  const keptTexts = new Set(kept.map(messageText));
  const [first, ...later] = said.filter((text) => text.trim() !== '' && !keptTexts.has(text));
  if (first === undefined) return [];
  let room = target * SAID_SHARE;
  const lines: string[] = [];
  for (const text of [first, ...later.toReversed()]) {
    const line = `- ${shortened(oneLine(text))}`;
    room -= estimateTokens(line);
    if (room < 0) break;
    lines.push(line);
  }
  const [oldest, ...newest] = lines;
  if (oldest === undefined) return [];
  const gap = later.length > newest.length ? ['- […]'] : [];
  return [
    [
      'What the person wrote in what has left, oldest first:',
      oldest,
      ...gap,
      ...newest.toReversed(),
    ].join('\n'),
  ];
}

function changedFilesNote(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const shown = files.slice(-MAX_FILES).map((file) => `- ${oneLine(file)}`);
  const left = files.length - shown.length;
  const more = left > 0 ? [`- and ${left} more that were written before these`] : [];
  return [['Files that were written in this session, newest last:', ...more, ...shown].join('\n')];
}

function openTodosNote({ openTodos, kept }: ArchiveNote): readonly string[] {
  const lines = openTodos ? openTodoLines(openTodos, kept) : [];
  return lines.length > 0 ? [lines.map(oneLine).join('\n')] : [];
}

function skillsNote(skills: readonly string[]): readonly string[] {
  if (skills.length === 0) return [];
  const names = skills.slice(-MAX_SKILLS).map((name) => shortened(oneLine(name)));
  return [
    `Skills that were loaded in this session: ${names.join(', ')}. Load one again before you go on with such work, where its text no longer stands here.`,
  ];
}

function shortened(text: string): string {
  return text.length > SAID_CHARS ? `${text.slice(0, SAID_CHARS).toWellFormed()}…` : text;
}

/** A path keeps its blanks. */
function oneLine(text: string): string {
  return inertInSummary(
    text
      .toWellFormed()
      .replaceAll(/[\r\n\u2028\u2029]+/gu, ' ')
      .trim(),
  );
}
