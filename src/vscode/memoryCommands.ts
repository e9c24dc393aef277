// The commands on memories, one table. They throw; `commands.ts` shows what failed.

import type { CommandKey } from '../manifest.ts';
import type { Change } from '../memory/change.ts';
import type { ImportPlaces } from '../memory/exchange/importSources.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { deleteMemory } from './memories/deleteMemory.ts';
import { editMemory, openIndex } from './memories/editMemory.ts';
import { emptyTrash } from './memories/emptyTrash.ts';
import { exportMemories } from './exchange/exportMemories.ts';
import { healthCheck, scanForSecrets, type HealthDeps } from './upkeep/healthCommands.ts';
import { importMemories } from './exchange/importMemories.ts';
import { moveToPersonal, moveToWorkspace } from './memories/moveMemory.ts';
import { newMemory } from './memories/newMemory.ts';
import { offerTrust } from './host/offerTrust.ts';
import { pinMemory, unpinMemory } from './memories/pinMemory.ts';
import { restoreMemory } from './memories/restoreMemory.ts';
import { retireExpiredMemories } from './upkeep/retireExpired.ts';
import {
  acceptAllProposals,
  acceptProposal,
  diffProposal,
  rejectProposal,
} from './review/reviewCommands.ts';
import { saveRedacted } from './memories/saveRedacted.ts';
import { keepMemoryPrivate, shareMemory } from './memories/shareMemory.ts';
import { undoConsolidation } from './consolidation/undoConsolidation.ts';
import { undoLastChange } from './memories/undoLastChange.ts';

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
