// The two ways to a model, for the suite that both have to pass: how to get a window with it, and what becomes of a
// fault, in words. Our own adapter sees the wire. Of a model of VS Code only what its vendor says is known: it cannot
// be asked again in its place, nor tells it when a stream ended before its time.

import { OTHER_AGENT } from './otherAgent.ts';
import type { FaultName } from './replyFaults.ts';
import type { UseWindowOptions } from './useWindow.ts';

export interface ModelUnderTest {
  readonly chatModel: string;
  readonly window: Pick<UseWindowOptions, 'environmentKey' | 'link'>;
  /** A fault that is not named is none that the adapter could tell from another. */
  readonly outcomes: Readonly<Partial<Record<FaultName, FaultOutcome>>>;
}

export interface FaultOutcome {
  /** With the name of the fault a sentence. */
  readonly does: string;
  /** How many requests it takes; 1 when left out. */
  readonly asks?: number;
  /** What the answer shows. */
  readonly shows?: string;
  /** What the session then holds, a line for each block: the request, and what the answer shows, when left out. */
  readonly holds?: readonly string[];
  readonly error?: RegExp;
  /** The buttons of the answer. */
  readonly offers?: readonly string[];
}

const SET_KEY = ['Set API Key'];
const OTHER_MODEL = ['Pick Another Model'];
/** Of which it cannot be told what helps. */
const UNKNOWN_FAULT = [...OTHER_MODEL, 'Show Log'];
const NEW_CHAT = ['Start New Chat'];
const HALF = 'Half an answer, ';
const CUTS: ModelUnderTest['outcomes'] = {
  'a text that is cut at the output limit': {
    does: 'goes on, and reads as one',
    asks: 2,
    shows: 'One, two.',
    holds: ['user: hello', 'assistant: One, ', 'user is asked by us to go on', 'assistant: two.'],
  },
  'a reply that is cut again and again': {
    does: 'ends with an error after three continuations',
    asks: 4,
    holds: ['user: hello', ...Array.from({ length: 3 }, () => 'user is asked by us to go on')],
    error: /cut at the output limit again and again/,
  },
  'a call that is cut at the output limit': {
    does: 'runs nothing, and the model is told',
    asks: 2,
    shows: 'I write.Smaller now.',
    holds: [
      'user: hello',
      'assistant: I write.',
      'user is asked by us to go on',
      'assistant: Smaller now.',
    ],
  },
  'a call whose input is no JSON': {
    does: 'runs nothing, and the model is told',
    asks: 2,
    shows: 'Right now.',
    holds: ['user: hello', 'user is asked by us to go on', 'assistant: Right now.'],
  },
};

const TRIED_AGAIN: FaultOutcome = { does: 'is tried again', asks: 2, shows: 'Now.' };

export const CLAUDE: ModelUnderTest = {
  chatModel: 'Claude Auto',
  window: { environmentKey: 'any-key' },
  outcomes: {
    'a rate limit for a moment': TRIED_AGAIN,
    'a rate limit for an hour': {
      does: 'is told, and for how long',
      error: /rate limit.*Try again in 60 minutes/,
      offers: OTHER_MODEL,
    },
    'a limit of the account': {
      does: 'is told at once',
      error: /limit of the account.*quota/,
      offers: OTHER_MODEL,
    },
    'an overload that lasts': {
      does: 'is told after four attempts',
      asks: 4,
      error: /overloaded/,
      offers: OTHER_MODEL,
    },
    'a failure of the server that passes': TRIED_AGAIN,
    'a failure of the server that lasts': {
      does: 'is told after four attempts',
      asks: 4,
      error: /failed with error 500: Internal server error/,
    },
    'a page of a proxy': {
      does: 'is told after four attempts, and named instead of quoted',
      asks: 4,
      error: /error 502: an HTML page/,
    },
    'a connection that is closed unanswered': TRIED_AGAIN,
    'a model that is not there': {
      does: 'is told',
      error: /does not know the model/,
      offers: UNKNOWN_FAULT,
    },
    'a key that is refused in the middle of a session': {
      does: 'is told with the button to set one',
      error: /API key was refused/,
      offers: SET_KEY,
    },
    'a permission that is missing': {
      does: 'is told with the button to set another key',
      error: /may not do this: Not for this account/,
      offers: SET_KEY,
    },
    'a request that is always too long': {
      does: 'is told',
      error: /too long for the model/,
      offers: NEW_CHAT,
    },

    'a stream that is cut in the text': {
      does: 'keeps what was shown',
      shows: HALF,
      error: /reply broke off/,
    },
    'a stream that is cut in a call': {
      does: 'runs nothing',
      shows: 'I write.',
      error: /reply broke off/,
    },
    'a stream that ends early in the text': {
      does: 'keeps what was shown',
      shows: HALF,
      error: /reply broke off/,
    },
    'a stream that ends early in a call': {
      does: 'runs nothing',
      shows: 'I write.',
      error: /reply broke off/,
    },
    'an error in the middle of a stream': {
      does: 'keeps what was shown',
      shows: HALF,
      error: /overloaded/,
      offers: OTHER_MODEL,
    },
    'a reply of nothing': { does: 'is told', error: /answered with nothing/ },
    'a refusal': {
      does: 'is told with its reason, and leaves the session',
      error: /declined to answer.*Not this one/,
      holds: [],
      offers: OTHER_MODEL,
    },

    ...CUTS,
    'a pause of the server': {
      does: 'goes on, and reads as one',
      asks: 2,
      shows: 'One, two.',
      holds: ['user: hello', 'assistant: One, ', 'assistant: two.'],
    },
  },
};

