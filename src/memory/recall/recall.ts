// Chooses the records that bear on a request. Nothing is asked when every record can be shown anyway; without a
// usable answer of a model in time, shared words decide.

import type { Log } from '../../base/log.ts';
import type { Message, Model } from '../../models/model.ts';
import { newestWithin, utterances } from '../dialogue.ts';
import { expiredRecords } from '../expiry.ts';
import { nameForLog } from '../fieldText.ts';
import { rankRecords } from '../words/lexical.ts';
import type { MemoryRecord } from '../record.ts';
import { chooseFromCatalogue } from './catalogue.ts';
import type { LateAnswers } from './lateAnswers.ts';

/** What was chosen for a request. */
export interface Recall {
  /** How many memories there are in all. */
  readonly total: number;
  readonly chosenBy: ChosenBy;
  /** Best first: at most 5 records of 20,000 characters in all. */
  readonly recalled: readonly RecalledRecord[];
  /** What was chosen too but did not fit, best first. */
  readonly leftOut: readonly RecalledRecord[];
}

export interface RecalledRecord {
  readonly record: MemoryRecord;
  readonly reason:
    | { readonly kind: 'all' }
    | { readonly kind: 'model' }
    | { readonly kind: 'words'; readonly words: readonly string[] };
}

export type ChosenBy =
  /** All of them fit, so nothing was asked. */
  | { readonly kind: 'all' }
  | { readonly kind: 'model' }
  | { readonly kind: 'words'; readonly because: NoAnswer };

/** `notAsked`: there is no model, or nothing to ask about. `paused`: its last answers were late. */
export type NoAnswer = 'notAsked' | 'failed' | 'late' | 'paused' | 'unusable';

interface RecallOptions {
  /** See `unexpired`. */
  readonly records: readonly MemoryRecord[];
  /** See `recallDialogue`. */
  readonly dialogue: string;
  /** Undefined: words decide. */
  readonly model: Model | undefined;
  /** Of this window. Without it every turn waits for the model. */
  readonly lateAnswers?: LateAnswers | undefined;
  readonly log: Log;
  readonly deadlineMs?: number;
}

/** What a request can bear beside itself. */
const MAX_RECORDS = 5;
const MAX_CHARS = 20_000;
/** More would cost more than they tell. */
const MAX_LEFT_OUT = 5;
/** The person waits for it. */
const DEADLINE_MS = 3000;
const DIALOGUE_MESSAGES = 3;
const DIALOGUE_CHARS = 2000;
const BETWEEN_MESSAGES = '\n\n';

/** Throws only when `signal` is aborted. */
export async function recallMemories(options: RecallOptions, signal: AbortSignal): Promise<Recall> {
  const recall = await choose(options, signal);
  if (recall.total > 0) {
    const names = recall.recalled.map(({ record }) => nameForLog(record.name)).join(', ');
    const count = `${recall.recalled.length} of ${recall.total} memories`;
    options.log.info(`[recall] ${count}${names && `: ${names}`}`);
  }
  return recall;
}

/** The newest words of the person, from at most 3 messages: what recall goes by. */
export function recallDialogue(log: readonly Message[]): string {
  const said = utterances(log.filter(({ role }) => role === 'user')).slice(-DIALOGUE_MESSAGES);
  const room = DIALOGUE_CHARS - (DIALOGUE_MESSAGES - 1) * BETWEEN_MESSAGES.length;
  return newestWithin(said, room)
    .map(({ text }) => text)
    .join(BETWEEN_MESSAGES);
}

/** Without those that say themselves that they are over by now. */
export function unexpired(records: readonly MemoryRecord[], now: Date): readonly MemoryRecord[] {
  const expired = new Set(
    expiredRecords(records, { afterDays: 0, now }).map(({ record }) => record),
  );
  return expired.size === 0 ? records : records.filter((record) => !expired.has(record));
}

/** Whether a record can ever be shown to a model: whole, or not at all. */
export function canBeShown(record: MemoryRecord): boolean {
  return sizeOf([record]) <= MAX_CHARS;
}

async function choose(options: RecallOptions, signal: AbortSignal): Promise<Recall> {
  const { records, dialogue, model, lateAnswers, log, deadlineMs = DEADLINE_MS } = options;
  const total = records.length;
  if (total <= MAX_RECORDS && sizeOf(records) <= MAX_CHARS) {
    const recalled = records.map((record) => ({ record, reason: { kind: 'all' } as const }));
    return { total, chosenBy: { kind: 'all' }, recalled, leftOut: [] };
  }
  if (!model || dialogue.trim() === '') return recalledByWords(options, 'notAsked');
  if (lateAnswers?.mayAsk() === false) {
    log.warn('[recall] Chosen by words: the last answers of the model were late.');
    return recalledByWords(options, 'paused');
  }

  const question = { records, dialogue, model, most: MAX_RECORDS, deadlineMs };
  const answer = await chooseFromCatalogue(question, signal);
  if (!answer.ok && answer.because === 'late') lateAnswers?.tellLate();
  else lateAnswers?.tellInTime();
  if (!answer.ok) {
    const late = answer.because === 'late' && lateAnswers ? lateAnswers.count : 0;
    const count = late > 0 ? ` (${late} late in this window)` : '';
    log.warn(`[recall] Chosen by words, not by the model: ${String(answer.problem)}${count}`);
    return recalledByWords(options, answer.because);
  }
  const chosen = answer.value.map((record) => ({ record, reason: { kind: 'model' } as const }));
  const { recalled, tooLong, surplus } = fitting(chosen, log);
  const leftOut = [...tooLong, ...surplus].slice(0, MAX_LEFT_OUT);
  return { total, chosenBy: { kind: 'model' }, recalled, leftOut };
}

function recalledByWords({ records, dialogue, log }: RecallOptions, because: NoAnswer): Recall {
  // Twice as many, so that one which is too long has a substitute. Those that are not needed are no loss.
  const ranked = rankRecords(records, dialogue, 2 * MAX_RECORDS);
  const { recalled, tooLong } = fitting(
    ranked.map(({ record, words }) => ({ record, reason: { kind: 'words', words } })),
    log,
  );
  return {
    total: records.length,
    chosenBy: { kind: 'words', because },
    recalled,
    leftOut: tooLong.slice(0, MAX_LEFT_OUT),
  };
}

/** Whole records only, since half a rule can mean its opposite. */
function fitting(chosen: readonly RecalledRecord[], log: Log) {
  const recalled: RecalledRecord[] = [];
  const tooLong: RecalledRecord[] = [];
  let room = MAX_CHARS;
  for (const each of chosen) {
    if (recalled.length === MAX_RECORDS) break;
    const size = sizeOf([each.record]);
    if (size <= room) {
      recalled.push(each);
      room -= size;
    } else {
      tooLong.push(each);
      const { file } = each.record;
      log.warn(`[recall] ${file} is left out: it has ${size} characters, room is for ${room}.`);
    }
  }
  /** More than were asked for. */
  const surplus = chosen.slice(recalled.length + tooLong.length);
  return { recalled, tooLong, surplus };
}

function sizeOf(records: readonly MemoryRecord[]): number {
  return records.reduce(
    (total, { name, description, body }) => total + name.length + description.length + body.length,
    0,
  );
}
