// Which records hold a term, and how often in which field. A record is analysed once, when it is first seen. The
// index holds no record, and drops what it knows of those that nobody else holds any more.

import type { MemoryRecord } from '../record.ts';
import { Spellings } from './spellings.ts';
import { eachTerm } from './words.ts';

/** How much a field counts, and how strongly its length is evened out. The optimum is flat; these were measured. */
const FIELDS = [
  { read: (record: MemoryRecord) => record.name, weight: 2.5, evening: 0.5 },
  { read: (record: MemoryRecord) => record.description, weight: 2, evening: 0.7 },
  { read: (record: MemoryRecord) => record.body, weight: 1, evening: 0.75 },
] as const;

/** The counts of a term in the fields of a record share one number. More of one term says nothing new. */
const COUNT_BITS = 8;
const MOST_COUNTED = 2 ** COUNT_BITS - 1;

/** Cleaning up reads the whole index, so it waits for so many records that are gone, and for a share of all. */
const LEAST_GONE = 100;
const SHARE_GONE = 0.25;

export class RecordIndex {
  readonly #slots = new WeakMap<MemoryRecord, number>();
  readonly #registry = new FinalizationRegistry<number>((slot) => this.#forget(slot));
  /** By term: slot and counts of each record that holds it, one after the other. */
  readonly #postings = new Map<string, number[]>();
  /** By slot and field: the number of terms. */
  readonly #lengths: number[] = [];
  /** Of records that are gone: still in the postings, and ready for another record. */
  readonly #gone = new Set<number>();
  #free: number[] = [];
  #spellings = new Spellings();

  /** How many records it knows. */
  get size(): number {
    return this.capacity - this.#gone.size - this.#free.length;
  }

  /** How many it has had room for at once. */
  get capacity(): number {
    return this.#lengths.length / FIELDS.length;
  }

  /** Some records, to be asked about among themselves. New ones are analysed. */
  select(records: readonly MemoryRecord[]): Selection {
    const slots = records.map((record) => this.#slots.get(record) ?? this.#add(record));
    return new Selection(slots, this.#postings, this.#lengths, this.#spellings);
  }

  #add(record: MemoryRecord): number {
    const slot = this.#free.pop() ?? this.capacity;
    FIELDS.forEach(({ read }, field) => {
      let length = 0;
      eachTerm(read(record).normalize('NFKC'), (term) => {
        length += 1;
        this.#count(term, slot, field);
      });
      this.#lengths[slot * FIELDS.length + field] = length;
    });
    this.#slots.set(record, slot);
    this.#registry.register(record, slot);
    return slot;
  }

  #count(term: string, slot: number, field: number): void {
    const one = 1 << (field * COUNT_BITS);
    const postings = this.#postings.get(term);
    if (!postings) {
      this.#postings.set(term, [slot, one]);
      this.#spellings.add(term);
      return;
    }
    const last = postings.length - 1;
    if (postings[last - 1] !== slot) postings.push(slot, one);
    else {
      const counts = postings[last] ?? 0;
      if (countIn(counts, field) < MOST_COUNTED) postings[last] = counts + one;
    }
  }

  #forget(slot: number): void {
    this.#gone.add(slot);
    if (this.#gone.size < Math.max(LEAST_GONE, SHARE_GONE * this.size)) return;
    this.#spellings = new Spellings();
    for (const [term, postings] of this.#postings) {
      const kept = this.#withoutGone(postings);
      if (kept.length === 0) this.#postings.delete(term);
      else {
        this.#spellings.add(term);
        if (kept.length < postings.length) this.#postings.set(term, kept);
      }
    }
    this.#free = [...this.#free, ...this.#gone];
    this.#gone.clear();
  }

  #withoutGone(postings: readonly number[]): number[] {
    const kept: number[] = [];
    for (let at = 0; at < postings.length; at += 2) {
      const slot = postings[at] ?? 0;
      if (!this.#gone.has(slot)) kept.push(slot, postings[at + 1] ?? 0);
    }
    return kept;
  }
}

/** Answers of the index about a list of records; whatever else it knows makes no difference to them. */
export class Selection {
  /** How many records there are. */
  readonly count: number;
  readonly #postings: ReadonlyMap<string, readonly number[]>;
  readonly #spellings: Spellings;
  /** By slot: one more than the place in the list; 0 for records that are not in it. */
  readonly #places: Int32Array;
  /** By slot and field: how much one occurrence counts. */
  readonly #shares: Float64Array;
  readonly #counts = new Map<string, number>();

  constructor(
    slots: readonly number[],
    postings: ReadonlyMap<string, readonly number[]>,
    lengths: readonly number[],
    spellings: Spellings,
  ) {
    this.count = slots.length;
    this.#postings = postings;
    this.#spellings = spellings;
    this.#places = new Int32Array(lengths.length / FIELDS.length);
    this.#shares = new Float64Array(lengths.length);
    for (const [place, slot] of slots.entries()) this.#places[slot] = place + 1;
    for (const [field, { weight, evening }] of FIELDS.entries()) {
      let total = 0;
      for (const slot of slots) total += lengths[slot * FIELDS.length + field] ?? 0;
      const mean = total / slots.length || 1;
      for (const slot of slots) {
        const at = slot * FIELDS.length + field;
        this.#shares[at] = weight / (1 - evening + (evening * (lengths[at] ?? 0)) / mean);
      }
    }
  }

  has(term: string): boolean {
    return this.countOf(term) > 0;
  }

  /** How many records hold the term. */
  countOf(term: string): number {
    const known = this.#counts.get(term);
    if (known !== undefined) return known;
    const postings = this.#postings.get(term) ?? [];
    let count = 0;
    for (let at = 0; at < postings.length; at += 2) {
      if (this.#places[postings[at] ?? 0] !== 0) count += 1;
    }
    this.#counts.set(term, count);
    return count;
  }

  /** Visits the records that hold the term, by their place in the list, with the term's weighted frequency. */
  eachHolder(term: string, visit: (place: number, frequency: number) => void): void {
    const postings = this.#postings.get(term) ?? [];
    for (let at = 0; at < postings.length; at += 2) {
      const slot = postings[at] ?? 0;
      const place = this.#places[slot] ?? 0;
      if (place !== 0) visit(place - 1, this.#frequency(slot, postings[at + 1] ?? 0));
    }
  }

  /** The terms of the list that are one slip of a letter away, in no order that means anything. */
  oneSlipFrom(term: string): readonly string[] {
    return this.#spellings.oneSlipFrom(term).filter((near) => this.has(near));
  }

  /** The terms of the list that are longer or shorter forms, in no order that means anything. */
  relatedTo(term: string): readonly string[] {
    return this.#spellings.relatedTo(term).filter((related) => this.has(related));
  }

  #frequency(slot: number, counts: number): number {
    let frequency = 0;
    for (let field = 0; field < FIELDS.length; field++) {
      frequency += countIn(counts, field) * (this.#shares[slot * FIELDS.length + field] ?? 0);
    }
    return frequency;
  }
}

function countIn(counts: number, field: number): number {
  return (counts >> (field * COUNT_BITS)) & MOST_COUNTED;
}
