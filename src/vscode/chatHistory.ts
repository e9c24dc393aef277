// What a chat still holds of its earlier turns: the reference to our session in the last result, and the text
// that VS Code shows, for a session that is not known any more.

import * as vscode from 'vscode';
import { userText, type Message } from '../models/model.ts';
import type { TurnRef } from '../sessions/sessionStore.ts';

type History = vscode.ChatContext['history'];

/** The latest turn that left its reference in the chat. After an edit of an older request it is the one before it. */
export function previousTurn(history: History): TurnRef | undefined {
  for (const item of history.toReversed()) {
    if (!(item instanceof vscode.ChatResponseTurn)) continue;
    const sessionId: unknown = item.result.metadata?.['sessionId'];
    const turnId: unknown = item.result.metadata?.['turnId'];
    if (typeof sessionId === 'string' && typeof turnId === 'string') return { sessionId, turnId };
  }
  return undefined;
}

/** The words of both sides. Slash commands are left out: they were no conversation with the model. */
export function visibleHistory(history: History): readonly Message[] {
  const messages: Message[] = [];
  for (const item of history) {
    if (item.command !== undefined) continue;
    if (item instanceof vscode.ChatRequestTurn) {
      if (item.prompt.trim() !== '') messages.push(userText(item.prompt));
      continue;
    }
    const text = responseText(item);
    if (text !== '') messages.push({ role: 'assistant', content: [{ type: 'text', text }] });
  }
  return messages[0]?.role === 'assistant' ? messages.slice(1) : messages;
}

function responseText(turn: History[number]): string {
  if (!(turn instanceof vscode.ChatResponseTurn)) return '';
  return turn.response
    .flatMap((part) => (part instanceof vscode.ChatResponseMarkdownPart ? [part.value.value] : []))
    .join('')
    .trim();
}
