// What of a notice still stands: changes that nobody has gone back on or beyond, proposals that still wait. No 'vscode'
// import.

import type { Proposal } from '../../memory/review/proposals.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import type { Outcome } from './changeOutcomes.ts';
import type { Told } from './noticeButtons.ts';

/** What cannot be read stands: what it offers says then why it cannot be done. */
export async function openParts(told: Told, scopes: MemoryScopes): Promise<Told> {
  const outcomes = await standing(told.outcomes, (outcome) => stands(outcome, scopes));
  const changes = new Set(outcomes.flatMap((outcome) => outcome.changes));
  return {
    changes: told.changes.filter((change) => changes.has(change)),
    outcomes,
    proposed: await standing(told.proposed, (proposal) => waits(proposal, scopes)),
  };
}

async function standing<Part>(
  parts: readonly Part[],
  isStanding: (part: Part) => Promise<boolean>,
): Promise<readonly Part[]> {
  const answers = await Promise.allSettled(parts.map(isStanding));
  return parts.filter((_, index) => {
    const answer = answers[index];
    return answer?.status !== 'fulfilled' || answer.value;
  });
}

async function stands({ kind, record }: Outcome, scopes: MemoryScopes): Promise<boolean> {
  const store = scopes.scopeOf(record)?.store;
  // Its folder is open no more.
  if (!store) return false;
  const { records, damaged } = await store.list();
  const now = [...records, ...damaged].find(({ path }) => path === record.path);
  if (kind === 'removed') return now === undefined;
  return now !== undefined && 'hash' in now && now.hash === record.hash;
}

async function waits({ path }: Proposal, scopes: MemoryScopes): Promise<boolean> {
  const lists = await Promise.all(scopes.all.map(({ store }) => store.proposals.list()));
  return lists.flat().some((waiting) => waiting.path === path);
}
