// The box that a person types a search into while the tree below shows what it finds.

import * as vscode from 'vscode';

interface SearchBoxOptions {
  /** What is searched for already. */
  readonly query: string;
  /** Called after each key. Returns what was found, in words; nothing for an empty search. */
  readonly onType: (query: string) => string;
  /** Ends the search as Enter does when the person turns to something else, such as a row that was found. */
  readonly onDidTurnAway: vscode.Event<unknown>;
}

/** Undefined when the person leaves with Escape. */
export async function askForSearch(options: SearchBoxOptions): Promise<string | undefined> {
  const { query, onType, onDidTurnAway } = options;
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Search Memories');
  box.placeholder = vscode.l10n.t('Words of the name, the description or the text');
  box.value = query;
  box.valueSelection = [0, query.length];
  // The tree takes the focus when a row is chosen, and an editor when it opens.
  box.ignoreFocusOut = true;
  const tell = (): void => {
    box.prompt = onType(box.value);
  };
  let answer: string | undefined;
  const keep = (): void => {
    answer = box.value;
    box.hide();
  };
  const isHidden = Promise.withResolvers<void>();
  const listeners = vscode.Disposable.from(
    box.onDidChangeValue(tell),
    box.onDidAccept(keep),
    onDidTurnAway(keep),
    box.onDidHide(() => isHidden.resolve()),
  );
  tell();
  box.show();
  await isHidden.promise;
  listeners.dispose();
  box.dispose();
  return answer;
}
