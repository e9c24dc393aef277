// What the model is told of recalled records: only what does not stand in the working history yet, what of the
// standing has changed or gone since, and by name what bears on the request but did not fit.

import type { ContextBlock } from '../../models/model.ts';
import type { MemoryRecord } from '../record.ts';
import { describeRecord, memoryBlock, recordPlace } from './memoryBlock.ts';
import { canBeShown, type RecalledRecord } from './recall.ts';

interface RecallNews {
  /** Recalled, and not shown before. */
  readonly added: readonly MemoryRecord[];
  /** Shown before with another text, recalled now or not. */
  readonly changed: readonly MemoryRecord[];
}

interface NewsOptions {
  readonly recalled: readonly RecalledRecord[];
  /** What stands in the working history: path to hash, '' or NAMED. */
  readonly standing: ReadonlyMap<string, string>;
  /** All records as they are now. */
  readonly existing: readonly MemoryRecord[];
}

interface ContextOptions extends NewsOptions {
  readonly leftOut: readonly RecalledRecord[];
  /** The agent's working folder: paths in it are told relative to it. */
  readonly folder: string | undefined;
  /** Whose a record is, where that has to be told. */
  readonly scopeOf: (record: MemoryRecord) => string | undefined;
  readonly now: Date;
}

/** In the place of a hash: of this record only the name stands. '' is what is already said to be gone. */
const NAMED = 'named';

/** The records whose text would be sent anew. */
export function recallNews({ recalled, standing, existing }: NewsOptions): RecallNews {
  return {
    added: recalled.map(({ record }) => record).filter((record) => !stands(record, standing)),
    changed: existing.filter(
      (record) =>
        stands(record, standing) && standing.get(record.path) !== record.hash && canBeShown(record),
    ),
  };
}

/** Whether the text of a record is in the working history, be it an older one. */
export function stands({ path }: MemoryRecord, standing: ReadonlyMap<string, string>): boolean {
  const hash = standing.get(path);
  return hash !== undefined && hash !== '' && hash !== NAMED;
}

/** The block that stands in front of the request; undefined when nothing new is to be said. */
export function recallContext(options: ContextOptions): ContextBlock | undefined {
  const { standing, existing, now } = options;
  const { added, changed } = recallNews(options);
  const present = new Set(existing.filter(canBeShown).map(({ path }) => path));
  const gone = [...standing].flatMap(([path, hash]) =>
    hash !== '' && hash !== NAMED && !present.has(path) ? [path] : [],
  );
  const named = options.leftOut
    .map(({ record }) => record)
    .filter(
      (record) =>
        standing.get(record.path) !== NAMED &&
        (!stands(record, standing) || !present.has(record.path)),
    );
  if (added.length + changed.length + gone.length + named.length === 0) return undefined;

  return {
    type: 'context',
    text: memoryBlock({
      parts: [
        ...added.map((record) => describeRecord(record, options)),
        ...changed.map((record) => describeRecord(record, { ...options, note: CHANGED })),
      ],
      gone,
      named: named.map((record) => recordPlace(record, options)),
      now,
    }),
    records: Object.fromEntries([
      ...[...added, ...changed].map(({ path, hash }) => [path, hash]),
      ...gone.map((path) => [path, '']),
      ...named.map(({ path }) => [path, NAMED]),
    ]),
  };
}

const CHANGED = 'This memory has changed since it was shown above; only this text counts.';
