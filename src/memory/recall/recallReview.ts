// Recall in mode `review`: nothing that the person has not seen is sent. What they do not tick counts as if it were
// not there, so a text that stood before and has changed since no longer holds.

import type { MemoryRecord } from '../record.ts';
import { canBeShown, type Recall, type RecalledRecord } from './recall.ts';
import { recallNews, stands } from './recallContext.ts';
import { toldEntries, type ToldEntry } from './recallReceipt.ts';

/**
 * Asks the person. Returns the records that may be sent, none when they leave. Throws when `signal` is aborted
 * meanwhile.
 */
export type ApproveRecall = (
  offer: RecallOffer,
  signal: AbortSignal,
) => Promise<readonly MemoryRecord[]>;

/** What the person decides on. */
export interface RecallOffer {
  /** Would be sent. */
  readonly proposed: readonly ToldEntry[];
  /** Bears on the request too but did not fit; sent when the person wants it. */
  readonly leftOut: readonly RecalledRecord[];
}

interface ReviewedRecall {
  readonly recall: Recall;
  /** Without the records that the person does not want to be sent. */
  readonly existing: readonly MemoryRecord[];
}

/** What remains of a recall. The person is asked only when something new would be sent. */
export async function reviewRecall(
  given: ReviewedRecall & {
    readonly standing: ReadonlyMap<string, string>;
    readonly approve: ApproveRecall;
  },
  signal: AbortSignal,
): Promise<ReviewedRecall> {
  const { recall, existing, standing, approve } = given;
  const { recalled, leftOut } = recall;
  const { added, changed } = recallNews({ recalled, standing, existing });
  const news = new Set([...added, ...changed]);
  if (news.size === 0) return { recall, existing };

  const proposed = toldEntries(recalled, changed).filter(({ record }) => news.has(record));
  const offered = leftOut.filter(({ record }) => canBeShown(record) && !stands(record, standing));
  const approved = new Set(await approve({ proposed, leftOut: offered }, signal));
  const mayBeSent = (record: MemoryRecord) => !news.has(record) || approved.has(record);
  const wanted = offered.filter(({ record }) => approved.has(record));
  return {
    recall: {
      ...recall,
      recalled: [...recalled.filter(({ record }) => mayBeSent(record)), ...wanted],
      leftOut: leftOut.filter((each) => !wanted.includes(each)),
    },
    existing: existing.filter(mayBeSent),
  };
}
