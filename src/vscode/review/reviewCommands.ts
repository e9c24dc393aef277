// Accept, Reject, Show Difference and Accept All of proposed memories. What cannot be accepted goes on waiting.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { settleEach } from '../../base/atMost.ts';
import { acceptProposal as accept } from '../../memory/review/acceptProposal.ts';
import { StaleRecordError, type Change } from '../../memory/change.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { offer } from '../host/ask.ts';
import { workOneByOne, workThrough } from '../host/progress.ts';
import { undoing } from '../host/undoing.ts';
import { plainLine } from '../text/plainText.ts';
import { closeProposal, showProposal, showProposals } from './proposalDifference.ts';
import { listProposals, proposalPathsIn, type ProposalRow } from './proposalRows.ts';
import { quotedNames } from '../text/recordNames.ts';
import { scopeLabel, tellingScope } from '../text/scopeLabel.ts';
import { TYPE_ICONS } from '../text/typeIcons.ts';
import { errorSentence } from '../text/sentenceText.ts';

type Notify = (changes: readonly Change[]) => void;

export async function acceptProposal(
  scopes: MemoryScopes,
  args: readonly unknown[],
  notify: Notify,
): Promise<void> {
  const rows = await chooseProposals(scopes, args, vscode.l10n.t('Choose a memory to accept'));
  const [only, another] = rows;
  if (!only || another) return acceptEach(rows, notify);
  try {
    notify([await acceptRow(only)]);
  } catch (error) {
    const { target } = only;
    if (!(error instanceof StaleRecordError) || !target) throw error;
    // Not over what is written after the question either.
    if (await wantsToReplace(only)) notify([await acceptRow(only, { replaceNewer: target.hash })]);
  }
}

export async function acceptAllProposals(scopes: MemoryScopes, notify: Notify): Promise<void> {
  const { rows } = await listProposals(scopes);
  if (rows.length === 0) tellNothing();
  await acceptEach(rows, notify);
}

export async function rejectProposal(
  scopes: MemoryScopes,
  args: readonly unknown[],
): Promise<void> {
  const rows = await chooseProposals(scopes, args, vscode.l10n.t('Choose a memory to reject'));
  const rejected: ProposalRow[] = [];
  try {
    await workOneByOne(rows, {
      title: vscode.l10n.t('Rejecting proposed memories…'),
      work: async (row) => {
        await row.scope.store.proposals.reject(row.proposal);
        rejected.push(row);
        await closeProposal(row.proposal);
      },
    });
  } finally {
    // Also when a later one failed: what was rejected can be taken back.
    if (rejected.length > 0) void offerToTakeBack(rejected);
  }
}

export async function diffProposal(scopes: MemoryScopes, args: readonly unknown[]): Promise<void> {
  await showProposals(
    await chooseProposals(scopes, args, vscode.l10n.t('Choose a memory to look at')),
  );
}

/** As one change to undo. Throws naming those that go on waiting. */
async function acceptEach(rows: readonly ProposalRow[], notify: Notify): Promise<void> {
  const group = randomUUID();
  const changes: Change[] = [];
  try {
    await workThrough(rows, {
      title: vscode.l10n.t('Accepting proposed memories…'),
      atATime: 1,
      work: async (some) => {
        const { done, failures } = await settleEach(some, 1, (row) => acceptRow(row, { group }));
        changes.push(...done);
        return failures.map(({ item, error }) => ({ error: ofProposal(item, error) }));
      },
    });
  } finally {
    if (changes.length > 0) notify(changes);
  }
}

function ofProposal({ proposal }: ProposalRow, error: unknown): Error {
  return new Error(`${quotedNames([proposal.fields])}: ${errorSentence(error)}`);
}

async function acceptRow(
  { scope, proposal }: ProposalRow,
  options?: Parameters<typeof accept>[2],
): Promise<Change> {
  const change = await accept(proposal, scope.store, options);
  await closeProposal(proposal);
  return change;
}

/** The text that was to be replaced is another by now. */
async function wantsToReplace(row: ProposalRow): Promise<boolean> {
  const difference = vscode.l10n.t('Show Difference');
  const replace = vscode.l10n.t('Replace');
  const name = quotedNames([row.target ?? row.proposal.fields]);
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('The memory {0} has changed since this was proposed.', name),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Replacing it puts the proposed text in the place of what stands there now. You can undo this.',
      ),
    },
    difference,
    replace,
  );
  if (answer === difference) await showProposal(row);
  return answer === replace;
}

async function offerToTakeBack(rejected: readonly ProposalRow[]): Promise<void> {
  const names = quotedNames(rejected.map(({ proposal }) => proposal.fields));
  const text = vscode.l10n.t('Rejected, and not proposed again: {0}', names);
  if (!(await offer(text, vscode.l10n.t('Undo')))) return;
  try {
    await undoing(async (onProgress) => {
      for (const [index, { scope, proposal }] of rejected.entries()) {
        await scope.store.proposals.takeBack(proposal);
        onProgress(index + 1, rejected.length);
      }
    });
  } catch (error) {
    const reason = plainLine(errorSentence(error));
    void vscode.window.showErrorMessage(vscode.l10n.t('The rejection was not undone: {0}', reason));
  }
}

/** Those that the command was given, else one that the person picks. Throws when one waits no more. */
async function chooseProposals(
  scopes: MemoryScopes,
  args: readonly unknown[],
  placeHolder: string,
): Promise<readonly ProposalRow[]> {
  const { rows } = await listProposals(scopes);
  const paths = proposalPathsIn(args);
  if (paths.length > 0) {
    const given = rows.filter(({ proposal }) => paths.includes(proposal.path));
    if (given.length === paths.length) return given;
    throw new Error(vscode.l10n.t('It no longer waits for review.'));
  }
  if (rows.length === 0) {
    tellNothing();
    return [];
  }
  const items = rows.map((row) => {
    const scope = tellingScope(row.scope, scopes);
    return {
      label: plainLine(row.proposal.fields.name),
      iconPath: new vscode.ThemeIcon(TYPE_ICONS[row.proposal.fields.type]),
      description: plainLine(row.proposal.fields.description),
      ...(scope && { detail: plainLine(scopeLabel(scope)) }),
      row,
    };
  });
  const options = { placeHolder, matchOnDescription: true };
  const picked = await vscode.window.showQuickPick(items, options);
  return picked ? [picked.row] : [];
}

function tellNothing(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing to review.'));
}
