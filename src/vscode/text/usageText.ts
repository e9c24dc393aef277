// The tokens of a conversation in one line.

import * as vscode from 'vscode';
import type { SessionUsage } from '../../sessions/session.ts';
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
  return cacheRead > 0
    ? vscode.l10n.t(
        'Tokens of this conversation: {0} in ({1} from the cache), {2} out; requests: {3}',
        figure(all),
        percent(cacheRead / all),
        figure(output),
        figure(requests),
      )
    : vscode.l10n.t(
        'Tokens of this conversation: {0} in, {1} out; requests: {2}',
        figure(all),
        figure(output),
        figure(requests),
      );
}
