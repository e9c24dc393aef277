// Learns from what was said: a model answers with operations for each dialogue that was not looked at, and what they
// become is decided in saving.ts. Nothing is taken from tool output, recalled records or summaries.

import { errorText, type Log } from '../../base/log.ts';
import { ask } from '../../models/ask.ts';
import type { Message, Model } from '../../models/model.ts';
import type { Change } from '../change.ts';
import { unlearnedDialogues, type Dialogue, type Utterance } from '../dialogue.ts';
import { rankRecords } from '../words/lexical.ts';
import type { Proposal } from '../review/proposals.ts';
import type { MemoryRecord } from '../record.ts';
import { ExtractionAnswer, extractionPrompt, FEWER, SYSTEM } from './extractionPrompt.ts';
import type { Operation } from './policy.ts';
import { saveOperations, type Saved, type SavingContext } from './saving.ts';
import { unsavedRequests, type UnsavedRequest } from './unsavedRequests.ts';

interface ExtractionOptions extends Pick<SavingContext, 'scopes' | 'mode'> {
  /** The session log of the chat up to the end of this turn, uncompacted. */
  readonly messages: readonly Message[];
  /**
   * So many of the first messages were learned from before. They are shown, but nothing is saved from them: what
   * the person took back or deleted since would return.
   */
  readonly learned?: number;
  readonly model: Model;
  readonly log: Log;
  readonly now?: () => Date;
}

/** What was refused, and why, is in the log. */
export interface Extracted {
  readonly changes: readonly Change[];
  readonly proposed: readonly Proposal[];
  /** Kinds of secret, in words, each once. */
  readonly refusedSecrets: readonly string[];
  readonly unsaved: readonly UnsavedRequest[];
}

/** The model failed, or something could not be written, after some was learned. */
export class ExtractionError extends Error {
  override readonly name = 'ExtractionError';
  readonly extracted: Extracted;

  constructor(extracted: Extracted, cause: unknown) {
    super(`Only a part was learned from: ${errorText(cause)}`, { cause });
    this.extracted = extracted;
  }
}

/** Each is a question. More words than that were pasted, or are of turns long past. */
const MAX_DIALOGUES = 6;
/** Room for one or two for each thing that a person says in a while; what is not shown is added twice. */
const ALIKE_RECORDS = 12;
const ALIKE_CHARS = 8000;
const MAX_OUTPUT_TOKENS = 3000;

const NOTHING: Extracted = { changes: [], proposed: [], refusedSecrets: [], unsaved: [] };

/** Throws when the model failed or what the person said could not be written; ExtractionError when something was. */
export async function extractMemories(
  options: ExtractionOptions,
  signal: AbortSignal,
): Promise<Extracted> {
  const { messages, learned = 0, log } = options;
  const { dialogues, passedOver } = unlearnedDialogues(messages, learned, MAX_DIALOGUES);
  if (passedOver > 0)
    log.warn(
      `[extraction] ${passedOver} older messages were not looked at: there were too many at once`,
    );
  let extracted = NOTHING;
  for (const dialogue of dialogues) {
    try {
      const { unwritten, ...learnt } = await learnFrom(dialogue, options, extracted, signal);
      extracted = learnt;
      if (unwritten) throw unwritten;
    } catch (error) {
      if (isNothing(extracted)) throw error;
      throw new ExtractionError(extracted, error);
    }
  }
  return extracted;
}

/** What was extracted so far, and from this dialogue. */
async function learnFrom(
  dialogue: Dialogue,
  options: ExtractionOptions,
  before: Extracted,
  signal: AbortSignal,
): Promise<Extracted & Pick<Saved, 'unwritten'>> {
  const first = await learnOnce(dialogue, options, before, signal);
  const extracted = joined(before, first);
  const { unwritten } = first;
  if (!first.stale) return { ...extracted, unwritten };
  try {
    // A person edited the record in the meantime, which wins. The model looks at the new text.
    const second = await learnOnce(dialogue, options, extracted, signal);
    // The second look tells what came of it.
    const unsaved = [...before.unsaved, ...second.unsaved];
    return { ...joined(extracted, second), unsaved, unwritten: unwritten ?? second.unwritten };
  } catch (error) {
    // What was said of that record is not written yet, so it is worth another attempt.
    const failure = error instanceof Error ? error : new Error(errorText(error));
    return { ...extracted, unwritten: unwritten ?? failure };
  }
}

