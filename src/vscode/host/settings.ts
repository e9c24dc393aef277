// Settings as one checked snapshot, passed by value; the address of the server and the API key with it.
// The key is only in SecretStorage or the environment, and no workspace can decide where it is sent.

import * as vscode from 'vscode';
import type { CompactionSettings } from '../../context/policy.ts';
import { API_KEY_SECRET, SETTINGS, SETTINGS_SECTION } from '../../manifest.ts';
import { MODES, type Mode } from '../../memory/mode.ts';
import type { PruneLimits } from '../../sessions/prune.ts';
import { parseBaseUrl } from './baseUrl.ts';
import type { UrlFault } from './baseUrl.ts';

const NOTICES = ['notification', 'statusBar', 'none'] as const;
/** How the person is told of what happened to the memories by itself. */
export type Notices = (typeof NOTICES)[number];

const EDITOR_CONTEXTS = ['off', 'file', 'selection'] as const;
/** What of the active editor goes with a request: nothing, which file it shows, also what is selected in it. */
export type EditorContext = (typeof EDITOR_CONTEXTS)[number];

const CONFIRM_COMMANDS = ['always', 'unlessReadOnly'] as const;
/** Before which shell commands the person is asked. */
type ConfirmCommands = (typeof CONFIRM_COMMANDS)[number];

/** As package.json declares them. */
const MOST_ROUNDS = 1000;
const FEWEST_ROUNDS = 1;
/** A workspace may set it, and less than system prompt and tools take would compact at every request. */
const FEWEST_TOKENS = 8_000;
/** Three at the beginning, a marker, and an end with the current request and a few calls must have room. */
const FEWEST_MESSAGES = 10;

const BYTES_PER_MEGABYTE = 1024 * 1024;

export interface Settings {
  readonly extraction: Mode;
  readonly recall: Mode;
  readonly notices: Notices;
  /** `auto`, or the id of a Claude model. */
  readonly utilityModel: string;
  readonly editorContext: EditorContext;
  readonly maxRounds: number;
  readonly showUsage: boolean;
  /** 0 is never. */
  readonly expireProjectAfterDays: number;
  readonly compaction: CompactionSettings;
}

/** The settings as they stand now. A value of the wrong kind counts as not set. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION, scope);
  return {
    extraction: oneOf(MODES, configuration.get('extraction')) ?? SETTINGS.extraction,
    recall: oneOf(MODES, configuration.get('recall')) ?? SETTINGS.recall,
    notices: oneOf(NOTICES, configuration.get('notices')) ?? SETTINGS.notices,
    utilityModel: asText(configuration.get('utilityModel')) ?? SETTINGS.utilityModel,
    editorContext:
      oneOf(EDITOR_CONTEXTS, configuration.get('editorContext')) ?? SETTINGS.editorContext,
    showUsage: configuration.get('showUsage') === true,
    maxRounds: asRounds(configuration.get('maxRounds')) ?? SETTINGS.maxRounds,
    expireProjectAfterDays:
      asCount(configuration.get('expireProjectAfterDays')) ?? SETTINGS.expireProjectAfterDays,
    compaction: {
      maxTokens:
        asLimit(configuration.get('context.maxTokens'), FEWEST_TOKENS) ??
        SETTINGS['context.maxTokens'],
      maxMessages:
        asLimit(configuration.get('context.maxMessages'), FEWEST_MESSAGES) ??
        SETTINGS['context.maxMessages'],
    },
  };
}

/** Those of the first folder hold for a conversation, which may be about all of them. */
export function readWindowSettings(): Settings {
  return readSettings(vscode.workspace.workspaceFolders?.[0]?.uri);
}

/** As the person set it for all workspaces: no workspace decides what runs unasked. */
export function readConfirmCommands(): ConfirmCommands {
  return oneOf(CONFIRM_COMMANDS, personalValue('confirmCommands')) ?? SETTINGS.confirmCommands;
}

/** As the person set them for all workspaces, unchecked. */
export function readPrices(): unknown {
  return personalValue('prices');
}

/** As the person set it for all workspaces: no workspace decides when personal memories go. */
export function personalExpiryDays(): number {
  return asCount(personalValue('expireProjectAfterDays')) ?? SETTINGS.expireProjectAfterDays;
}

