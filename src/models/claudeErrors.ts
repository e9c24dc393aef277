// What a failed request to a Messages API means: which kind of ModelError, whether to send it again, and one
// sentence that tells a person what helps. Pure, so the whole table is tested without a network.

import { sentence, type Said, type Sentence } from '../base/sentence.ts';
import { saysInsecure, saysRate, saysTooLong, saysUnpaid } from './failureWords.ts';
import { ModelError, type ModelErrorKind, type Usage } from './model.ts';

/** A failure as it was seen on the wire. */
export interface WireFailure {
  /** `undefined` when the connection failed, or when the error came in mid-stream. */
  readonly status: number | undefined;
  /** The API's own name, e.g. `overloaded_error`. */
  readonly type: string | undefined;
  /** A cause for which waiting does not help, e.g. a spend limit that was reached. */
  readonly code: string | undefined;
  /** What the server said, shortened. */
  readonly text: Said;
  readonly headers: { get(name: string): string | null } | undefined;
  /** What failed: the way to the server, the server, or reading its reply. */
  readonly origin: 'connection' | 'server' | 'reply';
}

export interface Verdict {
  readonly kind: ModelErrorKind;
  /** One sentence for a person. */
  readonly message: Sentence;
  /** A few words, for "Trying again: …". */
  readonly reason: Sentence;
  readonly retryable: boolean;
  /** What the server asked for. */
  readonly retryAfterMs: number | undefined;
}

/** Longer than this a person would rather be told than wait. */
export const MAX_RETRY_AFTER_MS = 60_000;

/** An error in mid-stream has no status, only its type. */
const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

const UNKNOWN = 0;

/** Statuses at which a prompt that is too long was seen: Claude's, those of compatible servers, none in mid-stream. */
const TOO_LONG_STATUSES = new Set([400, 422, 500, UNKNOWN]);

export function judge(failure: WireFailure, modelId: string): Verdict {
  const text = String(failure.text);
  const told = text === '' ? '' : sentence`: ${failure.text}`;
  const status = failure.status ?? STATUS_OF_TYPE.get(failure.type ?? '') ?? UNKNOWN;
  const retryAfterMs = retryAfterOf(failure.headers);
  const verdict = (
    kind: ModelErrorKind,
    reason: Sentence,
    message: Sentence,
    retry: 'again' | 'never' = 'never',
  ): Verdict => {
    const forbidden = failure.headers?.get('x-should-retry') === 'false';
    return { kind, reason, message, retryable: retry === 'again' && !forbidden, retryAfterMs };
  };

  if (failure.origin === 'reply') {
    return verdict(
      'other',
      sentence`unreadable`,
      sentence`The reply could not be read${told}. Try again.`,
    );
  }
  if (failure.origin === 'connection' && saysInsecure(text)) {
    const message = sentence`The connection to the model could not be made safe${told}. Check the address of the server, and the certificates of this machine and its proxy.`;
    return verdict('network', sentence`no safe connection`, message);
  }
  if (failure.origin === 'connection') {
    const message = sentence`The connection to the model failed${told}. Check the network, then try again.`;
    return verdict('network', sentence`no connection`, message, 'again');
  }
  if (status >= 300 && status < 400) {
    return verdict(
      'other',
      sentence`moved to another address`,
      moved(failure.headers?.get('location')),
    );
  }
  // Some servers say it by a name alone.
  const words = [failure.type, failure.code, text].join(' ');
  if (status === 413 || (TOO_LONG_STATUSES.has(status) && saysTooLong(words))) {
    const message = sentence`The request is longer than the model can read${told}.`;
    return verdict('overflow', sentence`request too long`, message);
  }
  // Claude says it with 400, others with 403 or 429: as a rate it would be tried again for nothing.
  if (status === 402 || ([400, 403, 429].includes(status) && saysUnpaid(words))) {
    const message = sentence`The account cannot pay for the request${told}. Add credit to it, or choose another model.`;
    return verdict('other', sentence`billing`, message);
  }
  switch (status) {
    case 400:
      if (saysRate(words)) return verdict('rateLimit', sentence`limit reached`, limitReached(told));
      break;
    case 401:
      return verdict(
        'auth',
        sentence`key refused`,
        sentence`The API key was refused. Set a valid key, then try again.`,
      );
    case 403:
      return verdict(
        'auth',
        sentence`not allowed`,
        sentence`The API key may not do this${told}. Set another key, or choose another model.`,
      );
    case 404:
      return verdict('other', sentence`not found`, notFound(modelId, told));
    case 408:
    case 409:
      return verdict('network', sentence`error ${status}`, serverError(status, told), 'again');
    case 429:
      return failure.code === undefined
        ? verdict(
            'rateLimit',
            sentence`rate limit`,
            sentence`The rate limit is reached${told}.`,
            'again',
          )
        : verdict('rateLimit', sentence`limit reached`, limitReached(told));
    case 503:
    case 529:
      return verdict(
        'overloaded',
        sentence`overloaded`,
        sentence`The model is overloaded. Try again soon.`,
        'again',
      );
  }
  if (status >= 500) {
    return verdict('network', sentence`error ${status}`, serverError(status, told), 'again');
  }
  const message =
    status === UNKNOWN
      ? sentence`The server refused the request${told}.`
      : sentence`The server refused the request with error ${status}${told}.`;
  return verdict('other', sentence`refused`, message);
}

/** The error of a failure that is not retried, or not any more. Says when, if the server named a long wait. */
export function modelErrorOf(verdict: Verdict, cause: unknown, usage?: Usage): ModelError {
  const { kind, message, retryAfterMs } = verdict;
  const isLong = retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS;
  const said = isLong ? withWait(message, retryAfterMs) : message;
  return new ModelError(kind, said, { cause, usage });
}

type Told = Sentence | '';

function notFound(modelId: string, told: Told): Sentence {
  return sentence`The server does not know the model "${modelId}"${told}. Choose another model or check the address.`;
}

/** Not followed: the key is for the server that the person named. */
function moved(location: string | null | undefined): Sentence {
  const url = URL.parse(location ?? '');
  const address = url && `${url.origin}${url.pathname.replace(/\/v1\/.*/, '')}`;
  const where = address === null ? '' : sentence`: ${address}`;
  return sentence`The server sends requests on to another address${where}. Set that address instead, if you trust it.`;
}

function limitReached(told: Told): Sentence {
  return sentence`A limit of the account is reached${told}.`;
}

function serverError(status: number, told: Told): Sentence {
  return sentence`The server failed with error ${status}${told}. Try again soon.`;
}

/** Milliseconds of `retry-after-ms` or `retry-after`, which is seconds or a date. */
function retryAfterOf(headers: WireFailure['headers']): number | undefined {
  const milliseconds = positive(headers?.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers?.get('retry-after');
  const seconds = positive(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function positive(value: string | null | undefined): number | undefined {
  const number = Number(value?.trim() || NaN);
  return number >= 0 ? number : undefined;
}

function withWait(message: Sentence, milliseconds: number): Sentence {
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes < 90
    ? sentence`${message} Try again in ${minutes} minutes.`
    : sentence`${message} Try again in ${Math.ceil(minutes / 60)} hours.`;
}
