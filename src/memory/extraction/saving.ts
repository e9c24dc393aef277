// The one way by which a model's operations become changes or proposals: the policy decides, the store writes. One
// bad operation never costs a good one, and every refusal is in the log with its reason.

import { errorText, type Log } from '../../base/log.ts';
import { SecretError, StaleRecordError, type Change } from '../change.ts';
import { nameForLog } from '../fieldText.ts';
import { repeats } from '../words/likeness.ts';
import type { NewProposal, Proposal } from '../review/proposals.ts';
import { RecordError, type MemoryRecord } from '../record.ts';
import type { MemoryScopes } from '../scopes.ts';
import type { MemoryStore } from '../store.ts';
import {
  decide,
  DOUBTS,
  REFUSALS,
  type Decision,
  type Doubt,
  type Grounds,
  type Operation,
} from './policy.ts';

export interface SavingContext extends Omit<Grounds, 'existing' | 'replaced'> {
  /** A new record goes to `home`, an update where its record lies. */
  readonly scopes: Pick<MemoryScopes, 'list' | 'home' | 'storeOf' | 'create' | 'update'>;
  /** `review` makes a proposal of what `auto` would save. */
  readonly mode: 'auto' | 'review';
  /** Hashes of the records by path, as they were when the model was asked. Without it they count as they are. */
  readonly seen?: ReadonlyMap<string, string> | undefined;
  /** Proposals that the same turn has led to already and that do not rest on the person's words. */
  readonly foundBefore?: number | undefined;
  readonly log: Log;
}

export interface Saved {
  readonly changes: readonly Change[];
  readonly proposed: readonly Proposal[];
  /** The kinds of secret for which something was refused, in words, each once. */
  readonly refusedSecrets: readonly string[];
  readonly refusals: readonly Refused[];
  /** Why nothing came of an operation: not of what is known, waits already, holds a secret or is tried again. */
  readonly lost: ReadonlyMap<Operation, string>;
  /** Whether a record was not the one that the model had seen. */
  readonly stale: boolean;
  /** Why something that the person said could not be written, though it should be: it is worth another attempt. */
  readonly unwritten?: Error | undefined;
}

interface Refused {
  readonly name: string;
  readonly reason: string;
}

/** A person reads through so many changes; beyond that a model lists all it heard, and the person decides. */
const MAX_CHANGES = 10;
/** What an assistant found is seldom worth keeping. */
const MAX_FOUND = 3;
const NOT_KEPT = 'it was not kept for review';
const NO_LOSSES = [REFUSALS.duplicate, REFUSALS.secret, NOT_KEPT];
/** A model that quotes badly does so often; one that translates may have understood all of it. */
const MOST_DOUBTED: Partial<Record<Doubt, number>> = { unrelated: 3, otherLanguage: MAX_CHANGES };

/** Does what of the operations can be done, in their order. Never rejects. */
export async function saveOperations(
  operations: readonly Operation[],
  context: SavingContext,
): Promise<Saved> {
  const saving = new Saving(context);
  for (const operation of operations) await saving.save(operation);
  return saving;
}

type Accepted = Exclude<Decision, { readonly kind: 'refused' }>;

class Saving implements Saved {
  readonly changes: Change[] = [];
  readonly proposed: Proposal[] = [];
  readonly refusals: Refused[] = [];
  readonly lost = new Map<Operation, string>();
  stale = false;
  unwritten: Error | undefined;
  readonly #secrets = new Set<string>();
  readonly #context: SavingContext;
  /** As it was when the model was asked, and as it left the records since. */
  readonly #seen: Map<string, string> | undefined;
  readonly #replaced: MemoryRecord[] = [];
  readonly #doubted = new Map<Doubt, number>();
  #found: number;

  constructor(context: SavingContext) {
    this.#context = context;
    this.#seen = context.seen && new Map(context.seen);
    this.#found = context.foundBefore ?? 0;
  }

