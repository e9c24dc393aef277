// Saves a memory that was refused for a secret in it, with the kind of the secret in its place. Run by a button that
// stands beside the refusal.

import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Change } from '../../memory/change.ts';
import { shortened } from '../../memory/fieldText.ts';
import { MAX_DESCRIPTION, MEMORY_TYPES } from '../../memory/record.ts';
import type { MemoryScopes } from '../../memory/scopes.ts';
import { redactSecrets } from '../../memory/secrets/secrets.ts';
import { repeats } from '../../memory/words/likeness.ts';
import { plainLine } from '../text/plainText.ts';

const Refused = z.object({
  name: z.string(),
  description: z.string(),
  type: z.enum(MEMORY_TYPES),
  body: z.string(),
  source: z.optional(z.string()),
});

/** `argument` is a NewRecord. Anything else is a mistake of the caller, and throws. */
export async function saveRedacted(
  scopes: MemoryScopes,
  [argument]: readonly unknown[],
  notify: (changes: readonly Change[]) => void,
): Promise<void> {
  const { name, description, body, source, type } = Refused.parse(argument);
  const redacted = {
    name: redactSecrets(name),
    description: shortened(redactSecrets(description), MAX_DESCRIPTION),
    type,
    body: redactSecrets(body),
    ...(source !== undefined && { source }),
  };
  // The button stays in the chat, and may be pressed again.
  const twin = (await scopes.list()).records.find((record) => repeats(redacted, record));
  if (!twin) {
    notify([await scopes.create(redacted)]);
    return;
  }
  void vscode.window.showInformationMessage(
    vscode.l10n.t('This is already remembered as “{0}”.', plainLine(twin.name)),
  );
}
