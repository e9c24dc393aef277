// The sentences of the core in the language of the editor.

import * as vscode from 'vscode';
import { Sentence, sentenceOf, type Said } from '../../base/sentence.ts';
import { figure } from './figures.ts';

/** A text that is no sentence of ours, such as one of the system, stays as it is. */
export function sentenceText(said: Said): string {
  if (typeof said === 'string') return said;
  const values = said.values.map((value) => {
    if (value instanceof Sentence) return sentenceText(value);
    return typeof value === 'number' ? figure(value) : value;
  });
  return vscode.l10n.t(said.template, ...values);
}

/** One line for a caught value of any kind, for a person; `errorText` is the same for the log. */
export function errorSentence(error: unknown): string {
  return sentenceText(sentenceOf(error));
}
