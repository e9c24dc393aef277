// What VS Code hands over of a request's attachments: files, places, folders, images, texts. What came after the
// oldest VS Code we run in is known by its shape.

import * as vscode from 'vscode';
import { spanName, type LineSpan } from '../../agent/attachments/attachedText.ts';
import type { Given } from '../../agent/attachments/attachments.ts';

type Reference = vscode.ChatPromptReference;

/** VS Code's own agent is told there where it finds its instructions; the person attached nothing. */
const OF_ITS_OWN = ['vscode.customizations.index'];
/**
 * Files such as AGENTS.md, which VS Code adds by itself to every request that they are for, with those that they name,
 * and prompt files. The first name is that of older versions.
 */
const INSTRUCTIONS = /^vscode\.(prompt\.instructions|instructions\.file|prompt\.file)(_|\.|$)/;
/** What VS Code adds of the active editor, as its own setting says. */
const IMPLICIT = /^vscode\.implicit\b/;
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i;

/** In the order that the person sees: what stands beside the prompt, then what is named in it. Each thing once. */
export function attachedReferences(references: readonly Reference[]): readonly Reference[] {
  return eachOnce(
    references
      .filter(({ id }) => !OF_ITS_OWN.includes(id) && !IMPLICIT.test(id) && !INSTRUCTIONS.test(id))
      .toSorted((a, b) => (a.range?.[0] ?? -1) - (b.range?.[0] ?? -1)),
  );
}

/** What the person keeps as instructions for the agents of VS Code. */
export function instructionReferences(references: readonly Reference[]): readonly Reference[] {
  return eachOnce(references.filter(({ id }) => INSTRUCTIONS.test(id)));
}

/** Those that are not the same thing as one of the others. */
export function besides(
  references: readonly Reference[],
  others: readonly Reference[],
): readonly Reference[] {
  const keys = new Set(others.map(keyOf));
  return references.filter((reference) => !keys.has(keyOf(reference)));
}

/** Of what the person looks at, which they did not attach. */
export function implicitReferences(references: readonly Reference[]): readonly Reference[] {
  return references.filter(({ id }) => IMPLICIT.test(id));
}

function eachOnce(references: readonly Reference[]): readonly Reference[] {
  const groups = [...Map.groupBy(references, keyOf).values()];
  return groups.flatMap((same) => same.slice(0, 1));
}

export function instructionsOf(reference: Reference): Given {
  const given = givenOf(reference);
  return 'about' in given ? { ...given, purpose: 'instructions', about: undefined } : given;
}

export function givenOf(reference: Reference): Given {
  const { value, modelDescription: about } = reference;
  const name = nameOf(reference);
  if (typeof value === 'string') {
    return { kind: 'text', name, about, read: () => Promise.resolve(value) };
  }
  const place = placeOf(reference);
  if (place) return givenPlace(place, about);
  const image = imageOf(value);
  if (image) return { kind: 'image', name, read: image };
  const problems = problemsOf(value);
  if (problems) return { kind: 'text', name, about, read: () => Promise.resolve(problems) };
  return { kind: 'unknown', name };
}

/** For people, when only the name is left of it. */
export function referenceName(reference: Reference): string {
  const place = placeOf(reference);
  if (!place) return nameOf(reference);
  const name = vscode.workspace.asRelativePath(place.uri);
  return place.range ? spanName(name, linesOfRange(place.range)) : name;
}

export interface EditorPlace {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range | undefined;
}

export function placeOf({ value }: Reference): EditorPlace | undefined {
  if (value instanceof vscode.Uri) return { uri: value, range: undefined };
  return value instanceof vscode.Location ? value : undefined;
}

/** A selection that ends before the first character of a line does not take that line in. */
export function linesOfRange({ start, end, isSingleLine }: vscode.Range): LineSpan {
  const endsBefore = !isSingleLine && end.character === 0;
  return { first: start.line + 1, last: endsBefore ? end.line : end.line + 1 };
}

function keyOf(reference: Reference): string {
  const place = placeOf(reference);
  if (!place) return `id ${reference.id}`;
  const { uri, range } = place;
  return range ? `${uri.toString()} ${spanName('', linesOfRange(range))}` : uri.toString();
}

/** The stable API does not tell the name that the person sees. */
function nameOf(reference: Reference): string {
  const { id } = reference;
  const name: unknown = 'name' in reference ? reference.name : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name : id;
}

function givenPlace({ uri, range }: EditorPlace, about: string | undefined): Given {
  const lines = range && linesOfRange(range);
  if (uri.scheme === 'file') return { kind: 'path', absolute: uri.fsPath, lines, about };
  const name = vscode.workspace.asRelativePath(uri);
  return !range && IMAGE_NAME.test(uri.path)
    ? { kind: 'image', name, read: () => vscode.workspace.fs.readFile(uri) }
    : { kind: 'text', name, lines, about, read: () => documentText(uri) };
}

async function documentText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  if (open) return open.getText();
  // VS Code would make one of that name.
  if (uri.scheme === 'untitled')
    throw new Error(vscode.l10n.t('{0} is not open any more.', uri.path));
  return (await vscode.workspace.openTextDocument(uri)).getText();
}

function imageOf(value: unknown): (() => PromiseLike<Uint8Array>) | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('mimeType' in value && 'data' in value && typeof value.data === 'function')) {
    return undefined;
  }
  const { data } = value;
  return async () => {
    const bytes: unknown = await Reflect.apply(data, value, []);
    if (bytes instanceof Uint8Array) return bytes;
    throw new Error(vscode.l10n.t('The image holds no data.'));
  };
}

/** Problems come as the diagnostics of each file. */
function problemsOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('diagnostics' in value)) return undefined;
  if (!Array.isArray(value.diagnostics)) return undefined;
  const files: readonly unknown[] = value.diagnostics;
  return files.flatMap(problemsOfFile).join('\n') || 'No problems.';
}

function problemsOfFile(entry: unknown): string[] {
  if (!Array.isArray(entry)) return [];
  const [uri, diagnostics]: readonly unknown[] = entry;
  if (!(uri instanceof vscode.Uri) || !Array.isArray(diagnostics)) return [];
  const all: readonly unknown[] = diagnostics;
  return all.flatMap((one) => {
    if (!(one instanceof vscode.Diagnostic)) return [];
    const place = `${vscode.workspace.asRelativePath(uri)}:${one.range.start.line + 1}`;
    return [`${place}: ${vscode.DiagnosticSeverity[one.severity]}: ${one.message}`];
  });
}
