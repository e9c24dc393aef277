// The terms that are spelled nearly like another: by a slip of a letter, or as a longer or shorter form.

/** Fewer letters are too near to other words; more are joined identifiers, whose parts are compared instead. */
const WORD = /^[a-z]{4,16}$/;
/** A longer rest makes another word: `post` and `postgresql`. */
const MAX_REST = 5;

export class Spellings {
  /**
   * By length with the first two letters, and with the last two: a slip in a word of at least five letters spares
   * one of the pairs, so that few words have to be compared.
   */
  readonly #byEdge = new Map<string, string[]>();

  add(term: string): void {
    if (!WORD.test(term)) return;
    for (const edge of [start(term, term.length), end(term, term.length)]) {
      const terms = this.#byEdge.get(edge);
      if (terms) terms.push(term);
      else this.#byEdge.set(edge, [term]);
    }
  }

  oneSlipFrom(term: string): readonly string[] {
    const lengths = [term.length - 1, term.length, term.length + 1];
    const edges = lengths.flatMap((length) => [start(term, length), end(term, length)]);
    const near = edges.flatMap((edge) =>
      (this.#byEdge.get(edge) ?? []).filter((known) => isOneSlipAway(term, known)),
    );
    return [...new Set(near)];
  }

  /** Those that begin with the term, or that it begins with. */
  relatedTo(term: string): readonly string[] {
    const lengths = Array.from(
      { length: 2 * MAX_REST + 1 },
      (_, at) => term.length - MAX_REST + at,
    );
    return lengths.flatMap((length) =>
      (this.#byEdge.get(start(term, length)) ?? []).filter(
        (known) => known.startsWith(term) || term.startsWith(known),
      ),
    );
  }
}

function start(term: string, length: number): string {
  return `${term.slice(0, 2)}${length}`;
}

function end(term: string, length: number): string {
  return `${length}${term.slice(-2)}`;
}

/** One letter added, dropped, changed, or swapped with its neighbour. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endOfA, endOfB] = [a.length, b.length];
  while (endOfA > start && endOfB > start && a[endOfA - 1] === b[endOfB - 1]) {
    endOfA--;
    endOfB--;
  }
  const [left, right] = [a.slice(start, endOfA), b.slice(start, endOfB)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left === `${right[1]}${right[0]}`;
}
