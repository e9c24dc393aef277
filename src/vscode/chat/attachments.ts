// What goes with a request besides its words: what the person attached, and what they look at in the editor. The
// chat shows what was sent and what could not be.

import * as vscode from 'vscode';
import { readAttachments } from '../../agent/attachments/attachments.ts';
import { withoutRepeats } from '../../agent/attachments/repeatedAttachments.ts';
import type { Unsent, UnsentReason } from '../../agent/attachments/unsentAttachments.ts';
import type { TurnRequest } from '../../agent/turn.ts';
import type { Message } from '../../models/model.ts';
import { editorWorkspace } from '../tools/editorWorkspace.ts';
import { shownEditor } from './editorContext.ts';
import { seesImages } from '../models/modelImages.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { plainMarkdown, shorten } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';
import {
  attachedReferences,
  besides,
  givenOf,
  implicitReferences,
  instructionReferences,
  instructionsOf,
} from './promptReferences.ts';
import { readWindowSettings } from '../host/settings.ts';

interface AttachingRequest {
  readonly request: Pick<vscode.ChatRequest, 'references' | 'model'>;
  readonly response: vscode.ChatResponseStream;
  /** Of the model that answers, in tokens. */
  readonly inputLimit: number;
  /** The conversation so far, as the model is sent it. */
  readonly working: readonly Message[];
  /** Whether the workspace is. */
  readonly isTrusted: boolean;
}

/** The rest of a long list says nothing more. */
const NAMES_TOLD = 10;
const NAME_CHARS = 100;

export async function requestAttachments(
  { request, response, inputLimit, working, isTrusted }: AttachingRequest,
  signal: AbortSignal,
): Promise<Pick<TurnRequest, 'attachments' | 'wholeFiles'>> {
  const { references, model } = request;
  const workspace = editorWorkspace([]);
  const setting = readWindowSettings().editorContext;
  // Nobody chose those of a folder that nobody trusts: they are no material either.
  const instructions = isTrusted ? instructionReferences(references) : [];
  const attached = besides(attachedReferences(references), instructions);
  const implicit = implicitReferences(references);
  // A text that an extension tells of what it shows, such as a page: the editor's state, but no editor's.
  const told = implicit.filter(({ value }) => typeof value === 'string' && setting === 'selection');
  const { blocks, wholeFiles, unsent, cut } = await readAttachments(
    [...instructions.map(instructionsOf), ...[...attached, ...told].map(givenOf)],
    { workspace, inputLimit, seesImages: seesImages(model) },
    signal,
  );
  const editor = shownEditor({ setting, implicit, attached, workspace, inputLimit });
  if (editor) response.reference(editor.place);
  if (unsent.length > 0) response.markdown(`_${unsentText(unsent, model.name)}_\n\n`);
  if (cut.length > 0) response.markdown(`_${cutText(cut)}_\n\n`);
  const attachments = withoutRepeats(editor ? [...blocks, editor.block] : blocks, working);
  return { attachments, wholeFiles };
}

function unsentText(unsent: readonly Unsent[], model: string): string {
  const reasons = Map.groupBy(unsent, ({ reason, problem }) => reasonText(reason, problem, model));
  const groups = Array.from(reasons, ([reason, group]) =>
    vscode.l10n.t('{0} ({1})', names(group.map(({ name }) => name)), inLine(reason)),
  );
  return vscode.l10n.t('Attached, but not sent: {0}', groups.join('; '));
}

function cutText(cut: readonly string[]): string {
  return vscode.l10n.t(
    'Attached, but too long to send whole, so only the beginning was sent: {0}',
    names(cut),
  );
}

function names(all: readonly string[]): string {
  const told = all.slice(0, NAMES_TOLD).map((name) => inLine(shorten(name, NAME_CHARS)));
  const more = all.length - told.length;
  return more > 0
    ? vscode.l10n.t('{0} and {1} more', listText(told), figure(more))
    : listText(told);
}

/** What another extension names or tells may have lines. */
function inLine(text: string): string {
  return plainMarkdown(text.replace(/\s+/g, ' '));
}

function reasonText(reason: UnsentReason, problem: Unsent['problem'], model: string): string {
  switch (reason) {
    case 'binary':
      return vscode.l10n.t('not text');
    case 'missing':
      return vscode.l10n.t('does not exist');
    case 'tooLarge':
      return vscode.l10n.t('too large');
    case 'noRoom':
      return vscode.l10n.t('no room left in this request; the agent knows the name');
    case 'imageType':
      return vscode.l10n.t('damaged, or not a PNG, JPEG, GIF or WebP image');
    case 'imageTooLarge':
      return vscode.l10n.t('larger than 5 MB or 8,000 pixels a side');
    case 'tooManyImages':
      return vscode.l10n.t('at most 20 images');
    case 'noVision':
      return vscode.l10n.t('{0} cannot be shown images', model);
    case 'unknown':
      return vscode.l10n.t('of a kind that Memory Agent does not know');
    case 'failed':
      return problem === undefined ? vscode.l10n.t('could not be read') : sentenceText(problem);
  }
}
