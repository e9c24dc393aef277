// How a row of the memory tree looks and what it tells a screen reader. Labels in trees are plain text to VS Code.

import * as vscode from 'vscode';
import { TREE_CONTEXT } from '../../manifest.ts';
import { writtenAt } from '../../memory/recordTime.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { plainLine, plainMarkdown } from '../text/plainText.ts';
import { relativeTime } from '../text/relativeTime.ts';
import { scopeLabel } from '../text/scopeLabel.ts';
import { sentenceText } from '../text/sentenceText.ts';
import { TYPE_ICONS } from '../text/typeIcons.ts';
import { typeMeaning } from '../text/typeMeaning.ts';
import { nodeId, recalledIn } from './memoryNodes.ts';
import type { DamagedNode, GroupNode, MemoryNode, RecordNode, ScopeNode } from './memoryNodes.ts';

const GROUP_ICONS: Record<GroupNode['group'], string> = {
  ...TYPE_ICONS,
  damaged: 'error',
};

/** What was recalled for the last request; one that is pinned keeps the pin. */
const RECALLED_ICON = 'comment-discussion';
const RECALLED_COLOR = 'charts.blue';

/** Of no file: with the scheme of files every extension that marks files would mark these rows too. */
const SHARED_SCHEME = 'memory-agent-shared';

/** `now` is in milliseconds since 1970. */
export function treeItem(node: MemoryNode, now: number): vscode.TreeItem {
  const item = itemFor(node, now);
  item.id = nodeId(node);
  return item;
}

/** The letter behind the memories that git takes, as VS Code marks changed files. */
export function registerSharedBadge(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === SHARED_SCHEME
        ? new vscode.FileDecoration('G', vscode.l10n.t('Shared with Git'))
        : undefined,
  });
}

function itemFor(node: MemoryNode, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'scope':
      return scopeItem(node);
    case 'group':
      return groupItem(node);
    case 'record':
      return recordItem(node, now);
    case 'damaged':
      return damagedItem(node);
  }
}

function scopeItem({ scope, count, children }: ScopeNode): vscode.TreeItem {
  const item = parentItem(scopeLabel(scope), count, children.length);
  item.iconPath = new vscode.ThemeIcon(scope.kind === 'personal' ? 'person' : 'root-folder');
  item.contextValue = TREE_CONTEXT.scope;
  item.tooltip =
    scope.kind === 'personal'
      ? vscode.l10n.t('Your own memories, which go with you into every folder')
      : scope.store.folder;
  return item;
}

function groupItem(node: GroupNode): vscode.TreeItem {
  const { group, children } = node;
  const item = parentItem(groupLabel(group), children.length, children.length);
  const recalled = recalledIn(node);
  // Its memories may be out of sight.
  if (recalled > 0)
    item.description = vscode.l10n.t(
      '{0} · {1} recalled',
      figure(children.length),
      figure(recalled),
    );
  item.iconPath = new vscode.ThemeIcon(GROUP_ICONS[group]);
  item.contextValue = TREE_CONTEXT.group;
  item.tooltip = groupMeaning(group);
  if (group === 'damaged') {
    const label = vscode.l10n.t('Damaged, number of files: {0}', figure(children.length));
    item.accessibilityInformation = { label };
  } else if (recalled > 0) {
    const label = vscode.l10n.t(
      '{0}, number of memories: {1}, recalled for the last request: {2}',
      groupLabel(group),
      figure(children.length),
      figure(recalled),
    );
    item.accessibilityInformation = { label };
  }
  return item;
}

function parentItem(label: string, count: number, rows: number): vscode.TreeItem {
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, rows > 0 ? Expanded : None);
  item.description = figure(count);
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, number of memories: {1}', label, figure(count)),
  };
  return item;
}

function recordItem(node: RecordNode, now: number): vscode.TreeItem {
  const { record, scope, shared, recalled, age } = node;
  const { name, path, description, pinned } = record;
  const item = fileItem(name, path);
  // In front, since a narrow side bar cuts the end.
  item.description = [...(recalled ? [vscode.l10n.t('recalled')] : []), age, description].join(
    ' · ',
  );
  item.iconPath = recordIcon(node);
  const sharing = scope.kind === 'personal' ? [] : [shared ? 'shared' : 'private'];
  item.contextValue = [
    TREE_CONTEXT.record,
    pinned ? 'pinned' : 'unpinned',
    scope.kind,
    ...sharing,
  ].join(' ');
  if (shared) item.resourceUri = vscode.Uri.from({ scheme: SHARED_SCHEME, path });
  const marks = [
    ...(pinned ? [vscode.l10n.t('pinned')] : []),
    ...(shared ? [vscode.l10n.t('shared with Git')] : []),
    ...(recalled ? [vscode.l10n.t('recalled for the last request')] : []),
  ];
  const written = relativeTime(writtenAt(record), now);
  item.accessibilityInformation = { label: listText([name, ...marks, description, written]) };
  return item;
}

function recordIcon({ record: { pinned }, recalled }: RecordNode): vscode.ThemeIcon {
  if (!recalled) return new vscode.ThemeIcon(pinned ? 'pinned' : 'note');
  const color = new vscode.ThemeColor(RECALLED_COLOR);
  return new vscode.ThemeIcon(pinned ? 'pinned' : RECALLED_ICON, color);
}

function damagedItem({ damaged }: DamagedNode): vscode.TreeItem {
  const { file, path, isFolder = false } = damaged;
  const problem = plainLine(sentenceText(damaged.problem));
  // A folder can neither be opened as a text nor be moved to the trash, which is in it.
  const item = isFolder ? new vscode.TreeItem(file) : fileItem(file, path);
  item.description = problem;
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
  if (!isFolder) item.contextValue = TREE_CONTEXT.damaged;
  item.tooltip = new vscode.MarkdownString(plainMarkdown(damagedTooltip(damaged, problem)));
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, damaged: {1}', file, problem) };
  return item;
}

function damagedTooltip({ file, isFolder }: DamagedNode['damaged'], problem: string): string {
  return isFolder
    ? vscode.l10n.t('{0}: {1}\nPut the folder itself in the place of the link.', file, problem)
    : vscode.l10n.t(
        '{0} is not a readable memory: {1}\nOpen it to fix it, or delete it.',
        file,
        problem,
      );
}

function fileItem(label: string, path: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.command = {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.file(path), { preview: true }],
  };
  return item;
}

function groupLabel(group: GroupNode['group']): string {
  // The four types are the words that stand in the files, so they are not translated.
  return group === 'damaged' ? vscode.l10n.t('Damaged') : group;
}

function groupMeaning(group: GroupNode['group']): string {
  return group === 'damaged'
    ? vscode.l10n.t('Files that cannot be read as memories')
    : typeMeaning(group);
}
