// Bytes and text of a file, in the encoding that the person's editor has for it: read or written in another, its
// letters would be others. What does not survive the way there and back is refused.

import { isAscii } from 'node:buffer';
import path from 'node:path';
import * as vscode from 'vscode';
import { decodeText, isMarked, NotTextError, refuseBinary } from '../../agent/workspace.ts';

/** Stands for bytes that are no character. */
const REPLACEMENT = '\ufffd';

/** Of an open document its own encoding; else that of the settings for the file. */
type EncodingSource = { readonly encoding: string } | { readonly uri: vscode.Uri };

/** Without a byte order mark. Throws a NotTextError when the bytes are binary or not in the encoding. */
export async function decodeFile(
  bytes: Uint8Array,
  file: string,
  source: EncodingSource,
): Promise<string> {
  // The same in every encoding, and grep comes here for every file: the editor need not be asked.
  if (isAscii(bytes) || isMarked(bytes)) return decodeText(bytes, file);
  refuseBinary(bytes, file);
  const text = await decode(bytes, source);
  if (text.includes(REPLACEMENT) && !isSame(await encode(text, source), bytes)) {
    throw new NotTextError(
      `${path.basename(file)} is not text in ${nameOf(source)}, the encoding that the editor has ` +
        'for it. Ask the user to open it with its own encoding, or to set files.encoding.',
    );
  }
  return text;
}

/** Throws, naming the character, when the encoding cannot hold the text. */
export async function encodeFile(
  text: string,
  file: string,
  source: EncodingSource,
): Promise<Uint8Array> {
  const bytes = await encode(text, source);
  if (isSame(bytes, Buffer.from(text))) return bytes;
  const held = await decode(bytes, source);
  if (held === text) return bytes;
  const at = firstDifference(text, held);
  const lost = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const line = text.slice(0, at).split('\n').length;
  throw new Error(
    `"${lost}" in line ${line} cannot be written in ${nameOf(source)}, the encoding of ` +
      `${path.basename(file)}, so nothing was written. Do without it, or ask the user to save the ` +
      'file as UTF-8.',
  );
}

/** The API takes the one or the other, and no union of them. */
async function decode(bytes: Uint8Array, source: EncodingSource): Promise<string> {
  return 'encoding' in source
    ? vscode.workspace.decode(bytes, { encoding: source.encoding })
    : vscode.workspace.decode(bytes, { uri: source.uri });
}

async function encode(text: string, source: EncodingSource): Promise<Uint8Array> {
  return 'encoding' in source
    ? vscode.workspace.encode(text, { encoding: source.encoding })
    : vscode.workspace.encode(text, { uri: source.uri });
}

function nameOf(source: EncodingSource): string {
  if ('encoding' in source) return source.encoding;
  return vscode.workspace.getConfiguration('files', source.uri).get('encoding', 'utf8');
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
