// The commands on memories, one table. They throw; `commands.ts` shows what failed.

import type { CommandKey } from '../manifest.ts';
import type { Change } from '../memory/change.ts';
import type { ImportPlaces } from '../memory/exchange/importSources.ts';
import type { MemoryScopes } from '../memory/scopes.ts';
import { changeType } from './memories/changeType.ts';
import { copyMemory } from './memories/copyMemory.ts';
import { deleteMemory } from './memories/deleteMemory.ts';
import { editMemory, openIndex } from './memories/editMemory.ts';
import { emptyTrash } from './memories/emptyTrash.ts';
import { exportMemories } from './exchange/exportMemories.ts';
import { healthCheck, scanForSecrets, type HealthDeps } from './upkeep/healthCommands.ts';
import { importMemories } from './exchange/importMemories.ts';
import { moveToPersonal, moveToWorkspace } from './memories/moveMemory.ts';
import { newMemory } from './memories/newMemory.ts';
import { offerTrust } from './host/offerTrust.ts';
import { pathOfArgument } from './picks/pathOfArgument.ts';
import { pinMemory, unpinMemory } from './memories/pinMemory.ts';
import { renameMemory } from './memories/renameMemory.ts';
import { restoreMemory } from './memories/restoreMemory.ts';
import { retireExpiredMemories } from './upkeep/retireExpired.ts';
import { revealMemory } from './memories/revealMemory.ts';
import {
  acceptAllProposals,
  acceptProposal,
  diffProposal,
  rejectProposal,
} from './review/reviewCommands.ts';
import { saveRedacted } from './memories/saveRedacted.ts';
import { keepMemoryPrivate, shareMemory } from './memories/shareMemory.ts';
import type { MemoryTree } from './sidebar/memoryTree.ts';
import { showInSidebar } from './sidebar/showInSidebar.ts';
import { undoConsolidation } from './consolidation/undoConsolidation.ts';
import { undoLastChange } from './memories/undoLastChange.ts';

type MemoryCommandKey = Exclude<
  CommandKey,
  | 'consolidate'
  | 'compactSession'
  | 'deleteSessions'
  | 'setApiKey'
  | 'showLastNotice'
  | 'showLog'
  | 'getStarted'
  | 'tryInChat'
>;

interface MemoryCommandDeps extends HealthDeps {
  /** Read at each run: undefined while the workspace is not trusted. */
  readonly scopes: () => MemoryScopes | undefined;
  /** Read at each run: it is another one once the workspace is trusted. */
  readonly tree: () => MemoryTree | undefined;
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
  /** What a key brings along says only that it was one. On a row that is no memory it does nothing. */
  const withRows = (run: Run) =>
    withScopes(async (scopes, args) => {
      if (!isFromKeyboard(args)) return run(scopes, args);
      const rows = deps.tree()?.focusedRows() ?? [];
      const memories = rows.filter((row) => pathOfArgument(row) !== undefined);
      if (memories.length > 0) await run(scopes, [memories[0], memories]);
    });
  return {
    newMemory: withScopes(newMemory),
    editMemory: withScopes(editMemory),
    deleteMemory: withRows(deleteMemory),
    renameMemory: withRows(renameMemory),
    changeType: withScopes((scopes, args) => changeType(scopes, args, notify)),
    copyMemory: withScopes(copyMemory),
    revealInExplorer: withScopes(revealMemory),
    searchMemories: withScopes(async () => deps.tree()?.search()),
    clearSearch: withScopes(async () => deps.tree()?.clearSearch()),
    showInSidebar: withScopes(async (_, args) => showInSidebar(deps.tree(), args)),
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

/** As the keybindings in package.json say. */
function isFromKeyboard([argument]: readonly unknown[]): boolean {
  return typeof argument === 'object' && argument !== null && 'fromKeyboard' in argument;
}
