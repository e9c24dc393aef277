// What @memory says when it is asked nothing: what it is for, what it knows here, and what one might say. Needs no
// model and no key, and says in an untrusted workspace what is off.

import * as vscode from 'vscode';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { figure } from '../text/figures.ts';
import { memoriesButton, trustButton, walkthroughButton } from './buttons.ts';
import type { NextStep } from './followups.ts';
import { inputLink, linkedMarkdown } from './inputLink.ts';
import { untrustedText } from './untrustedLine.ts';

interface Samples {
  /** Whether something is remembered. */
  readonly known: boolean;
  readonly hasFolder: boolean;
}

/** What may be wanted next. `scopes` is undefined when the workspace is not trusted. */
export async function showWelcome(
  scopes: MemoryScopes | undefined,
  response: vscode.ChatResponseStream,
): Promise<readonly NextStep[]> {
  const opening = vscode.l10n.t(
    'I work on the files that are open here, and tomorrow I still know what you told me today about yourself and the project.',
  );
  if (!scopes) {
    response.markdown(`${opening}\n\n${untrustedText()}`);
    trustButton(response);
    return [{ kind: 'help' }];
  }
  const { records } = await scopes.list();
  const known = records.length > 0;
  const hasFolder = scopes.workspace.length > 0;
  response.markdown(
    linkedMarkdown(
      [
        opening,
        countText(records.length),
        vscode.l10n.t('You can say, for example:'),
        samplesText({ known, hasFolder }),
      ].join('\n\n'),
    ),
  );
  if (known) memoriesButton(response);
  else walkthroughButton(response);
  return [
    ...(known ? ([{ kind: 'showAll' }] as const) : []),
    ...(!known && hasFolder ? ([{ kind: 'lookAround' }] as const) : []),
    { kind: 'help' },
  ];
}

/** As a list of links. */
export function samplesText({ known, hasFolder }: Samples): string {
  const prompts = [
    vscode.l10n.t('I prefer tabs over spaces. Remember that.'),
    ...(hasFolder ? [vscode.l10n.t('How is this project built and tested?')] : []),
    ...(known ? [vscode.l10n.t('What did I tell you about my preferences?')] : []),
  ];
  return prompts.map((prompt) => `- ${inputLink(prompt)}`).join('\n');
}

function countText(count: number): string {
  if (count === 0) return vscode.l10n.t('Nothing is remembered here yet.');
  return count === 1
    ? vscode.l10n.t('I know one memory here.')
    : vscode.l10n.t('I know {0} memories here.', figure(count));
}
