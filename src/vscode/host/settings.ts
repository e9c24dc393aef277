// Settings as one checked snapshot, passed by value; the address of the server and the API key with it.
// The key is only in SecretStorage or the environment, and no workspace can decide where it is sent.

import * as vscode from 'vscode';
import type { CompactionSettings } from '../../context/policy.ts';
import { API_KEY_SECRET, SETTINGS, SETTINGS_SECTION } from '../../manifest.ts';
import type { Mode } from '../../memory/mode.ts';
import type { PruneLimits } from '../../sessions/prune.ts';
import { parseBaseUrl } from './baseUrl.ts';
import type { UrlFault } from './baseUrl.ts';
import {
  SETTING_RULES,
  type ConfirmCommands,
  type EditorContext,
  type Notices,
  type Rule,
} from './settingRules.ts';

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
  const read = <Value>({ key, parse }: Rule<Value>) => parse(configuration.get(key));
  const rules = SETTING_RULES;
  return {
    extraction: read(rules.extraction) ?? SETTINGS.extraction,
    recall: read(rules.recall) ?? SETTINGS.recall,
    notices: read(rules.notices) ?? SETTINGS.notices,
    utilityModel: read(rules.utilityModel) || SETTINGS.utilityModel,
    editorContext: read(rules.editorContext) ?? SETTINGS.editorContext,
    showUsage: read(rules.showUsage) ?? SETTINGS.showUsage,
    maxRounds: read(rules.maxRounds) ?? SETTINGS.maxRounds,
    expireProjectAfterDays: read(rules.expireProjectAfterDays) ?? SETTINGS.expireProjectAfterDays,
    compaction: {
      maxTokens: atLeast(FEWEST_TOKENS, read(rules.maxTokens)) ?? SETTINGS['context.maxTokens'],
      maxMessages:
        atLeast(FEWEST_MESSAGES, read(rules.maxMessages)) ?? SETTINGS['context.maxMessages'],
    },
  };
}

/** Those of the first folder hold for a conversation, which may be about all of them. */
export function readWindowSettings(): Settings {
  return readSettings(vscode.workspace.workspaceFolders?.[0]?.uri);
}

/** As the person set it for all workspaces: no workspace decides what runs unasked. */
export function readConfirmCommands(): ConfirmCommands {
  return personal(SETTING_RULES.confirmCommands) ?? SETTINGS.confirmCommands;
}

/** As the person set them for all workspaces, unchecked. */
export function readPrices(): unknown {
  return personalValue('prices');
}

/** As the person set it for all workspaces: no workspace decides when personal memories go. */
export function personalExpiryDays(): number {
  return personal(SETTING_RULES.expireProjectAfterDays) ?? SETTINGS.expireProjectAfterDays;
}

/** As the person set them for all workspaces: no workspace decides what of the history is deleted. */
export function readSessionLimits(): PruneLimits {
  const days = personal(SETTING_RULES.keepDays);
  const megabytes = personal(SETTING_RULES.maxMegabytes);
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

function personal<Value>({ key, parse }: Rule<Value>): Value | undefined {
  return parse(personalValue(key));
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

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** 0 is none. */
function atLeast(fewest: number, count: number | undefined): number | undefined {
  return count ? Math.max(fewest, count) : count;
}
