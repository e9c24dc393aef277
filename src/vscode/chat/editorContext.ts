// What the active editor shows, as far as the setting lets it go with a request. VS Code may hand it over by itself;
// then it is the same thing, and the same setting holds.

import * as vscode from 'vscode';
import { spanName } from '../../agent/attachments/attachedText.ts';
import { editorStateBlock } from '../../agent/attachments/editorState.ts';
import { shownPath } from '../../agent/tools/places/paths.ts';
import type { Workspace } from '../../agent/workspace.ts';
import type { AttachmentBlock } from '../../models/model.ts';
import { linesOfRange, placeOf, type EditorPlace } from './promptReferences.ts';
import type { EditorContext } from '../host/settingRules.ts';

interface EditorContextSources {
  readonly setting: EditorContext;
  /** What VS Code handed over of the active editor. */
  readonly implicit: readonly vscode.ChatPromptReference[];
  /** What the person attached. */
  readonly attached: readonly vscode.ChatPromptReference[];
  readonly workspace: Workspace;
  /** Of the model that answers, in tokens. */
  readonly inputLimit: number;
}

export interface ShownEditor {
  readonly block: AttachmentBlock;
  /** For the chat's list of what was used. */
  readonly place: vscode.Uri | vscode.Location;
}

/** VS Code's name for lines that are merely in sight. */
const IN_SIGHT = 'vscode.implicit.viewport';

export function shownEditor(sources: EditorContextSources): ShownEditor | undefined {
  const { setting, implicit, attached, workspace, inputLimit } = sources;
  if (setting === 'off') return undefined;
  const place = implicitPlace(implicit) ?? activePlace();
  if (!place) return undefined;
  const { uri, range } = place;
  const document = vscode.workspace.textDocuments.find(
    (open) => open.uri.toString() === uri.toString(),
  );
  const isSelection = range !== undefined && !range.isEmpty;
  const isSent = isSelection && setting === 'selection' && !isAttached(place, attached);
  const isOnDisk = uri.scheme === 'file';
  const state = {
    name: isOnDisk ? shownPath(workspace, uri.fsPath) : vscode.workspace.asRelativePath(uri),
    language: document?.languageId ?? 'plaintext',
    lines: range && linesOfRange(range),
    isSelection,
    selected: isSent ? document?.getText(range) : undefined,
  };
  const block = editorStateBlock(state, inputLimit);
  return { block, place: isSelection ? new vscode.Location(uri, range) : uri };
}

function implicitPlace(implicit: readonly vscode.ChatPromptReference[]): EditorPlace | undefined {
  const [first] = implicit.flatMap((reference) => {
    const place = placeOf(reference);
    return place ? [{ ...place, id: reference.id }] : [];
  });
  if (!first) return undefined;
  const { uri, range, id } = first;
  if (range && id !== IN_SIGHT) return { uri, range };
  const editor = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  return { uri, range: editor?.selection };
}

/** Only of a file of the workspace or a new one: of others the person says by attaching them that they matter. */
function activePlace(): EditorPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { uri } = editor.document;
  const isTheirs = uri.scheme === 'untitled' || vscode.workspace.getWorkspaceFolder(uri);
  return isTheirs ? { uri, range: editor.selection } : undefined;
}

function isAttached(
  { uri, range }: EditorPlace,
  attached: readonly vscode.ChatPromptReference[],
): boolean {
  return attached.some((reference) => {
    const place = placeOf(reference);
    if (!place?.range || !range || place.uri.toString() !== uri.toString()) return false;
    return spanName('', linesOfRange(place.range)) === spanName('', linesOfRange(range));
  });
}
