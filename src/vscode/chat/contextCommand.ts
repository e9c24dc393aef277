// /context: what fills the model's window in this chat, how far it is to the next compaction, and what the session
// has used. Asks no model.

import * as vscode from 'vscode';
import { indexInPrompt } from '../../agent/systemPrompt.ts';
import { sharedListing, type SessionDeps, type SessionRequest } from '../../agent/sessionDeps.ts';
import { newSystemPrompt } from '../../agent/sessionPrompt.ts';
import { roomForInput, triggerTokens } from '../../context/policy.ts';
import { windowAccount, type WindowPart } from '../../context/windowAccount.ts';
import type { Model } from '../../models/model.ts';
import type { SessionView } from '../../sessions/session.ts';
import { lastCompactionText } from '../text/compactionText.ts';
import { exactPercent, figure } from '../text/figures.ts';
import { markdownTable } from '../text/markdownTable.ts';
import { plainMarkdown } from '../text/plainText.ts';
import { tokenBar } from '../text/tokenBar.ts';
import { usageText } from '../text/usageText.ts';
import { windowPartName } from '../text/windowPartName.ts';
import type { NextStep } from './followups.ts';

/** Of what is there until a compaction: less is not worth one. */
const WORTH_COMPACTING = 1 / 2;

/** What may be wanted next. */
export async function showContext(
  deps: SessionDeps,
  request: SessionRequest,
  response: vscode.ChatResponseStream,
): Promise<readonly NextStep[]> {
  const { previous, unfinished, visibleHistory, tools, compaction } = request;
  const view = await deps.sessions.find(previous, unfinished);
  const system =
    view?.systemPrompt() ?? (await newSystemPrompt(deps, request, sharedListing(deps)));
  const parts = windowAccount({
    system,
    index: indexInPrompt(system),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    messages: view?.working() ?? visibleHistory,
    factor: factor(deps, request, view),
  });
  const trigger = triggerTokens(request.model.limits, compaction);
  const isNew = view === undefined && visibleHistory.length === 0;
  response.markdown(
    [
      ...(isNew
        ? [vscode.l10n.t('Nothing has been said in this chat yet. A first request holds:')]
        : []),
      windowText(parts, request.model),
      [triggerText(trigger, compaction.maxTokens), ...sessionTexts(view)]
        .map((text) => `- ${text}`)
        .join('\n'),
    ].join('\n\n'),
  );
  return !isNew && tokensOf(parts) > trigger * WORTH_COMPACTING ? [{ kind: 'compact' }] : [];
}

function tokensOf(parts: readonly WindowPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The whole in one line with a bar, then its parts. */
function windowText(parts: readonly WindowPart[], model: Model): string {
  const { input } = model.limits;
  const used = tokensOf(parts);
  const reserve = input - roomForInput(model.limits);
  const whole = vscode.l10n.t(
    'About {0} of {1} tokens ({2})',
    figure(used),
    figure(input),
    exactPercent(used / input),
  );
  const row = (name: string, tokens: number) => [
    name,
    figure(tokens),
    exactPercent(tokens / input),
  ];
  const filled = parts.filter(({ tokens }) => tokens > 0);
  const table = markdownTable(
    [vscode.l10n.t('Part'), vscode.l10n.t('Tokens'), vscode.l10n.t('Share')],
    [
      ...filled.map(({ part, tokens }) => row(windowPartName(part), tokens)),
      row(vscode.l10n.t('For the answer'), reserve),
      row(vscode.l10n.t('Free'), Math.max(0, input - reserve - used)),
    ],
  );
  const name = plainMarkdown(model.name);
  return `**${whole}** · ${name}\n\n\`${tokenBar(used / input)}\`\n\n${table}`;
}

function triggerText(trigger: number, maxTokens: number): string {
  return trigger === maxTokens
    ? vscode.l10n.t(
        'Compaction begins at {0} tokens, by the setting `memoryAgent.context.maxTokens`.',
        figure(trigger),
      )
    : vscode.l10n.t('Compaction begins at {0} tokens.', figure(trigger));
}

function sessionTexts(view: SessionView | undefined): string[] {
  const last = view?.lastCompaction();
  const usage = view ? usageText(view.usage()) : '';
  return [...(last ? [lastCompactionText(last)] : []), ...(usage === '' ? [] : [usage])];
}

/** How the model counts, from the last request that it answered, also after a reload. */
function factor(
  { compactor }: SessionDeps,
  { model }: SessionRequest,
  view: SessionView | undefined,
) {
  if (!view) return 1;
  const key = { sessionId: view.ref.sessionId, modelId: model.id };
  const last = view.lastRequest();
  if (last?.model === model.id) {
    const { input, cacheRead, cacheWrite } = last.usage;
    compactor.calibrate(key, { estimate: last.estimate, tokens: input + cacheRead + cacheWrite });
  }
  return compactor.factor(key);
}