async function learnOnce(
  { whole, shown }: Dialogue,
  options: ExtractionOptions,
  before: Extracted,
  signal: AbortSignal,
): Promise<Extracted & Pick<Saved, 'stale' | 'unwritten'>> {
  const { scopes, mode, log, now = () => new Date() } = options;
  const at = now();
  const { records } = await scopes.list();
  const ids = idsOf(alike(records, shown));
  const prompt = extractionPrompt({ dialogue: shown, shown: ids, now: at });
  const operations = await operationsFor(prompt, options.model, signal);
  const textsOf = (from: Utterance['from'], earlier?: true) =>
    whole.filter((each) => each.from === from && each.earlier === earlier).map(({ text }) => text);
  const said = textsOf('person');
  const { changes, proposed, refusedSecrets, lost, stale, unwritten } = await saveOperations(
    operations,
    {
      scopes,
      mode,
      said,
      earlier: textsOf('person', true),
      answered: textsOf('assistant'),
      seen: new Map(records.map(({ path, hash }) => [path, hash])),
      ids: new Map(Array.from(ids, ([id, { path }]) => [id, path])),
      now: at,
      foundBefore: before.proposed.filter(({ from }) => from !== 'person').length,
      log,
    },
  );
  const unsaved = unsavedRequests({ said, operations, lost, known: await knownTexts(scopes) });
  return { changes, proposed, refusedSecrets, unsaved, stale, unwritten };
}

/** Of all that is saved or waits for review by now. */
async function knownTexts(scopes: SavingContext['scopes']): Promise<readonly string[]> {
  const { records } = await scopes.list();
  const waiting = (await scopes.home.store.proposals.list()).map(({ fields }) => fields);
  return [...records, ...waiting].map(({ description, body }) => `${description}\n${body}`);
}

async function operationsFor(
  prompt: string,
  model: Model,
  signal: AbortSignal,
): Promise<readonly Operation[]> {
  const question = (text: string) =>
    ask(
      {
        model,
        system: SYSTEM,
        prompt: text,
        schema: ExtractionAnswer,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      },
      signal,
    );
  let answer = await question(prompt);
  // The same question would be cut at the same place, now and in any later turn.
  if (!answer.ok && answer.isCut) answer = await question(`${prompt}\n\n${FEWER}`);
  if (answer.ok) return answer.value.operations;
  throw new Error(`Nothing was extracted: ${String(answer.problem)}`, { cause: answer.error });
}

/**
 * The records most like the dialogue, so that the model corrects one rather than adding another beside it. Those like
 * a single message of the person come first: what they correct is in few words, and lost among all the others.
 */
function alike(
  records: readonly MemoryRecord[],
  dialogue: readonly Utterance[],
): readonly MemoryRecord[] {
  const news = dialogue.filter(({ from, earlier }) => from === 'person' && !earlier);
  const all = dialogue.map(({ text }) => text).join('\n');
  const ranks = [...news.map(({ text }) => text).toReversed(), all].map((text) =>
    rankRecords(records, text, ALIKE_RECORDS).map(({ record }) => record),
  );
  // The best for each message, then the second best: none has all the places.
  const inTurn = Array.from({ length: ALIKE_RECORDS }, (_, place) =>
    ranks.flatMap((ranked) => ranked[place] ?? []),
  );
  let room = ALIKE_CHARS;
  return [...new Set(inTurn.flat())]
    .filter(({ body }) => {
      if (body.length > room) return false;
      room -= body.length;
      return true;
    })
    .slice(0, ALIKE_RECORDS);
}

/** File names would not do: two scopes may have one of the same name. */
function idsOf(records: readonly MemoryRecord[]): ReadonlyMap<string, MemoryRecord> {
  return new Map(records.map((record, index) => [`m${index + 1}`, record]));
}

function joined(first: Extracted, second: Extracted): Extracted {
  return {
    changes: [...first.changes, ...second.changes],
    proposed: [...first.proposed, ...second.proposed],
    refusedSecrets: [...new Set([...first.refusedSecrets, ...second.refusedSecrets])],
    unsaved: [...first.unsaved, ...second.unsaved],
  };
}

function isNothing({ changes, proposed, refusedSecrets, unsaved }: Extracted): boolean {
  return changes.length + proposed.length + refusedSecrets.length + unsaved.length === 0;
}
