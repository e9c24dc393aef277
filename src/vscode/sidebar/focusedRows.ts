// The rows that a key in the tree is meant for. A key brings no row along, and VS Code tells extensions which rows are
// selected but not which one has the focus, which the arrow keys move alone. So the keybindings in package.json toggle
// whether that row is selected, twice, and then run the command: by then all three selections have been told here.
// No 'vscode' import.

export class FocusedRows<Row> {
  readonly #idOf: (row: Row) => string;
  /** The last three selections, the newest last. */
  #selections: readonly (readonly Row[])[] = [[], [], []];

  constructor(idOf: (row: Row) => string) {
    this.#idOf = idOf;
  }

  /** There is another selection. */
  select(rows: readonly Row[]): void {
    this.#selections = [...this.#selections.slice(1), rows];
  }

  /**
   * All selected rows when the row with the focus is one of them, else that row alone, as in the Explorer. None when
   * the last selections are not those of a key.
   */
  take(): readonly Row[] {
    const [before = [], toggled = [], selected = []] = this.#selections;
    // They count for one key.
    this.#selections = [[], [], selected];
    const added = this.#without(toggled, selected);
    const removed = this.#without(selected, toggled);
    const isToggled = added.length + removed.length === 1 && this.#isSame(before, selected);
    if (!isToggled) return [];
    return added.length > 0 ? added : selected;
  }

  #without(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
    const ids = new Set(others.map(this.#idOf));
    return rows.filter((row) => !ids.has(this.#idOf(row)));
  }

  #isSame(rows: readonly Row[], others: readonly Row[]): boolean {
    return this.#without(rows, others).length + this.#without(others, rows).length === 0;
  }
}
