// "Health Check" looks over the memories of all scopes, "Scan for Secrets" also over the trash. Both report on a page
// of links and change nothing.

import path from 'node:path';
import * as vscode from 'vscode';
import { infoIfPresent, readBytesIfPresent } from '../../base/files.ts';
import { expiredRecords, upcomingExpiries } from '../../memory/expiry.ts';
import { checkHealth, scanSecrets } from '../../memory/upkeep/healthCheck.ts';
import { projectFiles } from '../../memory/upkeep/projectFiles.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { healthReport } from './healthReport.ts';
import type { Report } from './reportParts.ts';
import { scopeNames } from './reportScope.ts';
import { secretReport } from './secretReport.ts';
import { abortSignalOf } from '../host/signals.ts';

export interface HealthDeps {
  readonly showReport: (report: Report) => Promise<void>;
  /** Days after which an untouched `project` memory of a scope expires; 0 is never. */
  readonly expireAfterDays: (scope: Scope) => number;
}

/** A larger file is no memory; it may be anything, and reading it would take long. */
const MAX_SCANNED_BYTES = 1024 * 1024;

export async function healthCheck(scopes: MemoryScopes, deps: HealthDeps): Promise<void> {
  const markdown = await withProgress(vscode.l10n.t('Checking memories…'), async (signal) => {
    const now = new Date();
    const { records, damaged } = await scopes.list();
    // The folders of a workspace are one project; what is personal speaks of none.
    const folders = scopes.workspace.map(({ store }) => path.dirname(store.folder));
    const project = projectFiles(folders, signal);
    const findings = await checkHealth({
      records,
      damaged,
      projectOf: (record) => (scopes.scopeOf(record)?.kind === 'workspace' ? project : undefined),
      now,
    });
    const expiries = scopes.all.map((scope) => {
      const rule = { afterDays: deps.expireAfterDays(scope), now };
      const own = records.filter((record) => scopes.scopeOf(record) === scope);
      return { expired: expiredRecords(own, rule), upcoming: upcomingExpiries(own, rule) };
    });
    return healthReport({
      findings: [...findings, ...scanSecrets(await textsOf(damaged))],
      records,
      checked: records.length + damaged.length,
      expiry: {
        afterDays: deps.expireAfterDays(scopes.home),
        expired: expiries.flatMap(({ expired }) => expired),
        upcoming: expiries.flatMap(({ upcoming }) => upcoming),
      },
      scopeOf: await scopeNames(scopes),
      now,
    });
  });
  if (markdown !== undefined)
    await deps.showReport({ title: vscode.l10n.t('Memory Health'), markdown });
}

export async function scanForSecrets(scopes: MemoryScopes, deps: HealthDeps): Promise<void> {
  const markdown = await withProgress(vscode.l10n.t('Searching for secrets…'), async (signal) => {
    const { records, damaged } = await scopes.list();
    const trashed = await Promise.all(scopes.all.map(({ store }) => store.trashed()));
    // The whole files: a secret may stand in a field that we do not know.
    const memories = await textsOf([...records, ...damaged]);
    signal.throwIfAborted();
    const trash = await textsOf(trashed.flat());
    return secretReport({
      inMemories: scanSecrets(memories),
      inTrash: scanSecrets(trash),
      searched: memories.length + trash.length,
      scopeOf: await scopeNames(scopes),
      now: new Date(),
    });
  });
  if (markdown !== undefined)
    await deps.showReport({ title: vscode.l10n.t('Secrets in Memories'), markdown });
}

interface Place {
  readonly file: string;
  readonly path: string;
}

/** What is gone by now, too large or no file is left out. */
async function textsOf(places: readonly Place[]) {
  const texts = [];
  for (const { file, path } of places) {
    const info = await infoIfPresent(path);
    if (info?.kind !== 'file' || info.size > MAX_SCANNED_BYTES) continue;
    const bytes = await readBytesIfPresent(path);
    // Not strictly: a file of another encoding may hold a secret all the same.
    if (bytes) texts.push({ file, path, text: bytes.toString('utf8') });
  }
  return texts;
}

/** Undefined when the person cancels. */
function withProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Thenable<T | undefined> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title, cancellable: true },
    async (_progress, token) => {
      const { signal, dispose } = abortSignalOf(token);
      try {
        return await work(signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        dispose();
      }
    },
  );
}
