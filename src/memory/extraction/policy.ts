// Decides what may become of a model's operation. Pure, and the last word: only what the person said themselves, and
// what will still hold next time, becomes a memory unasked. Every refusal and every doubt has a name.

import { canExpire } from '../expiry.ts';
import { fold, isoDeadline, shortened } from '../fieldText.ts';
import { withoutHidden } from '../hiddenText.ts';
import {
  MAX_BODY,
  MAX_DESCRIPTION,
  MEMORY_TYPES,
  slugFor,
  type MemoryRecord,
  type MemoryType,
} from '../record.ts';
import { hasSameWords, repeats, rewords, says } from '../words/likeness.ts';
import { secretIn } from '../secrets/secrets.ts';
import { evidenceOf } from './evidence.ts';
import { lastDay } from './lastDay.ts';
import { isAskedFor } from './rememberRequest.ts';
import { isLimited, isTemporary } from './temporary.ts';
import { dropsStatements, topicOfUpdate } from './updateLoss.ts';

/** A model's words: nothing about them is certain. */
export interface Operation {
  readonly op: string;
  /** Of an update: the id under which the record was shown, its file or its name. */
  readonly target?: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
  readonly scope: string;
  /** The words that the memory rests on. */
  readonly quote: string;
  /** Whose they are, as the model says: what it calls the assistant's is never taken for the person's. */
  readonly from?: string | undefined;
  /** The last day on which it holds. */
  readonly expires?: string | undefined;
}

/** Whose words a memory rests on. What a person pasted is in their message, but others may have written it. */
export const SOURCES = ['person', 'pasted', 'assistant'] as const;
export type Source = (typeof SOURCES)[number];

/** The checked fields of a record. */
export interface Fields {
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  readonly body: string;
  /** Only of what the person asked for, and of what can run out. A day. */
  readonly expires?: string;
}

/** What the decision rests on. */
export interface Grounds {
  /** Each message of the person that memories may come from, whole. */
  readonly said: readonly string[];
  /** Those before: nothing is saved from them, but an address or a command may stand there. */
  readonly earlier: readonly string[];
  /** The assistant's words, in the same dialogue: what rests on them is never more than a proposal. */
  readonly answered: readonly string[];
  /** All records, those included that were accepted a moment ago. */
  readonly existing: readonly MemoryRecord[];
  /** Records as they were before another operation of the same answer updated them. */
  readonly replaced?: readonly MemoryRecord[] | undefined;
  /** Paths of the records by the ids under which the model saw them. */
  readonly ids?: ReadonlyMap<string, string> | undefined;
  readonly now: Date;
}

export const REFUSALS = {
  unknownOperation: 'the operation is neither add nor update',
  notPersistent: 'it is for the current task only',
  unknownType: 'the type is unknown',
  missingField: 'a field is missing',
  tooLong: 'a field is too long',
  temporary: 'its wording is temporary',
  notSaid: 'the quote is not in the words of the person',
  unrelated: 'the quote is about something else',
  asked: 'the quote only asks',
  turned: 'the quote was cut out of a sentence that says the opposite',
  unsaidCommand: 'it holds an address or a command that the person did not give',
  secret: 'it holds a secret',
  duplicate: 'it is already known',
  unknownTarget: 'the record to update does not exist',
} as const;
type Refusal = keyof typeof REFUSALS;

/** Why the person is asked about what they may well have said: a memory unasked could be wrong, and nothing a loss. */
export const DOUBT_NAMES = ['unrelated', 'otherLanguage', 'pinned', 'shrinks', 'drops'] as const;
export type Doubt = (typeof DOUBT_NAMES)[number];

export const DOUBTS: Readonly<Record<Doubt, string>> = {
  unrelated: REFUSALS.unrelated,
  otherLanguage: 'the words are in two languages',
  pinned: 'the record to update is pinned',
  shrinks: 'it would replace the record by much less',
  drops: 'it leaves out what else the record says',
};

interface Accepted {
  readonly fields: Fields;
  readonly from: Source;
  readonly doubt?: Doubt;
}

export type Decision =
  | (Accepted & { readonly kind: 'add' })
  | (Accepted & { readonly kind: 'update'; readonly target: MemoryRecord })
  /** `detail` is the kind of secret, in words. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly detail?: string };

/** A longer text is not to be replaced by less than half of it: what is corrected keeps the rest. */
const LONG_BODY = 200;
const LEAST_KEPT = 0.5;

