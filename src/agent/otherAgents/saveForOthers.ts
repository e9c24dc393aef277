// memorySave: what any agent of the editor may save, after the person has said yes to the very text. Its words are not
// the person's, so without that yes nothing is ever written; where they want to review all, it waits for their review.

import * as z from 'zod/mini';
import { InOrder } from '../../base/inOrder.ts';
import { SecretError } from '../../memory/change.ts';
import { checkedFields, REFUSALS, type Fields } from '../../memory/extraction/policy.ts';
import { memoryAnswer, recordPlace } from '../../memory/recall/memoryBlock.ts';
import {
  MAX_BODY,
  MAX_DESCRIPTION,
  MEMORY_TYPES,
  slugFor,
  type MemoryRecord,
} from '../../memory/record.ts';
import { nameFromLine } from '../../memory/remember.ts';
import type { MemoryScopes, Scope } from '../../memory/scopes.ts';
import { secretIn } from '../../memory/secrets/secrets.ts';
import { repeats } from '../../memory/words/likeness.ts';
import type { OpenMemory } from '../learning/learning.ts';
import type { Learned } from '../learning/learned.ts';
import { checkedInput, declareTool, filledText } from '../tools/declareTool.ts';
import { foundMemories } from '../tools/foundMemories.ts';
import type { MemoryAccess } from '../tools/memoryAccess.ts';

/** Kept in the front matter of what another agent wrote. */
const OTHER_AGENT_SOURCE = 'agent';

export const memorySaveDeclaration = declareTool({
  name: 'memorySave',
  description:
    'Saves one fact for later conversations, of every agent in this editor. Use it when the user asks for something ' +
    'to be remembered, or states a lasting preference, a rule for how to work, or a fact about the project that the ' +
    'code does not tell. Look with memoryRecall first. The user is shown the exact text and is asked before it is ' +
    'saved, and can say no. What is known already is not saved again: you then get the existing memory. Never save ' +
    'passwords or keys, the state of the current task, or what can be read from the code.',
  readOnly: false,
  input: z.strictObject({
    description: filledText(
      `One line of at most ${MAX_DESCRIPTION} characters by which it will be found, in the user's language.`,
    ),
    type: z
      .enum(MEMORY_TYPES)
      .check(
        z.describe(
          'user: who they are and what they prefer. feedback: how they want agents to work. project: facts that the ' +
            'code does not tell. reference: where something is found outside the code.',
        ),
      ),
    body: z.optional(
      filledText(
        `Markdown of at most ${MAX_BODY.toLocaleString('en')} characters, short, understandable without this conversation. Default: the description.`,
      ),
    ),
    name: z.optional(
      filledText(
        'Kebab-case, telling the topic, such as user-preference-tabs. Default: the first words of the description.',
      ),
    ),
    scope: z.optional(
      z
        .enum(['workspace', 'personal'])
        .check(
          z.describe(
            'workspace: for the folder that is open. personal: for the user in every workspace. Default: workspace, ' +
              'and personal when no folder is open.',
          ),
        ),
    ),
  }),
});

export type SaveAccess = Pick<
  MemoryAccess,
  'memory' | 'recall' | 'extraction' | 'folder' | 'now' | 'log'
>;

/** What a call would do. Only `save` needs the person's yes; `propose` waits for it. */
export type SavePlan =
  | {
      readonly kind: 'save' | 'propose';
      readonly fields: Fields;
      readonly scope: Scope;
    }
  | { readonly kind: 'known'; readonly text: string };

export interface SavedForOthers {
  /** For the model that asked. */
  readonly text: string;
  /** What there is to tell the person. */
  readonly learned: Partial<Learned>;
}

