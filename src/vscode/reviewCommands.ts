// Accept, Reject, Show Difference and Accept All of proposed memories.

import type { Change } from '../memory/change.ts';
import type { MemoryScopes } from '../memory/scopes.ts';

export async function acceptProposal(
  _scopes: MemoryScopes,
  _args: readonly unknown[],
  _notify: (changes: readonly Change[]) => void,
): Promise<void> {}

export async function rejectProposal(
  _scopes: MemoryScopes,
  _args: readonly unknown[],
): Promise<void> {}

export async function diffProposal(
  _scopes: MemoryScopes,
  _args: readonly unknown[],
): Promise<void> {}

export async function acceptAllProposals(
  _scopes: MemoryScopes,
  _notify: (changes: readonly Change[]) => void,
): Promise<void> {}
