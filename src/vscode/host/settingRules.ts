// What each setting may hold, as package.json declares it. VS Code marks a wrong value and passes it on all the same.
// No 'vscode' import; a test compares the two.

import type { SETTINGS } from '../../manifest.ts';
import { MODES } from '../../memory/mode.ts';

const NOTICES = ['notification', 'statusBar', 'none'] as const;
/** How the person is told of what happened to the memories by itself. */
export type Notices = (typeof NOTICES)[number];

const EDITOR_CONTEXTS = ['off', 'file', 'selection'] as const;
/** What of the active editor goes with a request: nothing, which file it shows, also what is selected in it. */
export type EditorContext = (typeof EDITOR_CONTEXTS)[number];

const CONFIRM_COMMANDS = ['always', 'unlessReadOnly'] as const;
/** Before which shell commands the person is asked. */
export type ConfirmCommands = (typeof CONFIRM_COMMANDS)[number];

/** Enough for the longest work; without an end a model that goes in circles would cost without one. */
const MOST_ROUNDS = 1000;

type Shape =
  | { readonly kind: 'choice'; readonly words: readonly string[] }
  | { readonly kind: 'whole'; readonly least: number; readonly most?: number }
  | { readonly kind: 'text' | 'switch' };

type Key = keyof typeof SETTINGS;

export interface Rule<Value> {
  /** Below `memoryAgent.` */
  readonly key: Key;
  readonly shape: Shape;
  /** Undefined for a value that does not fit, which counts as not set. */
  readonly parse: (value: unknown) => Value | undefined;
}

/** Those with rules of their own, `baseUrl` and `prices`, are checked where they are used. */
export const SETTING_RULES = {
  extraction: choice('extraction', MODES),
  recall: choice('recall', MODES),
  notices: choice('notices', NOTICES),
  expireProjectAfterDays: whole('expireProjectAfterDays', { least: 0 }),
  confirmCommands: choice('confirmCommands', CONFIRM_COMMANDS),
  editorContext: choice('editorContext', EDITOR_CONTEXTS),
  maxRounds: whole('maxRounds', { least: 1, most: MOST_ROUNDS }),
  maxTokens: whole('context.maxTokens', { least: 0 }),
  maxMessages: whole('context.maxMessages', { least: 0 }),
  keepDays: whole('sessions.keepDays', { least: 0 }),
  maxMegabytes: whole('sessions.maxMegabytes', { least: 0 }),
  utilityModel: text('utilityModel'),
  showUsage: onOrOff('showUsage'),
} as const;

function choice<Word extends string>(key: Key, words: readonly Word[]): Rule<Word> {
  return {
    key,
    shape: { kind: 'choice', words },
    parse: (value) => words.find((word) => word === value),
  };
}

function whole(key: Key, range: { readonly least: number; readonly most?: number }): Rule<number> {
  const { least, most = Number.MAX_SAFE_INTEGER } = range;
  return {
    key,
    shape: { kind: 'whole', ...range },
    parse: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
  };
}

/** An empty one is no mistake: the person took out what stood there. */
function text(key: Key): Rule<string> {
  return {
    key,
    shape: { kind: 'text' },
    parse: (value) => (typeof value === 'string' ? value.trim() : undefined),
  };
}

function onOrOff(key: Key): Rule<boolean> {
  return {
    key,
    shape: { kind: 'switch' },
    parse: (value) => (typeof value === 'boolean' ? value : undefined),
  };
}
