// The commands on memories, one table. They throw; `commands.ts` shows what failed.

import type { CommandKey } from '../manifest.ts';
import type { Change } from '../memory/change.ts';
import type { ImportPlaces } from '../memory/exchange/importSources.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { deleteMemory } from './deleteMemory.ts';
import { editMemory, openIndex } from './editMemory.ts';
import { emptyTrash } from './emptyTrash.ts';
import { exportMemories } from './exportMemories.ts';
import { healthCheck, scanForSecrets, type HealthDeps } from './healthCommands.ts';
import { importMemories } from './importMemories.ts';
import { moveToPersonal, moveToWorkspace } from './moveMemory.ts';
import { newMemory } from './newMemory.ts';
import { offerTrust } from './offerTrust.ts';
import { pinMemory, unpinMemory } from './pinMemory.ts';
import { restoreMemory } from './restoreMemory.ts';
import { retireExpiredMemories } from './retireExpired.ts';
import {
  acceptAllProposals,
  acceptProposal,
  diffProposal,
  rejectProposal,
} from './reviewCommands.ts';
import { saveRedacted } from './saveRedacted.ts';
import { keepMemoryPrivate, shareMemory } from './shareMemory.ts';
import { undoConsolidation } from './undoConsolidation.ts';
import { undoLastChange } from './undoLastChange.ts';

type MemoryCommandKey = Exclude<
  CommandKey,
  'consolidate' | 'compactSession' | 'deleteSessions' | 'setApiKey' | 'showLastNotice' | 'showLog'
>;

interface MemoryCommandDeps extends HealthDeps {
  /** Read at each run: undefined while the workspace is not trusted. */
  readonly scopes: () => MemoryScopes | undefined;
  /** Shows a notification with Undo. Not awaited. */
  readonly notify: (changes: readonly Change[]) => void;
  /** The same for memories that have run out. */
  readonly notifyExpired: (changes: readonly Change[]) => void;
  /** Where other agents keep what they remember. */
  readonly importPlaces: () => ImportPlaces;
}

type Run = (scopes: MemoryScopes, args: readonly unknown[]) => Promise<void>;

export function memoryCommands(
  deps: MemoryCommandDeps,
): Record<MemoryCommandKey, (...args: readonly unknown[]) => Promise<void>> {
  const { notify } = deps;
  const withScopes =
    (run: Run) =>
    async (...args: readonly unknown[]): Promise<void> => {
      const scopes = deps.scopes();
      await (scopes ? run(scopes, args) : offerTrust());
    };
  return {
    newMemory: withScopes(newMemory),
    editMemory: withScopes(editMemory),
    deleteMemory: withScopes((scopes, args) => deleteMemory(scopes, args, notify)),
    refreshMemories: withScopes((scopes) => scopes.refresh()),
    openIndex: withScopes(openIndex),
    pinMemory: withScopes(pinMemory),
    unpinMemory: withScopes(unpinMemory),
    moveToPersonal: withScopes((scopes, args) => moveToPersonal(scopes, args, notify)),
    moveToWorkspace: withScopes((scopes, args) => moveToWorkspace(scopes, args, notify)),
    shareWithGit: withScopes(shareMemory),
    keepPrivate: withScopes(keepMemoryPrivate),
    undoConsolidation: withScopes(undoConsolidation),
    acceptProposal: withScopes((scopes, args) => acceptProposal(scopes, args, notify)),
    rejectProposal: withScopes(rejectProposal),
    diffProposal: withScopes(diffProposal),
    acceptAllProposals: withScopes((scopes) => acceptAllProposals(scopes, notify)),
    restoreMemory: withScopes((scopes) => restoreMemory(scopes, notify)),
    undoLastChange: withScopes(undoLastChange),
    emptyTrash: withScopes(emptyTrash),
    healthCheck: withScopes((scopes) => healthCheck(scopes, deps)),
    scanForSecrets: withScopes((scopes) => scanForSecrets(scopes, deps)),
    retireExpired: withScopes((scopes) => retireExpiredMemories(scopes, deps)),
    importMemories: withScopes((scopes) =>
      importMemories(scopes, { places: deps.importPlaces(), notify }),
    ),
    exportMemories: withScopes(exportMemories),
    saveRedacted: withScopes((scopes, args) => saveRedacted(scopes, args, notify)),
  };
}
