// A prompt as a link that writes it into the chat's input, where it can be changed before it is sent.

import * as vscode from 'vscode';
import { PARTICIPANT_NAME } from '../../manifest.ts';
import { commandTarget } from '../text/commandTarget.ts';
import { plainMarkdown } from '../text/plainText.ts';

const OPEN_CHAT = 'workbench.action.chat.open';
const OPEN_SETTINGS = 'workbench.action.openSettings';

/** Markdown in which those links work that are made here. */
export function linkedMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: [OPEN_CHAT, OPEN_SETTINGS] };
  return markdown;
}

export function inputLink(prompt: string): string {
  const query = `@${PARTICIPANT_NAME} ${prompt}`;
  const target = commandTarget(OPEN_CHAT, { query, isPartialQuery: true });
  return `[${plainMarkdown(prompt)}](${target} "${vscode.l10n.t('Write this into the chat input')}")`;
}

/** The address of a link that opens the settings with this filter. */
export function settingsTarget(filter: string): string {
  return commandTarget(OPEN_SETTINGS, filter);
}
