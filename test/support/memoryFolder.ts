// A store on a real temporary folder, and that folder as values to compare with.

import assert from 'node:assert/strict';
import path from 'node:path';
import { beforeEach } from 'mocha';
import { silentLog, type Log } from '../../src/base/log.ts';
import { StaleRecordError } from '../../src/memory/change.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { readTree, useTempFolder, writeTree } from './tempFolder.ts';

export const NOW = new Date('2026-03-01T12:00:00.000Z');
/** In front of what was put into the trash at that time. */
export const STAMP = '20260301T120000000Z';
/** The file of `TABS`, created at that time. */
export const TABS_TEXT =
  '---\nname: tabs\ndescription: Prefers tabs\ntype: user\ncreated: 2026-03-01T12:00:00.000Z\n---\n\nUse tabs.\n';
export const TABS_INDEX = '# Memory Index\n\n- [tabs](tabs.md) — Prefers tabs [user]\n';
export const EMPTY_INDEX = '# Memory Index\n\n';

type Options = Partial<ConstructorParameters<typeof MemoryStore>[0]>;

/** Registers a hook that gives each test of the surrounding suite a fresh folder and a store on it. */
export function useMemoryStore() {
  const temp = useTempFolder();
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
  const folder = () => path.join(temp.path, '.memory');
  /** One more on the same folder, as in another window. */
  const newStore = (options: Options = {}) =>
    new MemoryStore({ folder: folder(), log, now: () => NOW, ...options });

  const at = {
    temp,
    warnings,
    store: new MemoryStore({ folder: 'none', log }),
    newStore,
    write: (files: Readonly<Record<string, string | Uint8Array>>) => writeTree(folder(), files),
    /** The folder without its trash, its lock and its .gitignore. */
    memories: () => filesOf(folder(), /^\.(?:trash\/|lock$|gitignore$)/),
    /** The trash without its journal and its .gitignore. */
    trash: () => filesOf(path.join(folder(), '.trash'), /^(?:\.gitignore|journal\.jsonl)$/),
    files: async () => (await at.store.list()).records.map(({ file }) => file),
    only: async (): Promise<MemoryRecord> => {
      const { records } = await at.store.list();
      assert.equal(records.length, 1);
      return records[0]!;
    },
  };
  beforeEach(() => {
    warnings.length = 0;
    at.store = newStore();
  });
  return at;
}

async function filesOf(folder: string, except: RegExp): Promise<Record<string, string>> {
  const files = Object.entries(await readTree(folder));
  return Object.fromEntries(files.filter(([file]) => !except.test(file)));
}

/** For `assert.rejects`. */
export function isStale(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StaleRecordError, String(error));
    assert.match(error.message, message);
    return true;
  };
}