export function decide(operation: Operation, grounds: Grounds): Decision {
  const { existing } = grounds;
  const op = fold(operation.op);
  if (op !== 'add' && op !== 'update') return refused('unknownOperation');
  if (fold(operation.scope) !== 'persistent') return refused('notPersistent');
  const checked = checkedFields(operation);
  if (typeof checked === 'string') return refused(checked);
  const fields = forAWhile(checked, operation, grounds);
  // As given: a slug has lost the capitals by which some secrets are known.
  const { name, description, body, quote } = operation;
  const secret = secretIn([name, description, body, quote].join('\n'));
  if (secret !== undefined) return { kind: 'refused', refusal: 'secret', detail: secret };

  const target =
    op === 'update'
      ? findTarget(operation.target ?? '', grounds)
      : existing.find((record) => rewords(fields, record));
  const found = evidenceOf({
    quote,
    text: `${fields.name}\n${fields.description}\n${fields.body}`,
    ...grounds,
    record: target ? `${target.description}\n${target.body}` : '',
    // Who the person is and what they want, nobody else can say.
    mayBeFound: fields.type === 'project' || fields.type === 'reference',
  });
  if ('problem' in found) return refused(found.problem);
  // Each a sentence of its own: a ban in one says nothing of the next.
  const sentences = [fields.name, fields.description, fields.body].join('.\n');
  const isPassing = isTemporary(sentences) || isLimited(quote);
  if (isPassing && fields.expires === undefined) return refused('temporary');

  const others = existing.filter((record) => record !== target);
  if (others.some((record) => repeats(fields, record))) return refused('duplicate');
  if (grounds.replaced?.some((record) => restores(fields, record))) return refused('duplicate');
  if (!target && op === 'update') return refused('unknownTarget');
  // An addition to what is known already is one too, and not a second memory of the same.
  const isKnown = target && (says(target, fields) || (op === 'add' && repeats(fields, target)));
  if (isKnown && !holdsForLonger(fields, target)) return refused('duplicate');

  const isOthers = fold(operation.from ?? '') === 'assistant';
  if (isOthers && found.from === 'person' && found.doubt === 'unrelated')
    return refused('unrelated');
  const from = isOthers && found.from === 'person' ? 'assistant' : found.from;
  const doubted = found.from === 'person' ? found.doubt : undefined;
  // Written over, the one would be lost, and the other stand where nobody looks for it; or both would run out.
  const staysApart = fields.expires !== undefined && target?.expires === undefined;
  if (!target || staysApart || topicOfUpdate(target, fields, quote) === 'other')
    return { kind: 'add', fields, from, ...(doubted && { doubt: doubted }) };
  const doubt = doubted ?? doubtOf(target, fields, quote);
  return { kind: 'update', target, fields, from, ...(doubt && { doubt }) };
}

/**
 * With the last day of what the person asked to have remembered. Nothing but facts runs out, so that what is worded for
 * a while becomes one; a lasting preference stays, whatever day a model gives.
 */
function forAWhile(fields: Fields, { quote, expires }: Operation, { said, now }: Grounds): Fields {
  const day = lastDay(expires, now);
  if (day === undefined || !isAskedFor(quote, said)) return fields;
  if (canExpire({ ...fields, pinned: false })) return { ...fields, expires: day };
  const isPassing = isTemporary([quote, fields.description, fields.body].join('.\n'));
  return isPassing ? { ...fields, type: 'project', expires: day } : fields;
}

/** Said again, with another day. */
function holdsForLonger({ expires }: Fields, target: MemoryRecord): boolean {
  return (
    target.expires !== undefined && (isoDeadline(expires) ?? target.expires) !== target.expires
  );
}

/** What speaks against an update that nobody looks at. */
function doubtOf(target: MemoryRecord, fields: Fields, quote: string): Doubt | undefined {
  if (target.pinned) return 'pinned';
  if (topicOfUpdate(target, fields, quote) === 'unknown') return 'otherLanguage';
  const { length } = target.body;
  if (length > LONG_BODY && fields.body.length < LEAST_KEPT * length) return 'shrinks';
  return dropsStatements(target, fields, quote) ? 'drops' : undefined;
}

/** Whether it says again what was just put right. */
function restores(fields: Fields, replaced: MemoryRecord): boolean {
  return repeats(fields, replaced) || hasSameWords(fields, replaced);
}

/** The fields as a record may have them, or the refusal. A description a little too long is shortened. */
export function checkedFields(
  given: Omit<Operation, 'op' | 'scope' | 'quote' | 'from' | 'expires'>,
): Fields | 'missingField' | 'unknownType' | 'tooLong' {
  const name = withoutHidden(given.name).trim();
  const description = withoutHidden(given.description).replaceAll(/\s+/gu, ' ').trim();
  const body = withoutHidden(given.body).trim();
  const type = MEMORY_TYPES.find((known) => known === fold(given.type));
  if (!/[\p{L}\p{N}]/u.test(name) || description === '' || body === '') return 'missingField';
  if (!type) return 'unknownType';
  // The body says the same at length, so a line that overruns is no reason to lose it.
  if (description.length > 2 * MAX_DESCRIPTION || body.length > MAX_BODY) return 'tooLong';
  return { name: slugFor(name), description: shortened(description, MAX_DESCRIPTION), type, body };
}

function findTarget(target: string, { existing, ids }: Grounds): MemoryRecord | undefined {
  const wanted = fold(target)
    .replace(/^.*[/\\]/, '')
    .replace(/\.md$/, '');
  if (wanted === '') return undefined;
  const path = ids?.get(wanted.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  if (path !== undefined) return existing.find((record) => record.path === path);
  return (
    theOnly(existing.filter(({ file }) => fold(file) === `${wanted}.md`)) ??
    theOnly(existing.filter(({ name }) => fold(name) === wanted))
  );
}

/** Two scopes may hold a file of one name; then it is not said which is meant. */
function theOnly(records: readonly MemoryRecord[]): MemoryRecord | undefined {
  return records.length === 1 ? records[0] : undefined;
}

function refused(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}
