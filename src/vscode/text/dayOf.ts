// A day as the person's language writes it.

import * as vscode from 'vscode';

export function dayOf(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(time);
}
