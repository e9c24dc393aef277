// Shows what a proposed memory would be: against the text that it would replace, or by itself. The front matter is as
// it will be, too.

import * as vscode from 'vscode';
import { readBytesIfPresent } from '../base/files.ts';
import { printRecord, reviseRecord } from '../memory/record.ts';
import { plainLine } from './plainText.ts';
import type { ProposalRow } from './proposalRows.ts';
import { showDifference, showText } from './readOnlyText.ts';

export async function showProposal({ proposal, target }: ProposalRow): Promise<void> {
  const fields = { ...proposal.fields, source: 'extraction' };
  const now = new Date();
  const before = target && (await readBytesIfPresent(target.path))?.toString();
  if (!target || before === undefined) {
    await showText(
      vscode.l10n.t('{0} (Proposed)', plainLine(fields.name)),
      printRecord(fields, now),
    );
    return;
  }
  await showDifference({
    name: target.name,
    before,
    after: reviseRecord(before, fields, now),
    title: vscode.l10n.t('{0} (Now ↔ Proposed)', plainLine(target.name)),
  });
}
