// Shows what a proposed memory would be: against the text that it would replace, or by itself. The front matter is as
// it will be, too. The editor has buttons to accept and reject it, and closes when that is done.

import * as vscode from 'vscode';
import { readBytesIfPresent } from '../../base/files.ts';
import { PROPOSAL_SCHEME } from '../../manifest.ts';
import { sourceOf } from '../../memory/review/proposalFile.ts';
import type { Proposal } from '../../memory/review/proposals.ts';
import { printRecord, reviseRecord } from '../../memory/record.ts';
import { plainLine } from '../text/plainText.ts';
import type { ProposalRow } from './proposalRows.ts';
import { readOnlyText, showDifference, showText } from '../host/readOnlyText.ts';

/** Several are looked at one after the other, so each keeps its tab. */
export async function showProposals(rows: readonly ProposalRow[]): Promise<void> {
  for (const row of rows) await showProposal(row, { preview: rows.length === 1 });
}

export async function showProposal(
  { proposal, target }: ProposalRow,
  options: { readonly preview: boolean } = { preview: true },
): Promise<void> {
  const fields = { ...proposal.fields, source: sourceOf(proposal) };
  const now = new Date();
  const before = target && (await readBytesIfPresent(target.path))?.toString();
  if (!target || before === undefined) {
    const text = readOnlyText(fields.name, printRecord(fields, now), proposal.path);
    await showText(vscode.l10n.t('{0} (Proposed)', plainLine(fields.name)), text, options);
    return;
  }
  const difference = {
    name: target.name,
    before,
    after: readOnlyText(target.name, reviseRecord(before, fields, now), proposal.path),
    title: vscode.l10n.t('{0} (Now ↔ Proposed)', plainLine(target.name)),
  };
  await showDifference(difference, options);
}

/** What no longer waits is not to be looked at any more. */
export async function closeProposal({ path }: Proposal): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const over = tabs.filter((tab) => {
    const uri = shownIn(tab);
    return uri?.scheme === PROPOSAL_SCHEME && uri.fragment === path;
  });
  if (over.length > 0) await vscode.window.tabGroups.close(over, true);
}

function shownIn({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
