// What an import would add, to choose from: what is new is picked, what is known or holds a secret is not, and what
// cannot be imported says why. A button shows the full text.

import path from 'node:path';
import * as vscode from 'vscode';
import type { ImportProblem } from '../../memory/exchange/importCandidate.ts';
import type { PlannedImport } from '../../memory/exchange/importPlan.ts';
import type { NewRecord } from '../../memory/record.ts';
import { secretKind } from '../../memory/secrets/secrets.ts';
import { pickMany, type PickItem } from '../picks/buttonPick.ts';
import { pickGroup } from '../picks/pickGroup.ts';
import { figure } from '../text/figures.ts';
import { plainLine } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { createPreviewTexts } from './previewText.ts';

interface Preview {
  readonly plan: readonly PlannedImport[];
  readonly problems: readonly ImportProblem[];
  /** Where it would go, as the person knows it. */
  readonly target: string;
}

/** What the person chose; undefined when they leave. */
export async function previewImport({
  plan,
  problems,
  target,
}: Preview): Promise<readonly NewRecord[] | undefined> {
  const fresh = plan.filter(({ kind }) => kind === 'new');
  const preview = createPreviewTexts();
  try {
    return await pickMany<NewRecord>({
      title: vscode.l10n.t('Import into “{0}”', target),
      placeholder: placeholder(fresh.length),
      items: [
        ...pickGroup(vscode.l10n.t('New'), fresh.map(itemOf)),
        ...pickGroup(vscode.l10n.t('Already remembered'), ofKind(plan, 'duplicate')),
        ...pickGroup(vscode.l10n.t('With secrets'), ofKind(plan, 'secret')),
        ...pickGroup(vscode.l10n.t('Cannot be imported'), problems.map(problemItem)),
      ],
      onButton: async ({ value }) => {
        if (value) await preview.show(value.name, textOf(value));
      },
    });
  } finally {
    preview.dispose();
  }
}

function placeholder(fresh: number): string {
  if (fresh === 0) return vscode.l10n.t('Nothing is new. Choose what to import all the same');
  if (fresh === 1) return vscode.l10n.t('1 new memory. Choose what to import');
  return vscode.l10n.t('{0} new memories. Choose what to import', figure(fresh));
}

type Item = PickItem<NewRecord>;

function ofKind(plan: readonly PlannedImport[], kind: PlannedImport['kind']): readonly Item[] {
  return plan.filter((planned) => planned.kind === kind).map(itemOf);
}

function itemOf(planned: PlannedImport): Item {
  const { record, candidate } = planned;
  const { path: file, heading } = candidate.origin;
  const origin = [path.basename(file), ...(heading === undefined ? [] : [heading])].join(' › ');
  const facts = [record?.type ?? candidate.record.type, plainLine(origin), remark(planned)];
  return {
    label: plainLine(record?.name ?? path.basename(file)),
    description: facts.filter((fact) => fact !== '').join(' · '),
    detail: plainLine(record?.description ?? ''),
    picked: planned.kind === 'new',
    ...(record && {
      value: record,
      buttons: [
        {
          iconPath: new vscode.ThemeIcon('open-preview'),
          tooltip: vscode.l10n.t('Show Full Text'),
        },
      ],
    }),
  };
}

function remark(planned: PlannedImport): string {
  switch (planned.kind) {
    case 'new':
      return '';
    case 'duplicate': {
      const { of } = planned;
      return of.kind === 'record'
        ? vscode.l10n.t('already remembered as “{0}”', plainLine(of.record.name))
        : vscode.l10n.t('the same as “{0}” above', plainLine(of.candidate.record.name));
    }
    case 'secret': {
      const kind = sentenceText(secretKind(planned.rule));
      return planned.record
        ? vscode.l10n.t('holds {0}, will be saved redacted', kind)
        : vscode.l10n.t('holds {0} that cannot be taken out', kind);
    }
  }
}

function problemItem({ path: file, problem }: ImportProblem): Item {
  return { label: plainLine(path.basename(file)), detail: plainLine(sentenceText(problem)) };
}

function textOf({ name, description, type, body }: NewRecord): string {
  return `# ${name}\n\n${description}\n\n(${type})\n\n---\n\n${body}\n`;
}
