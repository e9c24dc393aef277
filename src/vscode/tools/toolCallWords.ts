// What a person reads of a tool call: the line while it runs, and the question before one that changes something.
// Input is shown as the model wrote it and unchecked, so all of it stands in code marks.

import * as vscode from 'vscode';
import type { Caller } from '../../agent/caller.ts';
import type { FileChange, Tool } from '../../agent/tools.ts';
import { lineDiff } from '../../base/lineDiff.ts';
import type { JsonObject } from '../../models/model.ts';
import { beginning, codeBlock, codeSpan, pathSpan } from '../text/codeMarkdown.ts';
import { figure } from '../text/figures.ts';
import { shortDiff, shortLines } from './shortDiff.ts';

/** Enough to judge a change by; VS Code shows the whole input below it. */
const SHOWN = { lines: 60, characters: 6_000 };
/** Characters of a line that a chat of usual width shows. */
const SHOWN_OF_COMMAND = 50;

/** A step of a sub-agent stands below the line of its task. */
export function invocationMessage(
  tool: Tool,
  input: JsonObject,
  caller?: Caller,
): vscode.MarkdownString {
  const text = invocationText(tool, input);
  return new vscode.MarkdownString(caller?.task === undefined ? text : `↳ ${text}`);
}

interface Asked {
  /** What the call would do to a file. */
  readonly change?: FileChange | undefined;
  readonly caller?: Caller | undefined;
}

/** Only for a tool that needs the person's consent. Tasks run side by side, so it says which of them asks. */
export function confirmationMessages(
  tool: Tool,
  input: JsonObject,
  { change, caller }: Asked = {},
): vscode.LanguageModelToolConfirmationMessages {
  const { title, body } = question(tool, input, change);
  const task = caller?.task;
  const asking =
    task === undefined ? [] : [vscode.l10n.t('Asked for by the task {0}.', codeSpan(task))];
  return { title, message: new vscode.MarkdownString([...asking, body].join('\n\n')) };
}

/** What the line of a tool is nothing without. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['read_file', 'path'],
  ['write_file', 'path'],
  ['edit_file', 'path'],
  ['glob', 'pattern'],
  ['grep', 'pattern'],
  ['bash', 'command'],
  ['task', 'title'],
  ['save_memory', 'name'],
  ['search_memory', 'query'],
]);

function invocationText(tool: Tool, input: JsonObject): string {
  if (lacksWords(tool, input)) return toolText(tool);
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
      return historyText(tool, input);
    case 'save_memory':
      return vscode.l10n.t('Saving the memory {0}', codeSpan(text(input, 'name')));
    case 'search_memory':
      return vscode.l10n.t('Searching memories for {0}', codeSpan(text(input, 'query')));
    default:
      return toolText(tool);
  }
}

function toolText({ name }: Tool): string {
  return vscode.l10n.t('Running {0}', codeSpan(name));
}

/** The call will fail, and the tool says of what. */
function lacksWords({ name }: Tool, input: JsonObject): boolean {
  const needed = NEEDED.get(name);
  return needed !== undefined && text(input, needed).trim() === '';
}

function historyText(tool: Tool, input: JsonObject): string {
  const message = input['message'];
  if (typeof message === 'number') {
    return vscode.l10n.t('Reading message {0} of an earlier conversation', message);
  }
  const query = text(input, 'query');
  return query.trim() === ''
    ? toolText(tool)
    : vscode.l10n.t('Searching earlier conversations for {0}', codeSpan(query));
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
      return {
        title: vscode.l10n.t('Run this command?'),
        body: commandText(text(input, 'command')),
      };
    default:
      return {
        title: vscode.l10n.t('Run {0}?', codeSpan(tool.name)),
        body: inputBlock(input),
      };
  }
}

/** Never shortened: what does harm may stand at the end. A line of a block does not wrap, so long ones follow it. */
function commandText(command: string): string {
  const long = command.split('\n').filter((line) => line.length > SHOWN_OF_COMMAND);
  return [
    codeBlock(command, 'sh'),
    ...long.map((line) => vscode.l10n.t('In full: {0}', codeSpan(line, Infinity))),
  ].join('\n\n');
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
    const title = vscode.l10n.t('Create {0} (+{1})?', file, figure(added));
    const content =
      after === '' ? vscode.l10n.t('The file is empty.') : shortBlock(shortLines(after), '');
    return { title, body: [...parts, content].join('\n\n') };
  }
  const title = vscode.l10n.t('Change {0} (+{1} −{2})?', file, figure(added), figure(removed));
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
      : vscode.l10n.t('… and {0} more lines.', figure(linesLeftOut));
  return `${block}\n\n${note}`;
}

/** A call with a wrong input is asked about all the same; the tool then says what is wrong. */
function text(input: JsonObject, key: string): string {
  const value = input[key];
  return typeof value === 'string' ? value : '';
}
