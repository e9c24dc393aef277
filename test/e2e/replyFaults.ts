// What can go wrong with a reply, as the server does it. What becomes of it with each model is said in modelUnderTest.ts.

import type { Step } from '../support/fakeMessagesApi.ts';
import { text, toolUse } from '../support/messageEvents.ts';

/** Without a wait in between, so that a test takes no longer for being asked again. */
const AT_ONCE = { 'retry-after': '0' };

/** With eight characters a delta, event 5 is the first that is not sent when a stream breaks there. */
const HALF = 'Half an answer, and then';

/** The file that no half call may write. */
export const UNWRITTEN = 'unwritten.txt';
const CALL = toolUse('toolu_half', 'write_file', { path: UNWRITTEN, content: 'half a file' });
const HALF_CALL = { ...CALL, rawInput: `{"path":"${UNWRITTEN}","content":"half a fi` };

export type FaultName = keyof typeof REPLY_FAULTS;

interface Fault {
  /** All answers of the server, in order. An adapter that does not ask again gets the first ones only. */
  readonly replies: readonly Step[];
  /**
   * In front of this event the first reply waits until its words are in sight: VS Code loses what it has not handed
   * on when a vendor's stream fails.
   */
  readonly waits?: { readonly before: number; readonly for: string };
}

const REPLY_FAULTS = {
  'a rate limit for a moment': {
    replies: [
      error(429, 'rate_limit_error', 'Too many requests', AT_ONCE),
      { blocks: [text('Now.')] },
    ],
  },
  'a rate limit for an hour': {
    replies: [
      error(429, 'rate_limit_error', 'Too many requests, wait an hour', { 'retry-after': '3600' }),
    ],
  },
  'a limit of the account': {
    replies: [
      error(
        429,
        'rate_limit_error',
        'You have reached your quota',
        {},
        'enforced_spend_limit_reached',
      ),
    ],
  },
  'an overload that lasts': {
    replies: again(4, error(529, 'overloaded_error', 'Overloaded', AT_ONCE)),
  },
  'a failure of the server that passes': {
    replies: [
      error(500, 'api_error', 'Internal server error', AT_ONCE),
      { blocks: [text('Now.')] },
    ],
  },
  'a failure of the server that lasts': {
    replies: again(4, error(500, 'api_error', 'Internal server error', AT_ONCE)),
  },
  'a page of a proxy': {
    replies: again(4, {
      status: 502,
      html: '<!doctype html><html><body><h1>Bad Gateway</h1></body></html>',
      headers: AT_ONCE,
    }),
  },
  'a connection that is closed unanswered': {
    replies: [{ hangUp: true }, { blocks: [text('Now.')] }],
  },
  'a model that is not there': { replies: [error(404, 'not_found_error', 'model: none')] },
  'a key that is refused in the middle of a session': {
    replies: [error(401, 'authentication_error', 'invalid x-api-key')],
  },
  'a permission that is missing': {
    replies: [error(403, 'permission_error', 'Not for this account')],
  },
  'a request that is always too long': {
    replies: [
      error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    ],
  },

  'a stream that is cut in the text': {
    replies: [{ blocks: [text(HALF)], cutAfter: 5 }],
    waits: { before: 5, for: 'Half an answer' },
  },
  'a stream that is cut in a call': {
    replies: [{ blocks: [text('I write.'), CALL], pings: 0, cutAfter: 7 }],
    waits: { before: 7, for: 'I write.' },
  },
  'a stream that ends early in the text': { replies: [{ blocks: [text(HALF)], endAfter: 5 }] },
  'a stream that ends early in a call': {
    replies: [{ blocks: [text('I write.'), CALL], pings: 0, endAfter: 7 }],
  },
  'an error in the middle of a stream': {
    replies: [{ blocks: [text(HALF)], errorEventAfter: 5 }],
    waits: { before: 5, for: 'Half an answer' },
  },
  'a reply of nothing': { replies: [{ blocks: [] }] },
  'a refusal': {
    replies: [
      {
        blocks: [],
        stop: 'refusal',
        stopDetails: { type: 'refusal', explanation: 'Not this one' },
      },
    ],
  },

  'a text that is cut at the output limit': {
    replies: [{ blocks: [text('One, ')], stop: 'max_tokens' }, { blocks: [text('two.')] }],
    waits: { before: 5, for: 'One,' },
  },
  'a reply that is cut again and again': {
    replies: again(4, { blocks: [HALF_CALL], stop: 'max_tokens' }),
  },
  'a call that is cut at the output limit': {
    replies: [
      { blocks: [text('I write.'), HALF_CALL], stop: 'max_tokens' },
      { blocks: [text('Smaller now.')] },
    ],
    waits: { before: 5, for: 'I write.' },
  },
  'a call whose input is no JSON': {
    replies: [
      { blocks: [{ ...CALL, rawInput: '{"path": oops' }] },
      { blocks: [text('Right now.')] },
    ],
  },
  'a pause of the server': {
    replies: [{ blocks: [text('One, ')], stop: 'pause_turn' }, { blocks: [text('two.')] }],
  },
} as const satisfies Readonly<Record<string, Fault>>;

export function faultOf(name: FaultName): Fault {
  return REPLY_FAULTS[name];
}

function error(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code?: string,
): Step {
  const details = code === undefined ? {} : { details: { error_code: code } };
  return { status, error: { type, message, ...details }, headers };
}

function again(times: number, step: Step): readonly Step[] {
  return Array.from({ length: times }, () => step);
}
