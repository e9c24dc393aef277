// Stands before every text that is written into a memory, and lets no secret pass.

import { SecretError } from './change.ts';
import type { RecordChanges } from './record.ts';
import { secretIn } from './secrets.ts';

/** Looks at what is new only: a person may keep what they wrote by hand. Throws SecretError. */
export function refuseSecrets(fields: RecordChanges, before = ''): void {
  for (const text of [fields.name, fields.description, fields.body]) {
    const rule = text === undefined || before.includes(text) ? undefined : secretIn(text);
    if (rule !== undefined) throw new SecretError(rule);
  }
}
