// The model's checklist in the chat. Check boxes of Markdown: VS Code draws them in the colours of the theme, a screen
// reader speaks them, and a copy of the answer keeps them. The steps are the model's words, so no mark in them acts.

import * as vscode from 'vscode';
import type { Todo } from '../../agent/events.ts';
import { codeSpan } from '../text/codeMarkdown.ts';
import { figure } from '../text/figures.ts';
import { plainMarkdown } from '../text/plainText.ts';

/** At an answer's end: more would push its words out of view. */
const MOST_REPEATED = 12;

/** What each answer has shown, as long as it is being written. */
const shownIn = new WeakMap<vscode.ChatResponseStream, readonly Todo[]>();

/** The whole list when its steps are new, and only what moved when they are the same. */
export function showChecklist(response: vscode.ChatResponseStream, todos: readonly Todo[]): void {
  const before = shownIn.get(response) ?? [];
  shownIn.set(response, todos);
  const moved = movedTodos(before, todos);
  if (!moved) response.markdown(checklistText(todos));
  else if (moved.length > 0) response.markdown(`\n\n${moved.map(line).join('\n')}\n\n`);
}

/** Whether the chat shows all of a list when it follows another one. */
export function isShownWhole(before: readonly Todo[], after: readonly Todo[]): boolean {
  const moved = movedTodos(before, after);
  return !moved || moved.length === after.length;
}

/** The list as it stands, to be read at a glance: of a long one what is done and what comes after the next step is left out. */
export function checklistInShort(todos: readonly Todo[]): string {
  const next = todos.findIndex(({ status }) => status === 'pending');
  const isAtHand = ({ status }: Todo, index: number) => status === 'in_progress' || index === next;
  return todos.length > MOST_REPEATED
    ? listText(todos, todos.filter(isAtHand))
    : checklistText(todos);
}

/** The list as it stands. */
function checklistText(todos: readonly Todo[]): string {
  if (todos.length === 0) return `\n\n_${vscode.l10n.t('The checklist is empty.')}_\n\n`;
  return listText(todos, todos);
}

function listText(todos: readonly Todo[], shown: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const heading = vscode.l10n.t('Checklist: {0} of {1} done', figure(done), figure(todos.length));
  return `\n\n**${heading}**\n\n${shown.map(line).join('\n')}\n\n`;
}

/** Those with another status. Undefined when the steps are others. */
function movedTodos(before: readonly Todo[], after: readonly Todo[]): readonly Todo[] | undefined {
  const isSame =
    before.length === after.length &&
    before.every(({ content }, index) => content === after[index]?.content);
  return isSame ? after.filter(({ status }, index) => status !== before[index]?.status) : undefined;
}

function line({ content, status }: Todo): string {
  const text = withCode(plainMarkdown(content.replaceAll(/\s+/g, ' ')));
  switch (status) {
    case 'completed':
      return `- [x] ${text}`;
    case 'in_progress':
      // A box has no third state, and bold alone would not be spoken.
      return `- [ ] ${vscode.l10n.t('**{0}** (in progress)', text)}`;
    case 'pending':
      return `- [ ] ${text}`;
  }
}

/** Models name files and commands as code, which is all that may be set apart. */
function withCode(escaped: string): string {
  return escaped.replaceAll(/\\`(.+?)\\`/g, (_, inner: string) =>
    codeSpan(inner.replaceAll(/\\(.)/g, '$1'), Infinity),
  );
}
