// What kind of failure an error of a VS Code chat model is. Vendors have no codes in common, so their words
// decide where VS Code's own code does not. No 'vscode' import, so it is tested without a host.

import { saysInsecure, saysRate, saysTooLong, saysUnpaid } from '../../models/failureWords.ts';
import type { ModelErrorKind } from '../../models/model.ts';

/** Vendors put the status into their words. */
const RATE_STATUS = /\b429\b/;
const TOO_LARGE_STATUS = /\b413\b/;

/** Copilot's words for what was used up are besides about requests that count more, and about going over them. */
const USED_UP = /premium requests?|overage|limit reached/i;

const AUTH =
  /\b401\b|unauthori[sz]ed|invalid.{0,12}(api.?)?(key|token)\b|(api.?)?key is (missing|not set|invalid)|not (signed|logged) in|sign in|no (valid )?(auth|session|token)|\b403\b|forbidden|access denied/i;

const REFUSED =
  /\bfiltered\b|content.?filter|responsible ai|off.?topic|content.?policy|safety (system|filter|setting)|refused to answer|declined to answer/i;

/** A model that is not there, or not for such a request. Another one helps. */
const NO_MODEL =
  /model_not_(supported|found)|model (is )?not (supported|found|available)|(no such|unknown) model|model .{0,60} (does not exist|not found)|endpoint not found/i;

const OVERLOADED =
  /overloaded|high demand|(at|over) capacity|\b529\b|\b503\b|(temporarily|service) unavailable/i;

const NETWORK =
  /fetch failed|network|socket|terminated|timed? ?out|net::ERR|E(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|PIPE|AI_AGAIN)\b/i;

/** What Copilot throws in place of the end of a reply that reached its output limit, or of half a call. */
const CUT =
  /\b(response|reply|output|completion) (is |was |got )?(too long|cut off|truncated)|(response|reply) hit the length limit|invalid json for tool call/i;

/** A cause may name itself again. */
const MOST_CAUSES = 5;

export interface LmFailure {
  /** As a `LanguageModelError` has it. */
  readonly code: string | undefined;
  /** Of the error and of its causes. Vendors name their errors by what they mean. */
  readonly names: readonly string[];
  /** Their messages. */
  readonly text: string;
}

export function lmFailureOf(error: unknown, code: string | undefined): LmFailure {
  const errors: Error[] = [];
  for (let next = error; next instanceof Error && errors.length < MOST_CAUSES; next = next.cause) {
    errors.push(next);
  }
  const messages = errors.map(({ message }) => message.trim());
  const told = messages.filter(
    (message, index) => !messages.slice(0, index).some((earlier) => earlier.includes(message)),
  );
  return {
    code,
    names: errors.map(({ name }) => name),
    text: errors.length === 0 ? String(error) : told.join(': '),
  };
}

/** Whether it is no failure but a reply that was cut at its output limit, for which VS Code has no other sign. */
export function isCutReply({ text }: LmFailure): boolean {
  return CUT.test(text) && !saysTooLong(text) && !saysRate(text);
}

/** Whether there is no model behind the name, or none for this. */
export function isMissingModel({ code, text }: LmFailure): boolean {
  return code === 'NotFound' || NO_MODEL.test(text);
}

export function lmErrorKind(failure: LmFailure): ModelErrorKind {
  const { code, names, text } = failure;
  // Cancelling gives a plain error of this name, not VS Code's own CancellationError.
  if (names[0] === 'Canceled' || names[0] === 'AbortError') return 'cancelled';
  if (code === 'NoPermissions') return 'auth';
  if (isMissingModel(failure)) return 'other';
  if ([text, ...names].some(saysRate) || RATE_STATUS.test(text)) return 'rateLimit';
  if (USED_UP.test(text) || saysUnpaid(text)) return 'rateLimit';
  if (saysTooLong(text)) return 'overflow';
  if (code === 'Blocked' || REFUSED.test(text)) return 'refused';
  if (OVERLOADED.test(text)) return 'overloaded';
  if (NETWORK.test(text) || saysInsecure(text)) return 'network';
  // The last two, since they may as well be a count or a part of an address.
  if (AUTH.test(text)) return 'auth';
  if (TOO_LARGE_STATUS.test(text)) return 'overflow';
  return 'other';
}
