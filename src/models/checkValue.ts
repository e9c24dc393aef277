// Checks what a model wrote against a schema, and says what is wrong in words from which a model can mend it.

import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

/** Without a locale zod/mini says only "Invalid input", which tells a model nothing. */
const ISSUE_TEXT = { error: english().localeError };

export function checkValue<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string } {
  const result = z.safeParse(schema, value, ISSUE_TEXT);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, problem: z.prettifyError(result.error) };
}
