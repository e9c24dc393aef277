// Questions with one answer beside leaving: a message with a button, and a dialog that must be answered.

import * as vscode from 'vscode';

/** Whether the person presses the button. */
export async function offer(message: string, button: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(message, button)) === button;
}

/** Whether the person presses the button. */
export async function offerAfterWarning(message: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, button)) === button;
}

/** Whether the person agrees to what cannot just be done. */
export async function confirm(question: {
  readonly text: string;
  readonly detail?: string;
  readonly button: string;
}): Promise<boolean> {
  const { text, button, ...rest } = question;
  const options = { modal: true, ...rest };
  return (await vscode.window.showWarningMessage(text, options, button)) === button;
}