  get refusedSecrets(): readonly string[] {
    return [...this.#secrets];
  }

  async save(operation: Operation): Promise<void> {
    try {
      const reason = await this.#outcomeOf(operation);
      if (reason === undefined) return;
      this.#refuse(operation, reason);
      if (!NO_LOSSES.some((known) => reason.startsWith(known))) this.lost.set(operation, reason);
    } catch (error) {
      const reason = `it could not be written: ${errorText(error)}`;
      this.stale ||= error instanceof StaleRecordError;
      this.#refuse(operation, reason);
      if (error instanceof SecretError) this.#secrets.add(error.rule);
      else if (!isPassing(error)) this.lost.set(operation, reason);
    }
  }

  /** Undefined when it was saved or proposed, else why not. */
  async #outcomeOf(operation: Operation): Promise<string | undefined> {
    const { scopes, mode } = this.#context;
    // Listed anew each time: the records accepted so far count, and so do those of another window.
    const { records } = await scopes.list();
    const replaced = this.#replaced;
    const decision = decide(operation, { ...this.#context, existing: records, replaced });
    if (decision.kind === 'refused') return this.#reasonOf(decision);
    if (decision.kind === 'update') this.#mustBeSeen(decision.target);
    const asks = mode === 'review' || this.changes.length >= MAX_CHANGES;
    try {
      return asks || decision.from !== 'person' || decision.doubt !== undefined
        ? await this.#propose(decision, operation.quote)
        : await this.#change(decision);
    } catch (error) {
      // What was only found is no loss.
      if (decision.from === 'person' && isPassing(error)) this.unwritten ??= error;
      throw error;
    }
  }

  #reasonOf({ refusal, detail }: Extract<Decision, { readonly kind: 'refused' }>): string {
    if (refusal === 'secret' && detail !== undefined) this.#secrets.add(detail);
    return detail === undefined ? REFUSALS[refusal] : `${REFUSALS[refusal]}: ${detail}`;
  }

  /** Listed anew, a record that a person just edited would pass for the one that the model saw. */
  #mustBeSeen({ file, path, hash }: Seen): void {
    if (this.#seen && this.#seen.get(path) !== hash)
      throw new StaleRecordError(`${file} has changed since the model was asked.`);
  }

  async #change(decision: Accepted): Promise<undefined> {
    const { scopes, log } = this.#context;
    const fields = { ...decision.fields, source: 'extraction' };
    const change =
      decision.kind === 'add'
        ? await scopes.create(fields)
        : await scopes.update(decision.target, fields);
    this.changes.push(change);
    if (decision.kind === 'update') this.#replaced.push(decision.target);
    this.#seen?.set(change.record.path, change.record.hash);
    log.info(`[extraction] ${change.kind} "${nameForLog(change.record.name)}"`);
    await this.#settleProposals(decision);
  }

  /** What waited for review and is saved now need not be asked for any more. */
  async #settleProposals(decision: Accepted): Promise<void> {
    try {
      const { proposals } = this.#storeFor(decision);
      for (const proposal of await proposals.list())
        if (repeats(proposal.fields, decision.fields)) await proposals.remove(proposal);
    } catch (error) {
      // The memory is saved; at worst the person is asked for what is known.
      this.#context.log.warn(`[extraction] what is saved may still wait: ${errorText(error)}`);
    }
  }

  async #propose(decision: Accepted, quote: string): Promise<string | undefined> {
    const { from, doubt } = decision;
    if (from !== 'person' && this.#found >= MAX_FOUND)
      return `${MAX_FOUND} that the person did not say are proposed already`;
    const doubted = doubt === undefined ? 0 : (this.#doubted.get(doubt) ?? 0);
    if (doubt !== undefined && doubted >= (MOST_DOUBTED[doubt] ?? Infinity))
      return `${DOUBTS[doubt]}, and ${doubted} such are proposed already`;
    const [kept] = await this.#storeFor(decision).proposals.add([proposalOf(decision, quote)]);
    if (!kept) return NOT_KEPT;
    this.proposed.push(kept);
    if (from !== 'person') this.#found++;
    if (doubt !== undefined) this.#doubted.set(doubt, doubted + 1);
    const why = doubt === undefined ? '' : `: ${DOUBTS[doubt]}`;
    this.#context.log.info(`[extraction] proposed "${nameForLog(kept.fields.name)}"${why}`);
    return undefined;
  }

  #storeFor(decision: Accepted): MemoryStore {
    const { scopes } = this.#context;
    return decision.kind === 'add' ? scopes.home.store : scopes.storeOf(decision.target);
  }

  #refuse({ name: given }: Operation, reason: string): void {
    const name = nameForLog(given);
    this.refusals.push({ name, reason });
    this.#context.log.info(`[extraction] "${name}" was not saved: ${reason}`);
  }
}

/** A full disk or a locked folder, and nothing about the memory itself. */
function isPassing(error: unknown): error is Error {
  const isLasting = [StaleRecordError, SecretError, RecordError].some(
    (kind) => error instanceof kind,
  );
  return error instanceof Error && !isLasting;
}

interface Seen {
  readonly file: string;
  readonly path: string;
  readonly hash: string;
}

function proposalOf(decision: Accepted, quote: string): NewProposal {
  const { fields, from, doubt } = decision;
  const told = { fields, quote, from, ...(doubt && { doubt }) };
  if (decision.kind === 'add') return { kind: 'add', ...told };
  const { file, hash } = decision.target;
  return { kind: 'update', target: { file, hash }, ...told };
}
