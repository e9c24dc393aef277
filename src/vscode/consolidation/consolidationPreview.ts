// What a consolidation would change, to pick from: all is picked but what touches a text that a person wrote. A button
// shows the difference, and the list comes back after it.

import * as vscode from 'vscode';
import { COMMANDS } from '../../manifest.ts';
import type { PlannedChange } from '../../memory/consolidation/changeSet.ts';
import type { RefusedChange } from '../../memory/consolidation/changeSetCheck.ts';
import type { ConsolidationPlan } from '../../memory/consolidation/consolidationPlan.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { pickMany, type PickItem } from '../picks/buttonPick.ts';
import {
  changeText,
  detailText,
  handEditedText,
  refusalText,
  refusedText,
} from './consolidationText.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { figure } from '../text/figures.ts';
import { plainLine } from '../text/plainText.ts';
import { showDifference } from '../host/readOnlyText.ts';
import { scopeLabel, tellingScope } from '../text/scopeLabel.ts';

export interface ScopePlan {
  readonly scope: Scope;
  readonly plan: ConsolidationPlan;
}

export interface ProposedChange {
  readonly scope: Scope;
  readonly change: PlannedChange;
}

/** There is at least one change in the plans. Undefined when the person leaves. */
export function pickChanges(
  plans: readonly ScopePlan[],
  scopes: MemoryScopes,
): Promise<readonly ProposedChange[] | undefined> {
  const proposed = plans.flatMap(({ scope, plan }) =>
    plan.changes.map((change) => ({ scope, change })),
  );
  const refused = plans.flatMap(({ plan }) => plan.refused);
  return pickMany<ProposedChange>({
    title: titleText(proposed.length),
    placeholder: vscode.l10n.t('Choose what to change; the rest stays as it is'),
    items: [
      ...proposed.map((each) => itemOf(each, scopes)),
      ...(refused.length > 0 ? pickGroup(vscode.l10n.t('Left out'), [refusedItem(refused)]) : []),
    ],
    onButton: async ({ value }, aside) => {
      if (value) await aside(() => lookAt(value.change));
      else await vscode.commands.executeCommand(COMMANDS.showLog);
    },
  });
}

function titleText(count: number): string {
  return count === 1
    ? vscode.l10n.t('Consolidation proposes 1 change')
    : vscode.l10n.t('Consolidation proposes {0} changes', figure(count));
}

function itemOf(proposed: ProposedChange, scopes: MemoryScopes): PickItem<ProposedChange> {
  const { change } = proposed;
  const scope = tellingScope(proposed.scope, scopes);
  const facts = [...(scope ? [plainLine(scopeLabel(scope))] : []), handEditedText(change)];
  return {
    label: changeText(change),
    description: facts.filter((fact) => fact !== '').join(' · '),
    detail: detailText(change),
    picked: change.handEdited.length === 0,
    buttons: [
      { iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Show Difference') },
    ],
    value: proposed,
  };
}

function refusedItem(refused: readonly RefusedChange[]): PickItem<ProposedChange> {
  return {
    label: refusedText(refused),
    detail: refused.map(refusalText).join(' '),
    buttons: [{ iconPath: new vscode.ThemeIcon('output'), tooltip: vscode.l10n.t('Show Log') }],
  };
}

/** The list would cover the difference, so a single line stands in its place. */
async function lookAt(change: PlannedChange): Promise<void> {
  const what = changeText(change);
  const title = vscode.l10n.t('{0} (Now ↔ Proposed)', what);
  const isKept = change.kind !== 'retire';
  await showDifference({
    name: (isKept ? change.fields : change.sources[0])?.name ?? '',
    before: change.sources.map(textOf).join('\n'),
    after: isKept ? textOf(change.fields) : '',
    title,
  });
  const back = { label: vscode.l10n.t('Back to All Changes') };
  const options = { title: what, placeHolder: detailText(change), ignoreFocusOut: true };
  // Esc goes back as well.
  await vscode.window.showQuickPick([back], options);
  await closePreview(title);
}

/** A tab that the person has kept stays. */
async function closePreview(title: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(({ label, isPreview }) => label === title && isPreview);
  await vscode.window.tabGroups.close(shown, true);
}

/** For a person to read; what consolidation leaves alone of a file would only be in the way. */
function textOf({ name, description, type, body }: Readable): string {
  return `# ${name}\n\n${description}\n\n(${type})\n\n${body.trim()}\n`;
}

interface Readable {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
}
