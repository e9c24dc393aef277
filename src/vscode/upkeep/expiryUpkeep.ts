// Retires what has run out without being asked: when memories begin, when the setting changes, and once a day. What a
// person brings back then stays until they change it, however long it has run out.

import * as vscode from 'vscode';
import { errorText, type Log } from '../../base/log.ts';
import { SETTINGS_SECTION } from '../../manifest.ts';
import type { Change } from '../../memory/change.ts';
import { retireExpired } from '../../memory/upkeep/retirement.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { coalesce } from '../host/coalesce.ts';

interface UpkeepDeps {
  /** Undefined while the workspace is not trusted. */
  readonly scopes: () => MemoryScopes | undefined;
  readonly expireAfterDays: (scope: Scope) => number;
  readonly notify: (changes: readonly Change[]) => void;
  /** Keeps which texts were retired before. */
  readonly memento: vscode.Memento;
  readonly log: Log;
  /** How long the setting must stand before it counts. */
  readonly settleMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** VS Code saves a number while it is typed, and the 9 of 90 days would retire too much. */
const SETTLE_MS = 10_000;
const RETIRED_KEY = 'memoryAgent.retired';
/** Hashes of 64 characters: far more than anybody brings back, and still small. */
const MOST_REMEMBERED = 500;

export function registerExpiry(deps: UpkeepDeps): vscode.Disposable {
  const run = coalesce(() => retire(deps));
  run();
  const daily = setInterval(run, DAY_MS);
  let settling: NodeJS.Timeout | undefined;
  return vscode.Disposable.from(
    // After the memories themselves, which listen longer, so that they have begun.
    vscode.workspace.onDidGrantWorkspaceTrust(run),
    vscode.workspace.onDidChangeWorkspaceFolders(run),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(`${SETTINGS_SECTION}.expireProjectAfterDays`)) return;
      clearTimeout(settling);
      settling = setTimeout(run, deps.settleMs ?? SETTLE_MS);
    }),
    {
      dispose() {
        clearInterval(daily);
        clearTimeout(settling);
      },
    },
  );
}

async function retire({ scopes, expireAfterDays, notify, memento, log }: UpkeepDeps) {
  const present = scopes();
  if (!present) return;
  try {
    const known = hashesIn(memento.get(RETIRED_KEY));
    const { changes, retired, failures } = await retireExpired(present, {
      afterDaysOf: expireAfterDays,
      now: new Date(),
      spares: ({ hash }) => known.includes(hash),
    });
    for (const failure of failures)
      log.warn(`[expiry] An expired memory was left where it is: ${errorText(failure)}`);
    if (changes.length === 0) return;
    notify(changes);
    const hashes = [...known, ...retired.map(({ record }) => record.hash)];
    await memento.update(RETIRED_KEY, hashes.slice(-MOST_REMEMBERED));
  } catch (error) {
    log.error(`[expiry] Expired memories were not looked for: ${errorText(error)}`);
  }
}

function hashesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
