// The tokens of a session in one sentence.

import * as vscode from 'vscode';
import type { SessionUsage } from '../sessions/session.ts';
import { figure, percent } from './figures.ts';

/** Empty where no model has told what it counted. */
export function usageText({
  input,
  output,
  cacheRead,
  cacheWrite,
  requests,
}: SessionUsage): string {
  const all = input + cacheRead + cacheWrite;
  if (all === 0) return '';
  const inputText =
    cacheRead > 0
      ? vscode.l10n.t('{0} in ({1} from the cache)', figure(all), percent(cacheRead / all))
      : vscode.l10n.t('{0} in', figure(all));
  const tokens = vscode.l10n.t('{0}, {1} out', inputText, figure(output));
  return requests === 1
    ? vscode.l10n.t('Tokens of the session: {0}, 1 request', tokens)
    : vscode.l10n.t('Tokens of the session: {0}, {1} requests', tokens, figure(requests));
}