export const BRIDGED: ModelUnderTest = {
  chatModel: 'Bridged Model',
  // A key for Claude, which must not be used for what goes to another vendor.
  window: { link: ['test/e2e/fixtures/bridged-model', OTHER_AGENT], environmentKey: 'any-key' },
  outcomes: {
    'a rate limit for a moment': {
      does: 'is told',
      error: /no more requests for now: .*Too many/,
      offers: OTHER_MODEL,
    },
    'a rate limit for an hour': {
      does: 'is told, and for how long',
      error: /no more requests for now: .*wait an hour/,
      offers: OTHER_MODEL,
    },
    'a limit of the account': {
      does: 'is told',
      error: /no more requests for now: .*quota/,
      offers: OTHER_MODEL,
    },
    'an overload that lasts': {
      does: 'is told',
      error: /is overloaded right now/,
      offers: OTHER_MODEL,
    },
    'a failure of the server that passes': {
      does: 'is told',
      error: /Internal server error/,
      offers: UNKNOWN_FAULT,
    },
    'a page of a proxy': {
      does: 'is named instead of quoted',
      error: /an HTML page/,
      offers: UNKNOWN_FAULT,
    },
    'a connection that is closed unanswered': { does: 'is told', error: /could not be reached/ },
    'a model that is not there': {
      does: 'is told',
      error: /is not available, or not for such a request/,
      offers: UNKNOWN_FAULT,
    },
    'a key that is refused in the middle of a session': {
      does: 'is told, without a button for a key of ours',
      error: /may not use Bridged Model: .*invalid x-api-key/,
      offers: OTHER_MODEL,
    },
    'a permission that is missing': {
      does: 'is told, without a button for a key of ours',
      error: /may not use Bridged Model: .*Not for this account/,
      offers: OTHER_MODEL,
    },
    'a request that is always too long': {
      does: 'is told',
      error: /too long for the model/,
      offers: NEW_CHAT,
    },

    'a stream that is cut in the text': {
      does: 'keeps what was shown',
      shows: HALF,
      error: /could not be reached: terminated/,
    },
    'a stream that is cut in a call': {
      does: 'runs nothing',
      shows: 'I write.',
      error: /could not be reached: terminated/,
    },
    'a stream that ends early in the text': { does: 'is taken for the whole', shows: HALF },
    'a stream that ends early in a call': { does: 'runs nothing', shows: 'I write.' },
    'an error in the middle of a stream': {
      does: 'keeps what was shown',
      shows: HALF,
      error: /is overloaded right now/,
      offers: OTHER_MODEL,
    },
    'a reply of nothing': { does: 'is told', error: /answered with nothing/ },
    'a refusal': {
      does: 'is told with its reason, and leaves the session',
      error: /refused the request: Not this one/,
      holds: [],
      offers: OTHER_MODEL,
    },

    ...CUTS,
  },
};
