// Which model answers, and which one the small questions go to. Our own models are used through the SDK, which
// gives thinking, the prompt cache and exact usage; all others through VS Code.

import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { MODEL_VENDOR, SETTINGS } from '../../manifest.ts';
import type { Model } from '../../models/model.ts';
import type { ClaudeCatalogue, ReadyAccess } from './claudeCatalogue.ts';
import { createLmModel } from './lmModel.ts';

export type ModelChoice =
  | { readonly kind: 'chosen'; readonly model: Model; readonly utility: Model }
  | { readonly kind: 'missingKey' }
  /** One sentence for a person. */
  | { readonly kind: 'problem'; readonly problem: string };

interface ModelChoiceDeps {
  readonly catalogue: ClaudeCatalogue;
  /** The setting: `auto`, or the id of a Claude model. */
  readonly utilityModel: string;
  readonly log: Log;
}

/** For a chat request, from the model that the person picked for it. */
export async function chooseModel(
  picked: vscode.LanguageModelChat,
  deps: ModelChoiceDeps,
): Promise<ModelChoice> {
  const access = await deps.catalogue.access();
  if (picked.vendor !== MODEL_VENDOR) {
    const model = createLmModel(picked, deps.log);
    const named = deps.utilityModel !== SETTINGS.utilityModel && access.kind === 'ready';
    return { kind: 'chosen', model, utility: named ? await utilityClaude(access, deps) : model };
  }
  if (access.kind !== 'ready') return access;
  return {
    kind: 'chosen',
    model: await deps.catalogue.model(picked.id, access),
    utility: await utilityClaude(access, deps),
  };
}

/** For a command, which comes without a picked model. */
export async function chooseModelOutsideChat(deps: ModelChoiceDeps): Promise<ModelChoice> {
  const access = await deps.catalogue.access();
  if (access.kind === 'ready') {
    const model = await utilityClaude(access, deps);
    return { kind: 'chosen', model, utility: model };
  }
  const others = await vscode.lm.selectChatModels();
  const chat = others.find((other) => other.vendor !== MODEL_VENDOR);
  if (!chat) return access;
  const model = createLmModel(chat, deps.log);
  return { kind: 'chosen', model, utility: model };
}

/** For what nobody asks for just now: a model of another extension could ask the person for leave to be used. */
export async function chooseModelUnasked(deps: ModelChoiceDeps): Promise<Model | undefined> {
  const access = await deps.catalogue.access();
  return access.kind === 'ready' ? utilityClaude(access, deps) : undefined;
}

function utilityClaude(access: ReadyAccess, deps: ModelChoiceDeps): Promise<Model> {
  return deps.utilityModel === SETTINGS.utilityModel
    ? deps.catalogue.cheapest(access)
    : deps.catalogue.plainModel(deps.utilityModel, access);
}
