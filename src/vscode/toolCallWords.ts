// What a person reads of a tool call: the line while it runs, and the question before one that changes something.
// Input is shown as the model wrote it and unchecked, so all of it stands in code marks.

import * as vscode from 'vscode';
import type { Caller } from '../agent/caller.ts';
import type { FileChange, Tool } from '../agent/tools.ts';
import { lineDiff } from '../base/lineDiff.ts';
import type { JsonObject } from '../models/model.ts';
import { beginning, codeBlock, codeSpan, pathSpan } from './codeMarkdown.ts';
import { shortDiff, shortLines } from './shortDiff.ts';

/** Enough to judge a change by; VS Code shows the whole input below it. */
const SHOWN = { lines: 60, characters: 6_000 };

/** A step of a sub-agent stands below the line of its task. */
export function invocationMessage(
  tool: Tool,
  input: JsonObject,
  caller?: Caller,
): vscode.MarkdownString {
  const text = invocationText(tool, input);
  return new vscode.MarkdownString(caller?.task === undefined ? text : `↳ ${text}`);
}

/** Only for a tool that needs the person's consent. `change` is what the call would do to a file. */
export function confirmationMessages(
  tool: Tool,
  input: JsonObject,
  change?: FileChange,
): vscode.LanguageModelToolConfirmationMessages {
  const { title, body } = question(tool, input, change);
  return { title, message: new vscode.MarkdownString(body) };
}

function invocationText(tool: Tool, input: JsonObject): string {
  const path = pathSpan(text(input, 'path'));
  const pattern = codeSpan(text(input, 'pattern'));
  switch (tool.name) {
    case 'read_file':
      return vscode.l10n.t('Reading {0}', path);
    case 'write_file':
      return vscode.l10n.t('Writing {0}', path);
    case 'edit_file':
      return vscode.l10n.t('Editing {0}', path);
    case 'glob':
      return vscode.l10n.t('Finding files {0}', pattern);
    case 'grep':
      return vscode.l10n.t('Searching for {0}', pattern);
    case 'bash':
      return vscode.l10n.t('Running {0}', codeSpan(text(input, 'command')));
    case 'task':
      return vscode.l10n.t('Task: {0}', codeSpan(text(input, 'title')));
    case 'todo_write':
      return vscode.l10n.t('Updating the checklist');
    case 'load_skill':
      return text(input, 'name') === ''
        ? vscode.l10n.t('Looking for skills')
        : vscode.l10n.t('Loading the skill {0}', codeSpan(text(input, 'name')));
    case 'compact':
      return vscode.l10n.t('Summarising the conversation after this step');
    case 'search_history':
      return historyText(input);
    case 'save_memory':
      return vscode.l10n.t('Saving the memory {0}', codeSpan(text(input, 'name')));
    case 'search_memory':
      return vscode.l10n.t('Searching memories for {0}', codeSpan(text(input, 'query')));
    default:
      return vscode.l10n.t('Running {0}', codeSpan(tool.name));
  }
}

function historyText(input: JsonObject): string {
  const message = input['message'];
  return typeof message === 'number'
    ? vscode.l10n.t('Reading message {0} of an earlier conversation', message)
    : vscode.l10n.t('Searching earlier conversations for {0}', codeSpan(text(input, 'query')));
}

function question(
  tool: Tool,
  input: JsonObject,
  change: FileChange | undefined,
): { title: string; body: string } {
  if (change) return changeQuestion(change);
  const path = pathSpan(text(input, 'path'));
  switch (tool.name) {
    // Of a call that will fail, so that there is no change to show.
    case 'write_file':
      return { title: vscode.l10n.t('Write {0}?', path), body: inputBlock(input) };
    case 'edit_file':
      return { title: vscode.l10n.t('Edit {0}?', path), body: inputBlock(input) };
    case 'bash':
      // Never shortened: what does harm may stand at the end.
      return {
        title: vscode.l10n.t('Run this command?'),
        body: codeBlock(text(input, 'command'), 'sh'),
      };
    default:
      return {
        title: vscode.l10n.t('Run {0}?', codeSpan(tool.name)),
        body: inputBlock(input),
      };
  }
}

function changeQuestion(change: FileChange): { title: string; body: string } {
  const { shown, before, after, savesEdits } = change;
  const file = pathSpan(shown);
  const { added, removed, text: diff } = lineDiff(before ?? '', after);
  const parts = [
    // The title has room for its two ends.
    ...(file === codeSpan(shown, Infinity) ? [] : [codeBlock(shown)]),
    ...(savesEdits ? [vscode.l10n.t('Your unsaved edits to this file will be saved too.')] : []),
  ];
  if (before === undefined) {
    const title = vscode.l10n.t('Create {0} (+{1})?', file, added);
    return { title, body: [...parts, shortBlock(shortLines(after), '')].join('\n\n') };
  }
  const title = vscode.l10n.t('Change {0} (+{1} −{2})?', file, added, removed);
  const difference =
    diff === '' ? vscode.l10n.t('Only the line ends change.') : shortBlock(shortDiff(diff), 'diff');
  return { title, body: [...parts, difference].join('\n\n') };
}

function inputBlock(input: JsonObject): string {
  return shortBlock(JSON.stringify(input, undefined, 2), 'json');
}

function shortBlock(content: string, language: string): string {
  const { text, linesLeftOut } = beginning(content, SHOWN);
  const block = codeBlock(text, language);
  if (linesLeftOut === 0) return block;
  const note =
    linesLeftOut === 1
      ? vscode.l10n.t('… and 1 more line.')
      : vscode.l10n.t('… and {0} more lines.', linesLeftOut);
  return `${block}\n\n${note}`;
}

/** A call with a wrong input is asked about all the same; the tool then says what is wrong. */
function text(input: JsonObject, key: string): string {
  const value = input[key];
  return typeof value === 'string' ? value : '';
}
