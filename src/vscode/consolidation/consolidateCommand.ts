// Memory: Consolidate. Asks the model while a progress shows, has the person pick from what it proposes, and does what
// is picked as one change to undo. Until then nothing is changed. The log has the reasons.

import * as vscode from 'vscode';
import type { OpenMemory } from '../../agent/learning/learning.ts';
import { whenAborted } from '../../base/aborted.ts';
import { COMMANDS } from '../../manifest.ts';
import type { Change } from '../../memory/change.ts';
import type { PlannedChange } from '../../memory/consolidation/changeSet.ts';
import { ConsolidationBusyError } from '../../memory/consolidation/consolidationRuns.ts';
import { newConsolidationId } from '../../memory/folder/journal.ts';
import type { Model } from '../../models/model.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { pickChanges, type ProposedChange, type ScopePlan } from './consolidationPreview.ts';
import { refusedText } from './consolidationText.ts';
import type { ModelChoice } from '../models/modelChoice.ts';
import { offer, offerAfterWarning } from '../host/ask.ts';
import { offerTrust } from '../host/offerTrust.ts';
import { figure } from '../text/figures.ts';
import { quotedNames } from '../text/recordNames.ts';
import { abortSignalOf } from '../host/signals.ts';

interface ConsolidateDeps {
  /** Undefined when the workspace is not trusted. */
  readonly memory: OpenMemory | undefined;
  readonly chooseModel: () => Promise<ModelChoice>;
  readonly notify: (changes: readonly Change[]) => void;
  /** Of what asked for it, besides the button of the progress. */
  readonly stop?: AbortSignal | undefined;
}

/** Throws when the model or its answer failed; nothing is changed then. */
export async function consolidate(deps: ConsolidateDeps): Promise<void> {
  if (!deps.memory) return offerTrust();
  const { scopes } = deps.memory;
  const stores = await consolidable(scopes);
  const count = stores.reduce((sum, { records }) => sum + records, 0);
  if (count === 0) {
    inform(vscode.l10n.t('There is nothing to consolidate yet.'));
    return;
  }
  const choice = await deps.chooseModel();
  if (choice.kind === 'missingKey') return offerKey();
  if (choice.kind === 'problem') throw new Error(choice.problem);

  try {
    const { learning } = deps.memory;
    const plans = await planEach(stores, count, {
      learning,
      model: choice.utility,
      stop: deps.stop,
    });
    if (!plans) return;
    if (plans.every(({ plan }) => plan.changes.length === 0)) return tellNothing(plans, count);
    const picked = await pickChanges(plans, scopes);
    if (picked && picked.length > 0) await apply(picked, { ...deps, memory: deps.memory });
  } catch (error) {
    if (!(error instanceof ConsolidationBusyError)) throw error;
    inform(
      vscode.l10n.t(
        'Another window is consolidating these memories. They stay as they are here. Try again when it is done.',
      ),
    );
  }
}

interface Consolidable {
  readonly scope: Scope;
  readonly records: number;
}

/** The scopes with at least two records. */
async function consolidable({ all }: MemoryScopes): Promise<readonly Consolidable[]> {
  const scopes = all.map(async (scope) => ({
    scope,
    records: (await scope.store.list()).records.length,
  }));
  return (await Promise.all(scopes)).filter(({ records }) => records >= 2);
}

/** Each by itself: what is personal is never merged into what a repository may share. Undefined when stopped. */
function planEach(
  stores: readonly Consolidable[],
  count: number,
  {
    learning,
    model,
    stop,
  }: Pick<OpenMemory, 'learning'> & Pick<ConsolidateDeps, 'stop'> & { readonly model: Model },
): Thenable<readonly ScopePlan[] | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Looking for what to consolidate in {0} memories…', figure(count)),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const { signal: cancelled, dispose } = abortSignalOf(token);
    const signal = stop ? AbortSignal.any([cancelled, stop]) : cancelled;
    // It may still wait behind what is being learned.
    const stopped = whenAborted(signal).then(() => undefined);
    const plan = async (): Promise<readonly ScopePlan[] | undefined> => {
      const plans: ScopePlan[] = [];
      for (const { scope } of stores)
        plans.push({ scope, plan: await learning.planConsolidation(scope.store, model, signal) });
      return plans;
    };
    try {
      return await Promise.race([plan(), stopped]);
    } finally {
      dispose();
    }
  });
}

/** All as one change to undo, whatever scopes it is in. */
async function apply(
  picked: readonly ProposedChange[],
  { memory, notify }: ConsolidateDeps & { readonly memory: OpenMemory },
): Promise<void> {
  const group = newConsolidationId();
  const changes: Change[] = [];
  const left: PlannedChange[] = [];
  const title = vscode.l10n.t('Consolidating memories…');
  try {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title },
      async () => {
        for (const [{ store }, planned] of byScope(picked)) {
          const done = await memory.learning.applyConsolidation(store, planned, group);
          changes.push(...done.changes);
          left.push(...done.left);
        }
      },
    );
  } finally {
    // Also when a later scope failed: what was changed can be undone.
    if (changes.length > 0) notify(changes);
  }
  if (left.length === 0) return;
  const names = quotedNames(left.flatMap(({ sources }) => sources));
  inform(vscode.l10n.t('Left as they are, since they have changed meanwhile: {0}', names));
}

function byScope(picked: readonly ProposedChange[]): ReadonlyMap<Scope, readonly PlannedChange[]> {
  const groups = Map.groupBy(picked, ({ scope }) => scope);
  return new Map(
    [...groups].map(([scope, proposed]) => [scope, proposed.map(({ change }) => change)]),
  );
}

async function tellNothing(plans: readonly ScopePlan[], count: number): Promise<void> {
  const refused = plans.flatMap(({ plan }) => plan.refused);
  if (refused.length === 0) {
    inform(
      vscode.l10n.t('Nothing to consolidate: all {0} memories stay as they are.', figure(count)),
    );
    return;
  }
  const message = vscode.l10n.t(
    'All {0} memories stay as they are. {1}.',
    figure(count),
    refusedText(refused),
  );
  if (await offer(message, vscode.l10n.t('Show Log')))
    await vscode.commands.executeCommand(COMMANDS.showLog);
}

async function offerKey(): Promise<void> {
  const message = vscode.l10n.t('Consolidating needs a model. Set an Anthropic API key.');
  if (await offerAfterWarning(message, vscode.l10n.t('Set API Key')))
    await vscode.commands.executeCommand(COMMANDS.setApiKey);
}

/** Not awaited: a notification without buttons may stay as long as it likes. */
function inform(message: string): void {
  void vscode.window.showInformationMessage(message);
}
