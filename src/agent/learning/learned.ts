// What became of the memories without the person's doing: all that one notice tells.

import type { Change } from '../../memory/change.ts';
import type { UnsavedRequest } from '../../memory/extraction/unsavedRequests.ts';
import type { Proposal } from '../../memory/review/proposals.ts';

export interface Learned {
  /** What extraction and the agent itself saved or updated. */
  readonly saved: readonly Change[];
  /** What consolidation changed, one after the other. */
  readonly consolidated: readonly Change[];
  /** What waits for the person's review. */
  readonly proposed: readonly Proposal[];
  /** What was not saved because it held a secret: the kinds of secret, in words. */
  readonly refusedSecrets: readonly string[];
  /** What the person asked to have remembered, and what came to nothing. */
  readonly unsaved: readonly UnsavedRequest[];
}

export function together(parts: readonly Partial<Learned>[]): Learned {
  return {
    saved: parts.flatMap(({ saved = [] }) => saved),
    consolidated: parts.flatMap(({ consolidated = [] }) => consolidated),
    proposed: parts.flatMap(({ proposed = [] }) => proposed),
    refusedSecrets: parts.flatMap(({ refusedSecrets = [] }) => refusedSecrets),
    unsaved: parts.flatMap(({ unsaved = [] }) => unsaved),
  };
}

export function isNothing(learned: Learned): boolean {
  return Object.values(learned).every(({ length }) => length === 0);
}
