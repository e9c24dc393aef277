// What a person may press at the end of an answer to go on: at most three, and none where nothing is likely to be
// wanted. An answer leaves them in its result, as kinds, so that they are said in the language of the window.

import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { plainLine, shorten } from '../text/plainText.ts';

/** More than these are not read. */
const MOST_SHOWN = 3;
/** Of words in the title of one. */
const TITLE_CHARS = 40;

const NextStep = z.object({
  kind: z.enum([
    'continue',
    'tryAgain',
    'askAgain',
    'compact',
    'showAll',
    'sumUp',
    'lookAround',
    'help',
  ]),
  /** Those of the request, for the kinds that say them again. */
  words: z.optional(z.string()),
});
const Steps = z.object({ nextSteps: z.array(NextStep) });
export type NextStep = z.infer<typeof NextStep>;

/** For the metadata of an answer. */
export function nextSteps(...steps: readonly NextStep[]): z.infer<typeof Steps> {
  return { nextSteps: steps.slice(0, MOST_SHOWN) };
}

export function followupsOf({ metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
  const parsed = Steps.safeParse(metadata);
  // Left out, the command would be that of the answer.
  return parsed.success
    ? parsed.data.nextSteps.map((step) => ({ command: '', ...said(step) }))
    : [];
}

function said({ kind, words = '' }: NextStep): vscode.ChatFollowup {
  switch (kind) {
    case 'continue':
      return { prompt: vscode.l10n.t('Continue') };
    case 'tryAgain':
      return { prompt: vscode.l10n.t('Try again') };
    case 'askAgain':
      return { prompt: words, label: vscode.l10n.t('Ask again') };
    case 'compact':
      return { command: 'compact', prompt: '', label: vscode.l10n.t('Compact this conversation') };
    case 'showAll':
      return { command: 'recall', prompt: '', label: vscode.l10n.t('Show what is remembered') };
    case 'sumUp': {
      const topic = shorten(plainLine(words), TITLE_CHARS);
      const label = vscode.l10n.t('Sum up what you remember about “{0}”', topic);
      return { prompt: vscode.l10n.t('What do you remember about {0}? Sum it up.', words), label };
    }
    case 'lookAround':
      return { prompt: lookAroundPrompt() };
    case 'help':
      return { command: 'help', prompt: '', label: vscode.l10n.t('What else can I say?') };
  }
}

/** It makes a model look at the project, so that what it finds can be proposed as memories. */
export function lookAroundPrompt(): string {
  return vscode.l10n.t('What is worth remembering about this project?');
}
