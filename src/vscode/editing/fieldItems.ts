// The keys that a memory may have and has not yet, and the values that a key takes, each with what it means.

import * as vscode from 'vscode';
import { printScalar } from '../../memory/frontMatter.ts';
import { MEMORY_TYPES } from '../../memory/record.ts';
import { shorten, plainLine } from '../text/plainText.ts';
import { typeMeaning } from '../text/typeMeaning.ts';
import { comingDays } from './comingDays.ts';
import { keyMeaning } from './keyMeaning.ts';

/** What a person writes, in the order of a file; the other keys are set for them. */
const OFFERED_KEYS = ['name', 'description', 'type', 'pinned', 'expires', 'supersedes'] as const;
/** Visible characters of what stands beside an item. */
const DETAIL_CHARS = 80;

interface Place {
  readonly range: vscode.Range;
  /** What has to stand before the value. */
  readonly gap: string;
  readonly names: readonly { readonly name: string; readonly description: string }[];
}

export function keyItems(present: readonly string[], range: vscode.Range): vscode.CompletionItem[] {
  return OFFERED_KEYS.filter((key) => !present.includes(key)).map((key, order) => {
    const item = new vscode.CompletionItem(key, vscode.CompletionItemKind.Property);
    item.range = range;
    item.documentation = keyMeaning(key);
    item.sortText = String(order);
    // Nobody adds a key to say that the memory is not pinned.
    item.insertText = `${key}: ${key === 'pinned' ? 'true' : ''}`;
    // Where there is a choice it is offered at once.
    if (key === 'type' || key === 'expires' || key === 'supersedes')
      item.command = { command: 'editor.action.triggerSuggest', title: '' };
    return item;
  });
}

export function valueItems(key: string | undefined, place: Place): vscode.CompletionItem[] {
  return choices(key, place).map((choice, order) => valueItem(choice, order, place));
}

interface Choice {
  readonly value: string;
  readonly detail: string;
}

function choices(key: string | undefined, { names }: Place): readonly Choice[] {
  if (key === 'type') return MEMORY_TYPES.map((value) => ({ value, detail: typeMeaning(value) }));
  if (key === 'pinned') return ['true', 'false'].map((value) => ({ value, detail: '' }));
  if (key === 'supersedes')
    return names.map(({ name, description }) => ({ value: name, detail: description }));
  if (key !== 'expires') return [];
  return comingDays(new Date()).map(({ date, words }) => ({ value: date, detail: words }));
}

function valueItem(
  { value, detail }: Choice,
  order: number,
  { range, gap }: Place,
): vscode.CompletionItem {
  const description = shorten(plainLine(detail), DETAIL_CHARS);
  const item = new vscode.CompletionItem(
    { label: value, description },
    vscode.CompletionItemKind.Value,
  );
  item.range = range;
  item.insertText = gap + (/^[\w-]+$/.test(value) ? value : printScalar(value));
  item.sortText = String(order).padStart(ORDER_CHARS, '0');
  // Compared with what is written there, where the gap is missing.
  item.filterText = value;
  return item;
}

/** Digits. Sorted as text, so that the first ten are not mixed with the next hundred. */
const ORDER_CHARS = 5;
