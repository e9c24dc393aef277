// The memories beside one that is being written, kept so that those like it are found without a look at all the others.

import { fold, foldSentence } from '../fieldText.ts';
import { slugFor, type MemoryRecord } from '../record.ts';
import { repeats } from '../words/likeness.ts';

export interface Likeness {
  readonly other: MemoryRecord;
  /** `text`: the one says nothing that the other does not. */
  readonly by: 'text' | 'name' | 'description';
}

/** What counts most comes first. A description may be empty, a body may hold nothing but marks. */
interface Keys {
  readonly body: string;
  readonly name: string;
  readonly description: string;
}

/** So many are enough to see what is the matter, where hundreds of memories begin alike. */
const MAX_LIKE = 5;

export class Neighbours {
  readonly records: readonly MemoryRecord[];
  readonly #byKey: ReadonlyMap<string, readonly MemoryRecord[]>;

  /** `records` are all of one scope. */
  constructor(records: readonly MemoryRecord[]) {
    this.records = records;
    const pairs = records.flatMap((record) => idsOf(keysOf(record)).map((id) => ({ id, record })));
    this.#byKey = new Map(
      Array.from(
        Map.groupBy(pairs, ({ id }) => id),
        ([id, some]) => [id, some.map(({ record }) => record)],
      ),
    );
  }

  /**
   * Those like a record, which may have another text than the one that stands at its path. Each once, and of many the
   * first.
   */
  like(record: MemoryRecord): readonly Likeness[] {
    const keys = keysOf(record);
    const others = new Set(idsOf(keys).flatMap((id) => this.#byKey.get(id) ?? []));
    const found: Likeness[] = [];
    for (const other of others) {
      const by = other.path === record.path ? undefined : likeness(record, other, keys);
      if (by) found.push({ other, by });
      if (found.length === MAX_LIKE) break;
    }
    return found;
  }
}

function likeness(
  record: MemoryRecord,
  other: MemoryRecord,
  keys: Keys,
): Likeness['by'] | undefined {
  if (keys.body !== '' && repeats(record, other)) return 'text';
  const { name, description } = keysOf(other);
  if (name === keys.name) return 'name';
  return description === keys.description ? 'description' : undefined;
}

function idsOf(keys: Keys): readonly string[] {
  return Object.entries(keys).flatMap(([by, key]) => (key === '' ? [] : [`${by} ${key}`]));
}

function keysOf(record: MemoryRecord): Keys {
  const known = KEYS.get(record);
  if (known) return known;
  const { name, description, body } = record;
  const keys = {
    body: foldSentence(body),
    name: fold(slugFor(name)),
    description: foldSentence(description),
  };
  KEYS.set(record, keys);
  return keys;
}

/** A record that is read anew and has not changed stays the same object. */
const KEYS = new WeakMap<MemoryRecord, Keys>();
