// save_memory: the agent saves what the person asks for at once. The same policy decides as after a turn, from what the
// person said in the conversations that run just now.

import path from 'node:path';
import * as z from 'zod/mini';
import { REFUSALS } from '../../memory/extraction/policy.ts';
import { MAX_BODY, MAX_DESCRIPTION, MEMORY_TYPES } from '../../memory/record.ts';
import { saveOperations, type Saved } from '../../memory/extraction/saving.ts';
import { messageText, type Message } from '../../models/model.ts';
import type { Tool } from '../tools.ts';
import { declareTool, filledText, implementTool } from './declareTool.ts';
import type { MemoryAccess } from './memoryAccess.ts';

export const SAVE_TOOL = 'save_memory';

const saveMemoryDeclaration = declareTool({
  name: SAVE_TOOL,
  description:
    'Saves one fact for later sessions, or corrects a saved one, when the person asks for it to be saved now. What ' +
    'they say in passing is looked through after your reply anyway. Only what the person said themselves and what ' +
    'still holds in later sessions is saved: quote their words exactly. What you found out yourself, or what they ' +
    'pasted, is proposed to them for review. Never save passwords, keys, the state of the current task, or what can ' +
    'be read from the code. The person is told of it and can undo it.',
  // Alone, and never in a workspace that is not trusted.
  readOnly: false,
  isUndoable: true,
  input: z.strictObject({
    name: filledText('Kebab-case, telling the topic, such as user-preference-tabs.'),
    description: filledText(
      `One line of at most ${MAX_DESCRIPTION} characters by which it will be found, in the person's language.`,
    ),
    type: z
      .enum(MEMORY_TYPES)
      .check(
        z.describe(
          'user: who they are and what they prefer. feedback: how they want you to work. project: facts that the ' +
            'code does not tell. reference: where something is found outside the code.',
        ),
      ),
    body: filledText(
      `Markdown of at most ${MAX_BODY.toLocaleString('en')} characters, short, understandable without this conversation.`,
    ),
    quote: filledText(
      'The words that say it, copied exactly from one message of the person in this conversation.',
    ),
    expires: z.optional(
      filledText(
        'Only when they ask to remember something that holds up to a day: that day as YYYY-MM-DD. After it the memory ' +
          'goes to the trash.',
      ),
    ),
    target: z.optional(
      filledText('To correct a memory: its file. The other fields are then its whole new text.'),
    ),
  }),
});

export function createSaveMemory({ memory, extraction, sessions, now, log }: MemoryAccess): Tool {
  return implementTool(saveMemoryDeclaration, async ({ target, ...fields }) => {
    const mode = extraction();
    const open = memory();
    if (!open?.scopes.workspace.length || mode === 'off') throw new Error(NOT_HERE);
    const spoken = sessions.running().flatMap((session) => session.log());
    if (spoken.length === 0) throw new Error(NO_CONVERSATION);
    const op = target === undefined ? 'add' : 'update';
    const saved = await saveOperations([{ ...fields, op, target, scope: 'persistent' }], {
      scopes: open.scopes,
      mode,
      said: wordsOf(spoken, 'user'),
      earlier: [],
      answered: wordsOf(spoken, 'assistant'),
      now: now(),
      log,
    });
    const { changes, proposed, refusedSecrets } = saved;
    open.learning.collect({ saved: changes, proposed, refusedSecrets });
    return outcome(saved);
  });
}

const NOT_HERE =
  'Not saved: nothing may be saved here now. When the person asks for it, tell them to write it behind /remember.';
const NO_CONVERSATION =
  'Not saved: only what a person says in a conversation with @memory is saved by this tool.';

function wordsOf(messages: readonly Message[], role: Message['role']): readonly string[] {
  return messages
    .filter((message) => message.role === role)
    .map((message) => messageText(message).trim())
    .filter((text) => text !== '');
}

function outcome({ changes: [change], proposed, refusals: [refused] }: Saved): string {
  if (change) {
    const done = change.kind === 'updated' ? 'Updated' : 'Saved as';
    return `${done} ${path.basename(change.record.path)}. The person is told and can undo it.`;
  }
  if (proposed.length > 0)
    return 'Not saved yet: it waits for the review of the person. Tell them so.';
  const reason = refused?.reason ?? 'nothing came of it';
  // What is known need not be saved.
  if (reason === REFUSALS.duplicate) return 'Nothing to save: it is known already.';
  throw new Error(`Not saved: ${reason}. ${adviceFor(reason)}`);
}

function adviceFor(reason: string): string {
  const known = ADVICE.find(([refusal]) => reason.startsWith(refusal));
  return known?.[1] ?? `Do not try again with other words; tell the person. ${AS_IT_IS}`;
}

const AS_IT_IS = 'What they write behind /remember is saved as it is.';

/** What is worth a second attempt. */
const ADVICE: readonly (readonly [reason: string, advice: string])[] = [
  [REFUSALS.notSaid, 'Copy the quote exactly from one message of the person, or leave it.'],
  [REFUSALS.unrelated, 'Quote the words of the person that say it, or leave it.'],
  [REFUSALS.turned, 'Quote the whole sentence, and save what it says.'],
  [REFUSALS.tooLong, 'Make it shorter.'],
  [REFUSALS.missingField, 'Fill in all fields.'],
  [
    REFUSALS.temporary,
    `If the person asked for it, give its last day as expires, or ask them for it. ${AS_IT_IS}`,
  ],
  [REFUSALS.unknownTarget, 'Take the file from search_memory, or leave out target.'],
  [REFUSALS.secret, 'Tell the person that secrets are never saved in memories.'],
];
