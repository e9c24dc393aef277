// /help: what one can say, where memories lie, what is sent to whom, and where all of it is set. Needs no model.

import * as vscode from 'vscode';
import { EXTENSION_ID, SLASH_COMMANDS, type SlashCommand } from '../../manifest.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { figure } from '../text/figures.ts';
import { memoriesButton, trustButton, walkthroughButton } from './buttons.ts';
import type { NextStep } from './followups.ts';
import { linkedMarkdown, settingsTarget } from './inputLink.ts';
import { untrustedText } from './untrustedLine.ts';
import { samplesText } from './welcome.ts';

/** What may be wanted next. `scopes` is undefined when the workspace is not trusted. */
export async function showHelp(
  scopes: MemoryScopes | undefined,
  response: vscode.ChatResponseStream,
): Promise<readonly NextStep[]> {
  // Without trust the scopes are not known, but there is a folder: only its content is trusted or not.
  const hasFolder = scopes === undefined || scopes.workspace.length > 0;
  const kept = scopes ? await countText(scopes) : '';
  const sections = [
    ...(scopes ? [] : [untrustedText()]),
    section(
      vscode.l10n.t('What you can say'),
      vscode.l10n.t(
        'Whatever you would ask a colleague who works on these files. After each turn I save what you said that is meant to last; you need not ask for it. For example:',
      ),
      samplesText({ known: true, hasFolder }),
    ),
    section(vscode.l10n.t('Commands'), commandsText()),
    section(
      vscode.l10n.t('Where memories live'),
      vscode.l10n.t(
        'Each is a Markdown file in `.memory/` of the workspace folder, which git leaves out until you share it. Personal memories lie in VS Code’s own storage and go with you into every workspace.',
      ),
      kept,
    ),
    section(
      vscode.l10n.t('What is sent'),
      vscode.l10n.t(
        'Your words, what you attach, the recalled memories and the results of tools go to the model that you picked. Short questions, such as which memories fit, may go to a smaller one, as the setting `memoryAgent.utilityModel` says. Nothing goes anywhere else, unless another agent of the editor looks memories up with `#memoryRecall`. What looks like a key or a password is not saved in a memory.',
      ),
    ),
    section(
      vscode.l10n.t('Settings and shortcuts'),
      vscode.l10n.t(
        'What is saved, recalled and asked about is up to [the settings]({0}). F1 opens the command palette, which holds all commands under “Memory”. In the Memories view the context menu holds what can be done with a memory.',
        settingsTarget(`@ext:${EXTENSION_ID}`),
      ),
    ),
  ];
  response.markdown(linkedMarkdown(sections.join('\n\n')));
  if (!scopes) trustButton(response);
  else memoriesButton(response);
  walkthroughButton(response);
  return kept === '' ? [] : [{ kind: 'showAll' }];
}

function section(title: string, ...texts: readonly string[]): string {
  return [`**${title}**`, ...texts.filter((text) => text !== '')].join('\n\n');
}

/** In the order in which they are offered. */
function commandsText(): string {
  const texts: Record<SlashCommand, string> = {
    remember: vscode.l10n.t(
      '`/remember I prefer tabs` saves these words; `project:`, `feedback:` or `reference:` in front says what type of memory they are',
    ),
    recall: vscode.l10n.t(
      '`/recall tabs` shows the memories that match, and without words the newest',
    ),
    forget: vscode.l10n.t('`/forget tabs` finds memories and offers to delete them'),
    consolidate: vscode.l10n.t(
      '`/consolidate` lets the model propose what to merge and what to retire, and you pick',
    ),
    compact: vscode.l10n.t(
      '`/compact the port numbers` puts a summary in place of the conversation so far, with the port numbers in it',
    ),
    context: vscode.l10n.t('`/context` shows what fills the model’s window'),
    help: vscode.l10n.t('`/help` shows this'),
  };
  return SLASH_COMMANDS.map((command) => `- ${texts[command]}`).join('\n');
}

/** Empty when there are none. */
async function countText(scopes: MemoryScopes): Promise<string> {
  const { records } = await scopes.list();
  if (records.length === 0) return '';
  const personal = records.filter((record) => scopes.scopeOf(record)?.kind === 'personal').length;
  return vscode.l10n.t(
    'Now: {0} in the workspace, {1} personal.',
    figure(records.length - personal),
    figure(personal),
  );
}
