// The program of a store process: a window without an editor. Each line on stdin is a command, each on stdout its
// answer, which is written only when the change is made. Its arguments: the folder of the workspace's memories, and
// that of the personal ones.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { silentLog } from '../../src/base/log.ts';
import { StaleRecordError, type Change } from '../../src/memory/change.ts';
import { consolidateMemories } from '../../src/memory/consolidation/consolidation.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { MemoryStore } from '../../src/memory/store.ts';
import { messageText, type ModelRequest } from '../../src/models/model.ts';
import { newRecord } from './records.ts';
import { scopesOf, undoLast } from './scopes.ts';
import { scriptedModel } from './scriptedModel.ts';

/** Records are named by the absolute path of their file. */
export type Command =
  | { readonly do: 'create'; readonly name: string; readonly body: string }
  | { readonly do: 'createAll'; readonly names: readonly string[]; readonly body: string }
  | { readonly do: 'update'; readonly path: string; readonly body: string }
  /** Adds a line, and tries again for as long as another was faster. */
  | { readonly do: 'append'; readonly path: string; readonly line: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  | { readonly do: 'remove'; readonly path: string }
  /** Moves the record to the other of the two scopes. */
  | { readonly do: 'move'; readonly path: string }
  /** Brings back what was removed last under this name. */
  | { readonly do: 'restore'; readonly path: string }
  | { readonly do: 'undo' }
  /** Merges two memories, which the model is shown, into the first. */
  | { readonly do: 'merge'; readonly files: readonly [string, string] }
  /** Takes back what the last merge of this process did, as far as it is still as it was. */
  | { readonly do: 'undoMerge' }
  | { readonly do: 'rebuildIndex' }
  | { readonly do: 'list' };

export interface Answer {
  /** What the records are now that the command made or changed, or that it lists. */
  readonly records: readonly Pick<MemoryRecord, 'path' | 'hash'>[];
  /** What went wrong; nothing was done then. */
  readonly error?: { readonly name: string; readonly message: string };
  /** Of the log, since the last answer. */
  readonly warnings: readonly string[];
}

const [folder = '', personal = ''] = process.argv.slice(2);
const warnings: string[] = [];
const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
/** No two changes have the same time, so that it is clear which was the last. */
const clock = { last: 0 };
const now = () => new Date((clock.last = Math.max(clock.last + 1, Date.now())));
const merged: { changes: readonly Change[] } = { changes: [] };
const store = new MemoryStore({ folder, log, now });
const scopes = scopesOf(store, new MemoryStore({ folder: personal, log, now }));

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line) as Command);
  // At once, so that a process that is killed has said all that it had done.
  writeSync(1, `${JSON.stringify(answer)}\n`);
}

async function answerTo(command: Command): Promise<Answer> {
  try {
    const records = await run(command);
    return {
      records: records.map(({ path, hash }) => ({ path, hash })),
      warnings: warnings.splice(0),
    };
  } catch (error) {
    const { name, message } = error as Error;
    return { records: [], error: { name, message }, warnings: warnings.splice(0) };
  }
}

async function run(command: Command): Promise<readonly MemoryRecord[]> {
  switch (command.do) {
    case 'create':
      return left(await scopes.create(newRecord(command.name, command.body)));
    case 'createAll':
      return left(
        ...(await store.createAll(command.names.map((name) => newRecord(name, command.body)))),
      );
    case 'update':
      return left(await scopes.update(await find(command.path), { body: command.body }));
    case 'append':
      return left(await append(command.path, command.line));
    case 'rename': {
      const record = await find(command.path);
      return left(await storeOf(record).rename(record, command.to));
    }
    case 'remove':
      return left(await scopes.remove(await find(command.path), 'told to'));
    case 'move': {
      const record = await find(command.path);
      const to = scopes.all.find((scope) => scope !== scopes.scopeOf(record))!;
      return left(...(await scopes.move(record, to)));
    }
    case 'restore': {
      const trashed = (await storeOf(command).trashed()).find(
        ({ kind, file }) => kind === 'removed' && command.path.endsWith(`/${file}`),
      );
      if (!trashed) throw new Error(`${command.path} is not in the trash.`);
      return left(await storeOf(command).restore(trashed));
    }
    case 'undo':
      if (!(await undoLast(scopes))) throw new Error('There is nothing to undo.');
      return [];
    case 'merge':
      merged.changes = await merge(command.files);
      return left(...merged.changes);
    case 'undoMerge':
      for (const change of merged.changes.toReversed()) await store.undo(change);
      return [];
    case 'rebuildIndex':
      await store.rebuildIndex();
      return [];
    case 'list':
      return (await scopes.list()).records;
  }
}

async function append(path: string, line: string): Promise<Change> {
  for (;;) {
    const record = await find(path);
    try {
      return await scopes.update(record, { body: `${record.body}\n${line}` });
    } catch (error) {
      if (!(error instanceof StaleRecordError)) throw error;
    }
  }
}

/** By a model that joins what both say, as it was shown it. */
async function merge(files: readonly [string, string]): Promise<readonly Change[]> {
  const [name] = files.map((file) => file.replace(/\.md$/, ''));
  const answer = (request: ModelRequest) => {
    const prompt = messageText(request.messages[0]!);
    const shown = JSON.parse(prompt.slice(prompt.indexOf('['))) as readonly MemoryRecord[];
    const bodies = files.map((file) => shown.find((record) => record.file === file)?.body ?? '');
    const merged = { files, name, description: 'Merged', type: 'user', body: bodies.join('\n') };
    return JSON.stringify({ merge: [merged] });
  };
  const model = scriptedModel([answer]);
  const signal = new AbortController().signal;
  return (await consolidateMemories({ store, model, log, now }, signal)).changes;
}

async function find(path: string): Promise<MemoryRecord> {
  const record = (await scopes.list()).records.find((record) => record.path === path);
  if (!record) throw new Error(`There is no ${path}.`);
  return record;
}

function storeOf(located: { readonly path: string }): MemoryStore {
  const scope = scopes.scopeOf(located);
  if (!scope) throw new Error(`${located.path} lies in no scope.`);
  return scope.store;
}

function left(...changes: readonly Change[]): readonly MemoryRecord[] {
  return changes.filter(({ kind }) => kind !== 'removed').map(({ record }) => record);
}
