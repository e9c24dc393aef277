// What was found out about a tool call before the person was asked about it, for the call itself, so that it does what
// was shown. VS Code gives a call no id: it is known again by its input.

export class PreparedCalls<T> {
  readonly #calls: { readonly input: string; readonly outcome: T }[] = [];

  /** A call that the person declines is never taken, and stays as long as the window. */
  keep(input: object, outcome: T): void {
    this.#calls.push({ input: JSON.stringify(input), outcome });
  }

  /** Once. Undefined when the person changed the input, as VS Code lets them. */
  take(input: object): T | undefined {
    const json = JSON.stringify(input);
    // The newest, since those before may have been declined.
    const index = this.#calls.findLastIndex((call) => call.input === json);
    return index < 0 ? undefined : this.#calls.splice(index, 1)[0]?.outcome;
  }
}
