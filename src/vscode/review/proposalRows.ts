// The proposed memories of all scopes as plain data, each with the memory that it would change. No 'vscode' import;
// the review view shows these rows and its commands receive them.

import { sentenceOf, type Said } from '../../base/sentence.ts';
import { PROPOSAL_SCHEME } from '../../manifest.ts';
import type { Proposal } from '../../memory/review/proposals.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';

export interface ProposalRow {
  readonly proposal: Proposal;
  readonly scope: Scope;
  /** As it is now. Undefined for a new memory, and where the memory to change is gone. */
  readonly target: MemoryRecord | undefined;
}

interface ProposalList {
  /** Oldest first. */
  readonly rows: readonly ProposalRow[];
  /** Of scopes whose proposals cannot be read, in sentences. */
  readonly problems: readonly Said[];
}

/** A scope that cannot be read does not hide the others. */
export async function listProposals({ all }: MemoryScopes): Promise<ProposalList> {
  const lists = await Promise.allSettled(all.map(proposalsOf));
  const rows = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  const problems = lists.flatMap((list) =>
    list.status === 'rejected' ? [sentenceOf(list.reason)] : [],
  );
  return { rows: rows.toSorted((a, b) => compare(ageKey(a), ageKey(b))), problems };
}

/**
 * Returns the function that unsubscribes. A listener is called after each change to proposals, and to the memories
 * that they may change, in any scope.
 */
export function onDidChangeProposals(scopes: MemoryScopes, listener: () => void): () => void {
  let followed: ReadonlyMap<Scope, () => void> = new Map();
  const follow = (): void => {
    const { all } = scopes;
    for (const [scope, unsubscribe] of followed) if (!all.includes(scope)) unsubscribe();
    followed = new Map(
      all.map((scope) => [
        scope,
        followed.get(scope) ?? scope.store.proposals.onDidChange(listener),
      ]),
    );
  };
  follow();
  const unsubscribe = scopes.onDidChange(() => {
    follow();
    listener();
  });
  return () => {
    unsubscribe();
    for (const unfollow of followed.values()) unfollow();
  };
}

/** The paths in what a command was given: a row or all that are selected, the address of a shown text, or a path. */
export function proposalPathsIn([row, selection]: readonly unknown[]): readonly string[] {
  const several: readonly unknown[] = Array.isArray(selection) ? selection : [];
  return (several.length > 0 ? several : [row]).map(pathIn).filter((path) => path !== undefined);
}

async function proposalsOf(scope: Scope): Promise<readonly ProposalRow[]> {
  const proposals = await scope.store.proposals.list();
  if (proposals.length === 0) return [];
  const { records } = await scope.store.list();
  return proposals.map((proposal) => {
    const target = records.find(({ file }) => file === proposal.target?.file);
    return { proposal, scope, target };
  });
}

function pathIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('scheme' in value && 'fragment' in value && value.scheme === PROPOSAL_SCHEME)
    return typeof value.fragment === 'string' ? value.fragment : undefined;
  if (!('proposal' in value)) return undefined;
  const { proposal } = value;
  const hasPath = typeof proposal === 'object' && proposal !== null && 'path' in proposal;
  return hasPath && typeof proposal.path === 'string' ? proposal.path : undefined;
}

function ageKey({ proposal }: ProposalRow): string {
  return `${proposal.at} ${proposal.path}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
