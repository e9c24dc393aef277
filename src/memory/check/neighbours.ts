// The memories beside one that is being written, kept so that those like it are found without a look at all the others.

import { fold, foldSentence } from '../fieldText.ts';
import { slugFor, type MemoryRecord } from '../record.ts';
import { repeats } from '../words/likeness.ts';

export interface Likeness {
  readonly other: MemoryRecord;
  /** `text`: the one says nothing that the other does not. */
  readonly by: 'text' | 'name' | 'description';
}

interface Keys {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export class Neighbours {
  readonly records: readonly MemoryRecord[];
  readonly #byKey: ReadonlyMap<string, readonly MemoryRecord[]>;

  /** `records` are all of one scope. */
  constructor(records: readonly MemoryRecord[]) {
    this.records = records;
    const pairs = records.flatMap((record) =>
      Object.entries(keysOf(record)).map(([by, key]) => ({ id: `${by} ${key}`, record })),
    );
    this.#byKey = new Map(
      Array.from(
        Map.groupBy(pairs, ({ id }) => id),
        ([id, some]) => [id, some.map(({ record }) => record)],
      ),
    );
  }

  /** Those like a record, which may have another text than the one that stands at its path. Each once. */
  like(record: MemoryRecord): readonly Likeness[] {
    const keys = keysOf(record);
    const others = new Set(
      Object.entries(keys)
        .flatMap(([by, key]) => this.#byKey.get(`${by} ${key}`) ?? [])
        .filter(({ path }) => path !== record.path),
    );
    return [...others].flatMap((other) => {
      const by = likeness(record, other, keys);
      return by ? [{ other, by }] : [];
    });
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
  // Without one of its own it is the beginning of the body, which may well be the same.
  return description === keys.description ? 'description' : undefined;
}

function keysOf(record: MemoryRecord): Keys {
  const known = KEYS.get(record);
  if (known) return known;
  const { name, description, body } = record;
  const keys = {
    name: fold(slugFor(name)),
    description: foldSentence(description),
    body: foldSentence(body),
  };
  KEYS.set(record, keys);
  return keys;
}

/** A record that is read anew and has not changed stays the same object. */
const KEYS = new WeakMap<MemoryRecord, Keys>();
