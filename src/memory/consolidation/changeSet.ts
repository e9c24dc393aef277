// What a model may answer to a consolidation, and a change of it once it is checked. What an answer does not mention
// stays as it is.

import * as z from 'zod/mini';
import type { Fields } from '../extraction/policy.ts';
import type { MemoryRecord } from '../record.ts';

/** A checked change, with the records as they stood when the model saw them: all that a preview needs. */
export type PlannedChange = PlannedRewrite | PlannedRetirement;

/** `sources` become one record, in the place of `target`, which is one of them; of an update it is the only one. */
export interface PlannedRewrite extends PlannedParts {
  readonly kind: 'merge' | 'update';
  readonly target: MemoryRecord;
  readonly fields: Fields;
  /** What the sources say and the new text does not, each with the model's reason. */
  readonly dropped: readonly DroppedFact[];
}

/** The only source goes to the trash. */
export interface PlannedRetirement extends PlannedParts {
  readonly kind: 'retire';
  /** The record that holds in its place, where the model named one. */
  readonly supersededBy?: MemoryRecord;
}

interface PlannedParts {
  readonly sources: readonly MemoryRecord[];
  readonly reason: string;
  /** Those of the sources whose text was last written by a person, or came with a repository. */
  readonly handEdited: readonly MemoryRecord[];
}

const DroppedFact = z.object({ fact: z.string(), reason: z.string() });
export type DroppedFact = z.infer<typeof DroppedFact>;

const Rewritten = z.object({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  body: z.string(),
  reason: z.optional(z.string()),
  dropped: z.optional(z.array(DroppedFact)),
});
export type Rewritten = z.infer<typeof Rewritten>;

const Retired = z.object({
  file: z.string(),
  reason: z.optional(z.string()),
  supersededBy: z.optional(z.string()),
});
export type Retired = z.infer<typeof Retired>;

export const ChangeSet = z.strictObject({
  merge: z.optional(z.array(z.extend(Rewritten, { files: z.array(z.string()) }))),
  update: z.optional(z.array(z.extend(Rewritten, { file: z.string() }))),
  retire: z.optional(z.array(Retired)),
});
export type ChangeSet = z.infer<typeof ChangeSet>;
