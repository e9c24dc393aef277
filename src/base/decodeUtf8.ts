// Text from bytes, for files that are written back: what cannot be read without loss is refused.

import path from 'node:path';
import { sentence, SentenceError } from './sentence.ts';

/** Decodes strictly and keeps a byte order mark. Throws with the file's name when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new SentenceError(sentence`${path.basename(file)} is not UTF-8 text.`, { cause: error });
  }
}
