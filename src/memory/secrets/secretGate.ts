// Stands before every text that is written into a memory, and lets no secret pass.

import { SecretError } from '../change.ts';
import type { RecordChanges } from '../record.ts';
import { secretIn } from './secrets.ts';

/** Looks at what is new only: a person may keep what they wrote by hand. Throws SecretError. */
export function refuseSecrets(fields: RecordChanges, before = ''): void {
  const texts = [fields.name, fields.description, fields.body]
    .filter((text) => text !== undefined)
    .filter((text) => !before.includes(text));
  // Also as a whole: the word "password" may stand in one field and the password in the next.
  for (const text of [...texts, texts.join('\n')]) {
    const rule = secretIn(text);
    if (rule !== undefined) throw new SecretError(rule);
  }
}
