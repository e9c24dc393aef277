// Pick lists whose items have a button that shows more about them, while the list stays open.

import * as vscode from 'vscode';

export interface PickItem<Value> extends vscode.QuickPickItem {
  /** Undefined for a separator, and for an item that only tells something. */
  readonly value?: Value;
}

interface ButtonPick<Value> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly PickItem<Value>[];
  /** When it fails the list is closed, and the pick fails with its error. */
  readonly onButton: (item: PickItem<Value>, aside: Aside) => Promise<void>;
}

/** Keeps the list out of sight while something runs; then it is there again as it was. */
type Aside = (work: () => Promise<void>) => Promise<void>;

/** Undefined when the person leaves. */
export async function pickOne<Value>(pick: ButtonPick<Value>): Promise<Value | undefined> {
  const [picked] = (await ask(pick, () => undefined)) ?? [];
  return picked?.value;
}

/** Items that say `picked` are so to begin with. Undefined when the person leaves. */
export async function pickMany<Value>(
  pick: ButtonPick<Value>,
): Promise<readonly Value[] | undefined> {
  const picked = await ask(pick, (list) => {
    list.canSelectMany = true;
    list.selectedItems = pick.items.filter((item) => item.picked === true);
    list.onDidChangeSelection((selection) => {
      const real = selection.filter(({ value }) => value !== undefined);
      if (real.length < selection.length) list.selectedItems = real;
    });
  });
  return picked?.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

function ask<Value>(
  { title, placeholder, items, onButton }: ButtonPick<Value>,
  prepare: (list: vscode.QuickPick<PickItem<Value>>) => void,
): Promise<readonly PickItem<Value>[] | undefined> {
  const list = vscode.window.createQuickPick<PickItem<Value>>();
  list.title = title;
  list.placeholder = placeholder;
  list.items = items;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  // What a button shows takes the focus.
  list.ignoreFocusOut = true;
  prepare(list);
  let isAside = false;
  const aside = async (work: () => Promise<void>, item: PickItem<Value>): Promise<void> => {
    const { selectedItems } = list;
    isAside = true;
    list.hide();
    try {
      await work();
    } finally {
      isAside = false;
      // A list that was out of sight comes back empty.
      list.items = items;
      list.selectedItems = selectedItems;
      list.activeItems = [item];
      list.show();
    }
  };
  return new Promise((resolve, reject) => {
    list.onDidTriggerItemButton(({ item }) => {
      onButton(item, (work) => aside(work, item)).catch((error: unknown) => {
        reject(error);
        list.hide();
      });
    });
    list.onDidAccept(() => {
      resolve(list.selectedItems);
      list.hide();
    });
    list.onDidHide(() => {
      if (isAside) return;
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}
