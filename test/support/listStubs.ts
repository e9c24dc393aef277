// Answers to pick lists that are made piece by piece (createQuickPick), with their buttons.

import { afterEach } from 'mocha';
import * as vscode from 'vscode';
import type { PickItem } from '../../src/vscode/picks/buttonPick.ts';

/** What a person sees of a list, and what they can do with it. */
export interface ShownList {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly PickItem<unknown>[];
  readonly selectedItems: readonly PickItem<unknown>[];
  readonly onDidHide: vscode.Event<void>;
  /** Those between a separator with this label and the next. */
  under(label: string): readonly PickItem<unknown>[];
  select(...items: readonly PickItem<unknown>[]): void;
  press(item: PickItem<unknown> | undefined): void;
  accept(): void;
  leave(): void;
}

/** Registers a hook that undoes the stub, and returns the function that sets what a person does with a list. */
export function useListStub(): (act: (list: ShownList) => void | Promise<void>) => void {
  const original = vscode.window.createQuickPick;
  afterEach(() => {
    Object.defineProperty(vscode.window, 'createQuickPick', {
      value: original,
      configurable: true,
    });
  });
  return (act) => {
    Object.defineProperty(vscode.window, 'createQuickPick', {
      value: () => fakeList(act),
      configurable: true,
    });
  };
}

function fakeList(act: (list: ShownList) => void | Promise<void>) {
  const accepted = new vscode.EventEmitter<void>();
  const hidden = new vscode.EventEmitter<void>();
  const pressed = new vscode.EventEmitter<{ item: PickItem<unknown> }>();
  const selected = new vscode.EventEmitter<readonly PickItem<unknown>[]>();
  const list = {
    title: '',
    placeholder: '',
    items: [] as readonly PickItem<unknown>[],
    selectedItems: [] as readonly PickItem<unknown>[],
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    onDidTriggerItemButton: pressed.event,
    onDidChangeSelection: selected.event,
    show: () => queueMicrotask(() => void act(list)),
    hide: () => hidden.fire(),
    dispose: () => undefined,
    under(label: string) {
      const isSeparator = ({ kind }: vscode.QuickPickItem) =>
        kind === vscode.QuickPickItemKind.Separator;
      const start = list.items.findIndex((item) => isSeparator(item) && item.label === label);
      if (start < 0) return [];
      const rest = list.items.slice(start + 1);
      const end = rest.findIndex(isSeparator);
      return end < 0 ? rest : rest.slice(0, end);
    },
    select(...items: readonly PickItem<unknown>[]) {
      list.selectedItems = items;
      selected.fire(items);
    },
    press(item: PickItem<unknown> | undefined) {
      if (!item) throw new Error('There is no such item.');
      pressed.fire({ item });
    },
    accept: () => accepted.fire(),
    leave: () => hidden.fire(),
  };
  return list;
}
