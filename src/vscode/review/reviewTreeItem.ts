// How a proposed memory looks in the review view, in its hover and to a screen reader. Its words come from a model:
// the hover is neither trusted nor HTML, and every mark in it is escaped.

import * as vscode from 'vscode';
import { COMMANDS, TREE_CONTEXT } from '../../manifest.ts';
import type { Doubt } from '../../memory/extraction/policy.ts';
import type { Proposal } from '../../memory/review/proposals.ts';
import { dayOf } from '../text/dayOf.ts';
import { listText } from '../text/listText.ts';
import { excerpt, plainLine, plainMarkdown } from '../text/plainText.ts';
import type { ProposalRow } from './proposalRows.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { TYPE_ICONS } from '../text/typeIcons.ts';

/** What is replaced stands below what is proposed, which is what is to be read. */
const REPLACED_EXCERPT = { lines: 8, characters: 400 };

export interface ShownProposal extends ProposalRow {
  /** Whether the scope tells something here. */
  readonly isScopeNamed: boolean;
}

/** Without the hover, which is made when it is asked for. */
export function proposalItem(row: ShownProposal): vscode.TreeItem {
  const { proposal, scope, isScopeNamed } = row;
  const { name, description, type } = proposal.fields;
  const item = new vscode.TreeItem(name);
  item.id = proposal.path;
  item.description = [
    ...(isScopeNamed ? [scopeLabel(scope)] : []),
    ...originTag(row),
    ...doubtTag(row),
    description,
  ].join(' · ');
  item.iconPath = new vscode.ThemeIcon(
    proposal.kind === 'update' ? 'diff-modified' : TYPE_ICONS[type],
  );
  item.contextValue = TREE_CONTEXT.proposal;
  item.command = {
    command: COMMANDS.diffProposal,
    title: vscode.l10n.t('Show Difference'),
    arguments: [proposal.path],
  };
  const marks = [...originMark(row), ...doubtMark(row)];
  const label = [name, kindText(row), ...scopeMark(row), description, ...marks];
  item.accessibilityInformation = { label: listText(label) };
  return item;
}

export function proposalTooltip(row: ShownProposal): vscode.MarkdownString {
  const { proposal } = row;
  const { name, description, type, body } = proposal.fields;
  const heading = plainMarkdown(plainLine(description));
  const parts = [
    `**${heading}**`,
    plainMarkdown(body),
    ...replacedParts(row),
    `---\n\n${[
      vscode.l10n.t('{0}, of type {1}', kindText(row), type),
      ...(row.isScopeNamed ? [vscode.l10n.t('For {0}', plainLine(scopeLabel(row.scope)))] : []),
      vscode.l10n.t('Name: {0}', plainLine(name)),
      ...quoteText(row),
      originText(row),
      ...doubtMark(row),
      ...dateLine(row),
    ]
      .map(plainMarkdown)
      .join('  \n')}`,
  ];
  return new vscode.MarkdownString(parts.join('\n\n'));
}

function replacedParts({ proposal, target }: ShownProposal): string[] {
  if (proposal.kind === 'add') return [];
  if (!target)
    return [
      plainMarkdown(
        vscode.l10n.t(
          'The memory that this would change is no longer there: {0}',
          fileOf(proposal),
        ),
      ),
    ];
  const heading = plainMarkdown(vscode.l10n.t('In place of'));
  return [
    `*${heading}*`,
    `**${plainMarkdown(plainLine(target.description))}**`,
    plainMarkdown(excerpt(target.body, REPLACED_EXCERPT)),
  ];
}

function fileOf({ target }: ShownProposal['proposal']): string {
  return target?.file ?? '';
}

function kindText({ proposal, target }: ShownProposal): string {
  if (proposal.kind === 'add') return vscode.l10n.t('New memory');
  return target && target.name !== proposal.fields.name
    ? vscode.l10n.t('Change to the memory “{0}”', plainLine(target.name))
    : vscode.l10n.t('Change to a memory');
}

function quoteText({ proposal }: ShownProposal): string[] {
  const quote = plainLine(proposal.quote);
  return quote === '' ? [] : [vscode.l10n.t('Based on: “{0}”', quote)];
}

function originText({ proposal }: ShownProposal): string {
  const lines: Record<Proposal['from'], string> = {
    person: vscode.l10n.t('You said this.'),
    agent: vscode.l10n.t('Another agent of the editor proposes this.'),
    pasted: vscode.l10n.t('You pasted this; others may have written it.'),
    assistant: vscode.l10n.t('The assistant said this, not you.'),
  };
  return lines[proposal.from];
}

function dateLine({ proposal }: ShownProposal): string[] {
  const time = Date.parse(proposal.at);
  return Number.isNaN(time) ? [] : [vscode.l10n.t('Proposed: {0}', dayOf(time))];
}

function scopeMark({ scope, isScopeNamed }: ShownProposal): string[] {
  return isScopeNamed ? [vscode.l10n.t('for {0}', scopeLabel(scope))] : [];
}

/** In the row, so that words of others do not pass for the person's own. */
function originTag({ proposal }: ShownProposal): string[] {
  const tags: Record<Proposal['from'], string[]> = {
    person: [],
    pasted: [vscode.l10n.t('pasted')],
    assistant: [vscode.l10n.t('assistant')],
    agent: [vscode.l10n.t('another agent')],
  };
  return tags[proposal.from];
}

/** Nothing for the person's own words. */
function originMark({ proposal }: ShownProposal): string[] {
  const marks: Record<Proposal['from'], string[]> = {
    person: [],
    pasted: [vscode.l10n.t('from what you pasted')],
    assistant: [vscode.l10n.t('said by the assistant, not by you')],
    agent: [vscode.l10n.t('proposed by another agent')],
  };
  return marks[proposal.from];
}

/** In the row: a word or two on why it waits, though the person said it. */
function doubtTag({ proposal: { doubt } }: ShownProposal): string[] {
  if (doubt === undefined) return [];
  const tags: Record<Doubt, string> = {
    unrelated: vscode.l10n.t('perhaps about something else'),
    otherLanguage: vscode.l10n.t('two languages'),
    pinned: vscode.l10n.t('pinned'),
    shrinks: vscode.l10n.t('much shorter'),
    drops: vscode.l10n.t('leaves something out'),
  };
  return [tags[doubt]];
}

function doubtMark({ proposal: { doubt } }: ShownProposal): string[] {
  if (doubt === undefined) return [];
  const sentences: Record<Doubt, string> = {
    unrelated: vscode.l10n.t('In doubt: your words may have been about something else.'),
    otherLanguage: vscode.l10n.t(
      'In doubt: your words and the memory are in two languages, so nobody could compare them.',
    ),
    pinned: vscode.l10n.t('In doubt: the memory that it changes is pinned.'),
    shrinks: vscode.l10n.t('In doubt: a long memory would be replaced by much less.'),
    drops: vscode.l10n.t('In doubt: it leaves out something that the memory says now.'),
  };
  return [sentences[doubt]];
}