/** As the person set them for all workspaces: no workspace decides what of the history is deleted. */
export function readSessionLimits(): PruneLimits {
  const days = asCount(personalValue('sessions.keepDays'));
  const megabytes = asCount(personalValue('sessions.maxMegabytes'));
  return {
    maxAgeDays: days ?? SETTINGS['sessions.keepDays'],
    maxBytes: (megabytes ?? SETTINGS['sessions.maxMegabytes']) * BYTES_PER_MEGABYTE,
  };
}

export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTINGS_SECTION)) listener();
  });
}

/** Where requests go. `url` is undefined for Anthropic. With a problem nothing may be sent at all. */
export type BaseUrl =
  | { readonly ok: true; readonly url: string | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * The address from the user's settings, else from ANTHROPIC_BASE_URL, else Anthropic. A wrong one is a problem
 * to show: falling back to Anthropic would send the key, and the code with it, where the person did not want it.
 */
export function readBaseUrl(environment: NodeJS.ProcessEnv = process.env): BaseUrl {
  const chosen = asText(personalValue('baseUrl'));
  const fromSetting = { text: chosen, place: `${SETTINGS_SECTION}.baseUrl` };
  const fromEnvironment = { text: environment['ANTHROPIC_BASE_URL'], place: 'ANTHROPIC_BASE_URL' };
  for (const { text, place } of [fromSetting, fromEnvironment]) {
    if (!text?.trim()) continue;
    const parsed = parseBaseUrl(text);
    if (parsed.ok) return parsed;
    return { ok: false, problem: urlProblem(parsed.fault, place) };
  }
  return { ok: true, url: undefined };
}

type KeySource = 'secret' | 'environment';

/** The Anthropic API key: the stored one, else ANTHROPIC_API_KEY. */
export class ApiKey {
  readonly #secrets: vscode.SecretStorage;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(secrets: vscode.SecretStorage, environment: NodeJS.ProcessEnv = process.env) {
    this.#secrets = secrets;
    this.#environment = environment;
  }

  async get(): Promise<string | undefined> {
    return (await this.#read())?.value;
  }

  /** Where `get` finds the key; undefined when there is none. */
  async source(): Promise<KeySource | undefined> {
    return (await this.#read())?.source;
  }

  async set(value: string): Promise<void> {
    await this.#secrets.store(API_KEY_SECRET, value);
  }

  /** Forgets the stored key. One in the environment counts again. */
  async clear(): Promise<void> {
    await this.#secrets.delete(API_KEY_SECRET);
  }

  /** Also fires for a change made in another window. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange((event) => {
      if (event.key === API_KEY_SECRET) listener();
    });
  }

  async #read(): Promise<{ value: string; source: KeySource } | undefined> {
    const stored = (await this.#secrets.get(API_KEY_SECRET))?.trim();
    if (stored) return { value: stored, source: 'secret' };
    const value = this.#environment['ANTHROPIC_API_KEY']?.trim();
    return value ? { value, source: 'environment' } : undefined;
  }
}

/** A value in the files of a workspace does not count here, whatever the declared scope does. */
function personalValue(key: keyof typeof SETTINGS): unknown {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(key)?.globalValue;
}

function urlProblem(fault: UrlFault, place: string): string {
  const problems: Record<UrlFault, string> = {
    notAnAddress: vscode.l10n.t(
      '{0} is not a web address. Write one like https://example.com, or leave it empty for Anthropic.',
      place,
    ),
    notHttp: vscode.l10n.t('{0} must begin with https:// or http://.', place),
    holdsPassword: vscode.l10n.t(
      '{0} holds a user name or password. Take it out, and store the key with “Memory: Set Anthropic API Key”.',
      place,
    ),
    holdsQuery: vscode.l10n.t('{0} must end before the “?” or “#”.', place),
  };
  return problems[fault];
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function asRounds(value: unknown): number | undefined {
  const fits = Number.isInteger(value) && Number(value) >= FEWEST_ROUNDS;
  return fits && Number(value) <= MOST_ROUNDS ? Number(value) : undefined;
}

function asCount(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** 0 is none. */
function asLimit(value: unknown, fewest: number): number | undefined {
  const count = asCount(value);
  return count ? Math.max(fewest, count) : count;
}
