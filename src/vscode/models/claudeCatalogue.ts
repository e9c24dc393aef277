// Which Claude models there are now, and what it takes to reach them. Asking never fails: without an answer a
// short list stands in, so that a wrong key or a server that is down never empties the model picker.

import { errorText, type Log } from '../../base/log.ts';
import {
  agentModel,
  cheapestModel,
  FALLBACK_MODELS,
  isSeeing,
  type ClaudeModelInfo,
} from '../../models/claudeModels.ts';
import type { Model } from '../../models/model.ts';
import { createRefusedImages } from '../../models/refusedImages.ts';
import { createStaleThinking } from '../../models/staleThinking.ts';
import { lateCode } from '../host/lateCode.ts';
import type { BaseUrl } from '../host/settings.ts';

/** The model picker's entry while there is no key. */
export const NO_KEY_MODEL_ID = 'no-key';
/** Stands for a model that is chosen when it is used. */
export const AUTO_MODEL_ID = 'auto';

/** A turn waits for the list, so an endpoint that does not answer must not hold it up. */
const LIST_DEADLINE_MS = 5_000;
/** How long a failed request for the list is not repeated. */
const RETRY_AFTER_MS = 60_000;

export type ClaudeAccess =
  | { readonly kind: 'ready'; readonly apiKey: string; readonly baseUrl: string | undefined }
  | { readonly kind: 'missingKey' }
  /** Nothing may be sent. One sentence for a person. */
  | { readonly kind: 'problem'; readonly problem: string };

export type ReadyAccess = Extract<ClaudeAccess, { kind: 'ready' }>;

export interface ClaudeCatalogue {
  access(): Promise<ClaudeAccess>;
  /** Never empty, best model first. Never throws. */
  models(
    access: Exclude<ClaudeAccess, { kind: 'missingKey' }>,
  ): Promise<readonly ClaudeModelInfo[]>;
  /** An id that is not in the list is tried all the same; the entries that name none stand for `agentModel`. */
  model(id: string, access: ReadyAccess): Promise<Model>;
  /** The same without thinking, for those who could not show or keep it. */
  plainModel(id: string, access: ReadyAccess): Promise<Model>;
  cheapest(access: ReadyAccess): Promise<Model>;
}

interface ClaudeCatalogueDeps {
  readonly apiKey: () => Promise<string | undefined>;
  readonly baseUrl: () => BaseUrl;
  readonly log: Log;
  readonly now?: () => number;
}

/** Keeps one list, for the key and the address it was asked with. */
export function createClaudeCatalogue(deps: ClaudeCatalogueDeps): ClaudeCatalogue {
  const now = deps.now ?? Date.now;
  let kept: { access: ReadyAccess; models: Promise<readonly ClaudeModelInfo[]> } | undefined;
  let retryAt = Infinity;
  const staleThinking = createStaleThinking();
  const refusedImages = createRefusedImages();
  /** Nothing needs it before the first use of a model, and its SDK is large. */
  const adapter = lateCode(() => import('../../models/claude.ts'), deps.log);

  async function list(access: ReadyAccess): Promise<readonly ClaudeModelInfo[]> {
    try {
      const { listClaudeModels } = await adapter();
      const models = await listClaudeModels(access, AbortSignal.timeout(LIST_DEADLINE_MS));
      if (models.length > 0) return models;
      deps.log.warn('[models] The server lists no models.');
    } catch (error) {
      deps.log.warn(`[models] The list of Claude models could not be read: ${errorText(error)}`);
    }
    retryAt = now() + RETRY_AFTER_MS;
    return FALLBACK_MODELS;
  }

  function models(access: ReadyAccess): Promise<readonly ClaudeModelInfo[]> {
    const same = kept?.access.apiKey === access.apiKey && kept.access.baseUrl === access.baseUrl;
    if (kept && same && now() < retryAt) return kept.models;
    retryAt = Infinity;
    kept = { access, models: list(access) };
    return kept.models;
  }

  async function model(id: string, access: ReadyAccess, thinking: Thinking): Promise<Model> {
    return claude(withId(id, await models(access)), access, thinking);
  }

  async function claude(
    info: ClaudeModelInfo,
    access: ReadyAccess,
    thinking: Thinking,
  ): Promise<Model> {
    const { createClaude } = await adapter();
    const { apiKey, baseUrl } = access;
    const { id, ...known } = info;
    const thinks = thinking === 'as the model can' ? info.thinking : 'off';
    return createClaude({
      ...known,
      apiKey,
      baseUrl,
      modelId: id,
      thinking: thinks,
      staleThinking,
      refusedImages,
      log: deps.log,
    });
  }

  return {
    async access() {
      const baseUrl = deps.baseUrl();
      if (!baseUrl.ok) return { kind: 'problem', problem: baseUrl.problem };
      const apiKey = await deps.apiKey();
      if (apiKey === undefined) return { kind: 'missingKey' };
      return { kind: 'ready', apiKey, baseUrl: baseUrl.url };
    },
    models: async (access) => (access.kind === 'ready' ? models(access) : FALLBACK_MODELS),
    model: (id, access) => model(id, access, 'as the model can'),
    plainModel: (id, access) => model(id, access, 'off'),
    async cheapest(access) {
      const list = await models(access);
      return claude(cheapestModel(list) ?? bestOf(list), access, 'off');
    },
  };
}

type Thinking = 'as the model can' | 'off';

function withId(id: string, models: readonly ClaudeModelInfo[]): ClaudeModelInfo {
  const best = bestOf(models);
  if (id === NO_KEY_MODEL_ID || id === AUTO_MODEL_ID) return agentModel(models) ?? best;
  // Of a model that is not listed nothing may be claimed.
  const unlisted = {
    structuredOutput: false,
    seesImages: isSeeing(id),
    thinking: 'off',
    thinkingOff: 'impossible',
  } as const;
  return models.find((info) => info.id === id) ?? { ...best, id, name: id, ...unlisted };
}

function bestOf(models: readonly ClaudeModelInfo[]): ClaudeModelInfo {
  const [best] = models;
  if (best === undefined) throw new Error('There is no Claude model at all.');
  return best;
}