/** Changes nothing. Throws SecretError, or a sentence for the model when nothing may be saved. */
export async function planSave(input: unknown, access: SaveAccess): Promise<SavePlan> {
  const given = checkedInput(memorySaveDeclaration, input);
  const open = access.memory();
  if (!open) throw new Error(UNTRUSTED);
  const { description, type, body = description, name = nameFromLine(description) } = given;
  // As given: a slug has lost the capitals by which some secrets are known.
  const secret = secretIn([name, description, body].join('\n'));
  if (secret !== undefined) throw new SecretError(secret);
  const fields = checkedFields({ name, description, type, body });
  if (typeof fields === 'string') throw new Error(`Not saved: ${REFUSALS[fields]}.`);
  const scope = scopeFor(given.scope, open.scopes);
  const kind = access.extraction() === 'review' ? 'propose' : 'save';
  return (await knownPlan(fields, open, access)) ?? { kind, fields, scope };
}

/** Does what the person was shown, unless it is known by now. Two at once may both plan what only one may save. */
export async function carryOut(plan: SavePlan, access: SaveAccess): Promise<SavedForOthers> {
  if (plan.kind === 'known') return { text: plan.text, learned: {} };
  return line.run(async () => {
    const open = access.memory();
    if (!open) throw new Error(UNTRUSTED);
    const { store } = plan.scope;
    if (!open.scopes.all.some((scope) => scope.store === store)) throw new Error(CLOSED);
    const known = await knownPlan(plan.fields, open, access);
    if (known) return { text: known.text, learned: {} };
    return plan.kind === 'propose' ? propose(plan) : save(plan, access);
  });
}

/** One, since what is saved in one scope is known in the others. */
const line = new InOrder();

const UNTRUSTED =
  'Not saved: the user has not trusted this workspace, so no memories are kept in it.';
const NO_FOLDER =
  'Not saved: no folder is open that it could belong to. Leave out scope, or set it to personal.';
const CLOSED = 'Not saved: the folder that it was to belong to is no longer open.';

type Wanted = Exclude<SavePlan, { readonly kind: 'known' }>;

async function save(
  { fields, scope }: Wanted,
  { folder, log }: SaveAccess,
): Promise<SavedForOthers> {
  const change = await scope.store.create({ ...fields, source: OTHER_AGENT_SOURCE });
  log.info(`[tools] another agent saved "${change.record.name}"`);
  const place = recordPlace(change.record, { folder: folder() });
  return { text: `Saved: ${place}. The user can undo it.`, learned: { saved: [change] } };
}

async function propose({ fields, scope }: Wanted): Promise<SavedForOthers> {
  const proposed = await scope.store.proposals.add([
    { kind: 'add', fields, quote: '', from: 'agent' },
  ]);
  const text =
    proposed.length > 0
      ? 'Not saved yet: it waits for the review of the user. Tell them so.'
      : 'Not saved: it waits for the review of the user already, they have rejected it, or too much waits.';
  return { text, learned: { proposed } };
}

function scopeFor(wanted: 'workspace' | 'personal' | undefined, scopes: MemoryScopes): Scope {
  if (wanted === 'personal') return scopes.personal;
  if (wanted === 'workspace' && scopes.workspace.length === 0) throw new Error(NO_FOLDER);
  return scopes.home;
}

/**
 * A memory of any scope that says it already, or has its name. It is told only to whom recall would give it unasked:
 * this tool is no way around what the person lets be sent.
 */
async function knownPlan(
  fields: Fields,
  { scopes }: OpenMemory,
  { recall, folder, now }: SaveAccess,
): Promise<Extract<SavePlan, { readonly kind: 'known' }> | undefined> {
  const { records } = await scopes.list();
  const context = { scopes, folder: folder(), now: now() };
  const told = (record: MemoryRecord, why: string) => ({
    kind: 'known' as const,
    text:
      recall() === 'auto' ? `${why}\n\n${memoryAnswer([foundMemories([record], context)])}` : why,
  });
  const same = records.find((record) => repeats(fields, record));
  if (same) return told(same, 'Nothing was saved: a memory says it already.');
  const namesake = records.find(({ name }) => slugFor(name) === fields.name);
  return (
    namesake &&
    told(
      namesake,
      'Nothing was saved: there is a memory of this name. To add another, give it another name; only the user changes this one.',
    )
  );
}
