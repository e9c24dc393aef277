// The commands on memories over real folders: two of a workspace, and the personal memories.

import path from 'node:path';
import { beforeEach } from 'mocha';
import { silentLog } from '../../src/base/log.ts';
import type { Change } from '../../src/memory/change.ts';
import { MemoryScopes, type Scope } from '../../src/memory/scopes.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { memoryCommands } from '../../src/vscode/memoryCommands.ts';
import { useTempFolder } from './tempFolder.ts';

interface MemoryCommandsRun {
  readonly path: string;
  readonly scopes: MemoryScopes;
  /** Of the first folder, which is where new memories go. */
  readonly store: MemoryStore;
  /** Of the second folder. */
  readonly other: MemoryStore;
  readonly personal: MemoryStore;
  readonly commands: ReturnType<typeof memoryCommands>;
  readonly notified: Change[];
  readonly reports: { readonly title: string; readonly markdown: string }[];
  /** Days after which project memories expire; to be set by a test. */
  expireAfterDays: number;
  /** Closes the folders, from the last on, until so many are left. */
  keepFolders(count: number): void;
}

/** Registers hooks that give each test of the surrounding suite new ones; read them inside a test. */
export function useMemoryCommands(): MemoryCommandsRun {
  const temp = useTempFolder();
  const run = {} as { -readonly [Key in keyof MemoryCommandsRun]: MemoryCommandsRun[Key] };
  beforeEach(() => {
    const storeIn = (...parts: string[]) =>
      new MemoryStore({ folder: path.join(temp.path, ...parts), log: silentLog });
    run.path = temp.path;
    run.store = storeIn('one', '.memory');
    run.other = storeIn('two', '.memory');
    run.personal = storeIn('personal');
    const workspace: readonly Scope[] = [
      { kind: 'workspace', name: 'one', store: run.store },
      { kind: 'workspace', name: 'two', store: run.other },
    ];
    const scopes = new MemoryScopes({ personal: run.personal });
    scopes.setWorkspace(workspace);
    run.scopes = scopes;
    run.keepFolders = (count) => scopes.setWorkspace(workspace.slice(0, count));
    run.notified = [];
    run.reports = [];
    run.expireAfterDays = 0;
    run.commands = memoryCommands({
      tree: () => undefined,
      scopes: () => scopes,
      notify: (changes) => run.notified.push(...changes),
      notifyExpired: (changes) => run.notified.push(...changes),
      importPlaces: () => ({
        folders: scopes.workspace.map(({ store }) => path.dirname(store.folder)),
        home: path.join(temp.path, 'home'),
      }),
      showReport: async (report) => void run.reports.push(report),
      expireAfterDays: () => run.expireAfterDays,
    });
  });
  return run;
}
