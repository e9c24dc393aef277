import fs from 'node:fs';
import path from 'node:path';

/** The files below a folder that hold some words. */
export function filesWith(folder: string, words: string): readonly string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => fs.readFileSync(file).includes(words));
}
