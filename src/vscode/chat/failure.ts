// What a person is told of a model that failed: its own sentence first, then what helps, with a button where one does
// it. What a server says is not in our hand, so no link in it hides where it leads.

import * as vscode from 'vscode';
import type { ModelError } from '../../models/model.ts';
import { plainLine } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { newChatButton, otherModelButton, setKeyButton, showLogButton } from './buttons.ts';
import type { NextStep } from './followups.ts';

interface Failure {
  readonly error: ModelError;
  /** Whether the person picked a model of ours: only that is opened by our key. */
  readonly isOwnModel: boolean;
  /** Whether something was said or done before. */
  readonly isBegun: boolean;
}

/** Markdown for the error of an answer. */
export function failureText({ error, isOwnModel, isBegun }: Failure): string {
  if (error.kind === 'overflow') return paragraphs([tooLongText(), modelSentence(error)]);
  return paragraphs([
    modelSentence(error),
    advice(error.kind, isOwnModel),
    isBegun && canGoOn(error)
      ? vscode.l10n.t(
          'What was said and done so far is kept, and the next request goes on from there.',
        )
      : '',
  ]);
}

/** Of a model that declined. `isLeftOut` says whether its request is. */
export function refusalText(error: ModelError, isLeftOut: boolean): string {
  return paragraphs([
    modelSentence(error),
    isLeftOut
      ? vscode.l10n.t(
          'From the next request on, this one is left out of the conversation. Put it in other words, or pick another model in the model picker.',
        )
      : vscode.l10n.t(
          'What it had done stays, and the next request goes on from there: say what is left in other words, or pick another model in the model picker. When that is declined too, this request is left out of the conversation.',
        ),
  ]);
}

export function failureButtons(
  response: vscode.ChatResponseStream,
  { error: { kind, cause }, isOwnModel }: Omit<Failure, 'isBegun'>,
): void {
  switch (kind) {
    case 'auth':
      if (isOwnModel) setKeyButton(response);
      else otherModelButton(response);
      return;
    case 'overflow':
      newChatButton(response);
      return;
    case 'rateLimit':
    case 'overloaded':
    case 'refused':
      otherModelButton(response);
      return;
    case 'other':
      // Without a cause the model has answered, if with nothing that is of use.
      if (cause === undefined) return;
      // It may not be there, or not be paid for.
      otherModelButton(response);
      showLogButton(response);
      return;
    case 'network':
    case 'cancelled':
      return;
  }
}

export function stepsAfterFailure({ error, isBegun }: Omit<Failure, 'isOwnModel'>): NextStep[] {
  return canGoOn(error) ? [{ kind: isBegun ? 'continue' : 'tryAgain' }] : [];
}

/** A request that is too long, or that the model declined, would fail again. */
function canGoOn({ kind }: ModelError): boolean {
  return kind !== 'overflow' && kind !== 'refused' && kind !== 'cancelled';
}

/** Without its cause, which says the same in the words of a program. */
function modelSentence({ sentence }: ModelError): string {
  return plainLine(sentenceText(sentence));
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function tooLongText(): string {
  return vscode.l10n.t(
    'This conversation has become too long for the model. Start a new chat; your memories come along.',
  );
}

/** Empty where the sentence of the error says what helps, or a button does. */
function advice(kind: ModelError['kind'], isOwnModel: boolean): string {
  switch (kind) {
    case 'auth':
      return isOwnModel
        ? ''
        : vscode.l10n.t(
            'Allow the model when VS Code asks, sign in to its provider again, or pick another model in the model picker.',
          );
    case 'rateLimit':
      return vscode.l10n.t('Wait a while, or pick another model in the model picker.');
    case 'overloaded':
      return isOwnModel
        ? ''
        : vscode.l10n.t('Wait a few minutes, or pick another model in the model picker.');
    case 'overflow':
    case 'network':
    case 'refused':
    case 'cancelled':
    case 'other':
      return '';
  }
}
