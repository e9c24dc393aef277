// What kind of failure an error of a VS Code chat model is. Vendors have no codes in common, so their words
// decide where VS Code's own code does not. No 'vscode' import, so it is tested without a host.

import { saysRate, saysTooLong } from '../models/failureWords.ts';
import type { ModelErrorKind } from '../models/model.ts';

/** Vendors put the status into their words. */
const RATE_STATUS = /\b429\b/;
const TOO_LARGE_STATUS = /\b413\b/;

const OVERLOADED = /overloaded|\b529\b|\b503\b|temporarily unavailable/i;

const NETWORK =
  /fetch failed|network|socket|terminated|timed? ?out|net::ERR|E(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|PIPE|AI_AGAIN)\b/i;

/** `code` and `name` as a `LanguageModelError` has them, `text` its message with those of its causes. */
export function lmErrorKind(error: {
  readonly code: string | undefined;
  readonly name: string;
  readonly text: string;
}): ModelErrorKind {
  const { code, name, text } = error;
  // Cancelling gives a plain error of this name, not VS Code's own CancellationError.
  if (name === 'Canceled' || name === 'AbortError') return 'cancelled';
  if (code === 'NoPermissions') return 'auth';
  if (code === 'NotFound') return 'other';
  if (saysRate(text) || saysRate(name) || RATE_STATUS.test(text)) return 'rateLimit';
  if (saysTooLong(text)) return 'overflow';
  if (code === 'Blocked') return 'refused';
  if (OVERLOADED.test(text)) return 'overloaded';
  if (NETWORK.test(text)) return 'network';
  // Last, since it may as well be a count or a part of an address.
  if (TOO_LARGE_STATUS.test(text)) return 'overflow';
  return 'other';
}
