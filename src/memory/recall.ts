// Chooses the records that bear on a request and writes them down for the model. Nothing is asked when every
// record can be shown anyway; without a usable answer of a model, shared words decide.

import type { Log } from '../base/log.ts';
import type { ContextBlock, Message, Model } from '../models/model.ts';
import { chooseFromCatalogue } from './catalogue.ts';
import { newestWithin, utterances } from './dialogue.ts';
import { nameForLog } from './fieldText.ts';
import { rankRecords } from './lexical.ts';
import { describeRecord, memoryBlock } from './memoryBlock.ts';
import type { MemoryRecord } from './record.ts';

export interface RecalledRecord {
  readonly record: MemoryRecord;
  readonly reason:
    | { readonly kind: 'all' }
    | { readonly kind: 'model' }
    | { readonly kind: 'words'; readonly words: readonly string[] };
}

interface RecallOptions {
  readonly records: readonly MemoryRecord[];
  /** See `recallDialogue`. */
  readonly dialogue: string;
  /** Undefined: words decide. */
  readonly model: Model | undefined;
  readonly log: Log;
  readonly deadlineMs?: number;
}

/** What a request can bear beside itself. */
const MAX_RECORDS = 5;
const MAX_CHARS = 20_000;
/** The person waits for it. */
const DEADLINE_MS = 3000;
const DIALOGUE_MESSAGES = 3;
const DIALOGUE_CHARS = 2000;
const BETWEEN_MESSAGES = '\n\n';

/** At most 5 records of 20,000 characters in all, best first. Throws only when `signal` is aborted. */
export async function recallMemories(
  options: RecallOptions,
  signal: AbortSignal,
): Promise<readonly RecalledRecord[]> {
  const recalled = await choose(options, signal);
  const { length } = options.records;
  if (length > 0) {
    const names = recalled.map(({ record }) => nameForLog(record.name)).join(', ');
    options.log.info(`[recall] ${recalled.length} of ${length} memories${names && `: ${names}`}`);
  }
  return recalled;
}

/** The newest words of the person, from at most 3 messages: what recall goes by. */
export function recallDialogue(log: readonly Message[]): string {
  const said = utterances(log.filter(({ role }) => role === 'user')).slice(-DIALOGUE_MESSAGES);
  const room = DIALOGUE_CHARS - (DIALOGUE_MESSAGES - 1) * BETWEEN_MESSAGES.length;
  return newestWithin(said, room)
    .map(({ text }) => text)
    .join(BETWEEN_MESSAGES);
}

/**
 * The block that stands in front of the request; undefined when nothing new is to be said. It tells what was
 * recalled and does not stand yet, and what of the standing has changed or gone since. `standing` is path to
 * hash of what stands in the working history, '' for what is already said to be gone.
 */
export function recallContext(options: {
  readonly recalled: readonly RecalledRecord[];
  readonly standing: ReadonlyMap<string, string>;
  readonly existing: readonly MemoryRecord[];
  /** The agent's working folder: paths in it are told relative to it. */
  readonly folder: string | undefined;
  readonly now: Date;
}): ContextBlock | undefined {
  const { recalled, standing, existing, folder, now } = options;
  const stands = ({ path }: MemoryRecord): boolean => (standing.get(path) ?? '') !== '';
  const showable = existing.filter((record) => sizeOf([record]) <= MAX_CHARS);
  const changed = showable.filter(
    (record) => stands(record) && standing.get(record.path) !== record.hash,
  );
  const added = recalled.map(({ record }) => record).filter((record) => !stands(record));
  const present = new Set(showable.map(({ path }) => path));
  const gone = [...standing].flatMap(([path, hash]) =>
    hash !== '' && !present.has(path) ? [path] : [],
  );
  if (added.length + changed.length + gone.length === 0) return undefined;

  const parts = [
    ...added.map((record) => describeRecord(record, { folder, now })),
    ...changed.map((record) => describeRecord(record, { folder, now, note: CHANGED })),
  ];
  return {
    type: 'context',
    text: memoryBlock({ parts, gone, now }),
    records: Object.fromEntries([
      ...[...added, ...changed].map(({ path, hash }) => [path, hash]),
      ...gone.map((path) => [path, '']),
    ]),
  };
}

const CHANGED = 'This memory has changed since it was shown above; only this text counts.';

async function choose(
  options: RecallOptions,
  signal: AbortSignal,
): Promise<readonly RecalledRecord[]> {
  const { records, dialogue, model, log, deadlineMs = DEADLINE_MS } = options;
  if (records.length <= MAX_RECORDS && sizeOf(records) <= MAX_CHARS) {
    return records.map((record) => ({ record, reason: { kind: 'all' } }));
  }
  if (dialogue.trim() === '') return [];
  if (!model) return recalledByWords(options);

  const question = { records, dialogue, model, most: MAX_RECORDS, deadlineMs };
  const answer = await chooseFromCatalogue(question, signal);
  if (!answer.ok) {
    log.warn(`[recall] Chosen by words, not by the model: ${answer.problem}`);
    return recalledByWords(options);
  }
  return fitting(
    answer.value.map((record) => ({ record, reason: { kind: 'model' } })),
    log,
  );
}

function recalledByWords({ records, dialogue, log }: RecallOptions): readonly RecalledRecord[] {
  // Twice as many, so that one which is too long has a substitute.
  const ranked = rankRecords(records, dialogue, 2 * MAX_RECORDS);
  return fitting(
    ranked.map(({ record, words }) => ({ record, reason: { kind: 'words', words } })),
    log,
  );
}

/** Whole records only, since half a rule can mean its opposite. */
function fitting(chosen: readonly RecalledRecord[], log: Log): readonly RecalledRecord[] {
  const kept: RecalledRecord[] = [];
  let room = MAX_CHARS;
  for (const recalled of chosen) {
    if (kept.length === MAX_RECORDS) break;
    const size = sizeOf([recalled.record]);
    if (size <= room) {
      kept.push(recalled);
      room -= size;
    } else {
      const { file } = recalled.record;
      log.warn(`[recall] ${file} is left out: it has ${size} characters, room is for ${room}.`);
    }
  }
  return kept;
}

function sizeOf(records: readonly MemoryRecord[]): number {
  return records.reduce(
    (total, { name, description, body }) => total + name.length + description.length + body.length,
    0,
  );
}
