// What a chat still holds of its earlier turns: the reference to our session in the last result, the requests that
// left none, and the text that VS Code shows, for a session that is not known any more.

import * as vscode from 'vscode';
import { forgottenAttachment } from '../../agent/attachments/attachmentBlock.ts';
import { PARTICIPANT_ID } from '../../manifest.ts';
import { userText, type Message, type UserBlock } from '../../models/model.ts';
import type { TurnRef } from '../../sessions/session.ts';
import { NO_TURN } from './noTurn.ts';
import { attachedReferences, referenceName } from './promptReferences.ts';

type History = vscode.ChatContext['history'];

interface GoingOn {
  /** The turn that the next request goes on from. */
  readonly previous: TurnRef | undefined;
  /** The files that the turns after it wrote which are left out. They stay as they were written. */
  readonly leftOutFiles: readonly string[];
}

/**
 * The latest turn that left its reference in the chat. After an edit of an older request it is the one before it.
 * Answers without a reference, e.g. to most slash commands, do not hide it. A turn that a model refused to end is left
 * out when the model refuses what comes right after it too: then it refuses what was done in that turn.
 */
export function goingOn(history: History): GoingOn {
  const turns: { readonly ref: TurnRef; readonly answer: vscode.ChatResponseTurn }[] = [];
  let leftOutFiles: readonly string[] = [];
  for (const answer of history) {
    if (!(answer instanceof vscode.ChatResponseTurn)) continue;
    const ref = turnRef(answer);
    if (ref) {
      turns.push({ ref, answer });
      if (answer.command === undefined) leftOutFiles = [];
      continue;
    }
    if (!isRefused(answer)) continue;
    // A command, e.g. a compaction, goes with the turn before it.
    const last = turns.findLastIndex((turn) => turn.answer.command === undefined);
    if (!isRefused(turns[last]?.answer)) continue;
    leftOutFiles = [...leftOutFiles, ...turns.splice(last).flatMap((turn) => filesOf(turn.answer))];
  }
  return { previous: turns.at(-1)?.ref, leftOutFiles };
}

/** Metadata of an answer that a model refused at once: the conversation goes on as if it had not been asked. */
export const REFUSED_TURN = { ...NO_TURN, refused: true };

/** Metadata of an answer that a model refused when work was done: the conversation goes on from that. */
export function refusedWork(
  ref: TurnRef,
  files: readonly string[],
): { readonly [key: string]: unknown } {
  return { ...ref, refused: true, files };
}

/** The words of the requests behind it, in order: their turns were cut off by a crash or a reload. */
export function unfinishedRequests(history: History): readonly string[] {
  const last = history.findLastIndex((item) => turnRef(item) !== undefined);
  return history
    .slice(last + 1)
    .flatMap((item, index, items) =>
      item instanceof vscode.ChatRequestTurn &&
      item.participant === PARTICIPANT_ID &&
      item.command === undefined &&
      !isWithoutTurn(items[index + 1])
        ? [item.prompt]
        : [],
    );
}

/**
 * The words of both sides, and the names of what was attached. Slash commands and answers of our own are left out: they
 * were no conversation with the model. So is what a model refused: it would refuse all that comes after it too.
 */
export function visibleHistory(history: History): readonly Message[] {
  const messages: Message[] = [];
  for (const [index, item] of history.entries()) {
    if (item.command !== undefined) continue;
    if (isWithoutTurn(item) || isRefused(item) || isRefused(history[index + 1])) continue;
    if (item instanceof vscode.ChatRequestTurn) {
      const content = requestBlocks(item);
      if (content.length > 0) messages.push({ role: 'user', content });
      continue;
    }
    const text = responseText(item);
    if (text !== '') messages.push({ role: 'assistant', content: [{ type: 'text', text }] });
  }
  return messages[0]?.role === 'assistant' ? messages.slice(1) : messages;
}

function requestBlocks({ prompt, references }: vscode.ChatRequestTurn): readonly UserBlock[] {
  const names = attachedReferences(references).map(referenceName);
  const words = prompt.trim() === '' ? [] : userText(prompt).content;
  return [...names.map(forgottenAttachment), ...words];
}

function isWithoutTurn(answer: History[number] | undefined): boolean {
  return answer instanceof vscode.ChatResponseTurn && answer.result.metadata?.['noTurn'] === true;
}

function isRefused(answer: History[number] | undefined): boolean {
  return answer instanceof vscode.ChatResponseTurn && answer.result.metadata?.['refused'] === true;
}

function filesOf({ result }: vscode.ChatResponseTurn): readonly string[] {
  const files: unknown = result.metadata?.['files'];
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : [];
}

function turnRef(item: History[number]): TurnRef | undefined {
  if (!(item instanceof vscode.ChatResponseTurn)) return undefined;
  const sessionId: unknown = item.result.metadata?.['sessionId'];
  const turnId: unknown = item.result.metadata?.['turnId'];
  return typeof sessionId === 'string' && typeof turnId === 'string'
    ? { sessionId, turnId }
    : undefined;
}

function responseText(turn: History[number]): string {
  if (!(turn instanceof vscode.ChatResponseTurn)) return '';
  return turn.response
    .flatMap((part) => (part instanceof vscode.ChatResponseMarkdownPart ? [part.value.value] : []))
    .join('')
    .trim();
}
