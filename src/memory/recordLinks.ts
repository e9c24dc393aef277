// Lets what points to a memory follow it to a new name: links and wiki links in bodies, and `supersedes` in front
// matter. The rest of a file stays byte for byte. Pure.

import { fileKey } from './folder/recordCache.ts';
import { editTexts, readMarkdown } from './frontMatter.ts';
import { linksIn, type MarkdownLink } from './markdownLinks.ts';

interface Named {
  /** File name in the folder. */
  readonly file: string;
  readonly name: string;
}

export interface Rename {
  readonly from: Named;
  readonly to: Named;
  /** Other memories that the same words may mean, as `namesakesOf` tells: what means one of them leads there as before. */
  readonly others: readonly Named[];
}

/** Those of the others that go by a name of the memory; a link is compared with each of them. */
export function namesakesOf<Other extends Named>(
  memory: Named,
  others: readonly Other[],
): readonly Other[] {
  const keys = keysOf(memory);
  return others.filter((other) => keysOf(other).some((key) => keys.includes(key)));
}

/** The text of a file of the folder, and how many of its links were changed. Throws RecordError. */
export function followRename(
  text: string,
  rename: Rename,
): { readonly text: string; readonly links: number } {
  const file = readMarkdown(text);
  const { rest } = file;
  const head = editTexts(file, 'supersedes', (value) => newReference(value, rename));
  const parts: string[] = [];
  const links = linksThatFollow(rest, rename);
  let end = 0;
  for (const link of links) {
    parts.push(rest.slice(end, link.start), link.now);
    end = link.end;
  }
  const body = parts.join('') + rest.slice(end);
  return { text: file.open + head.text + file.close + body, links: head.count + links.length };
}

/** How many links of a text that is no readable memory would have to be changed. */
export function countLinks(text: string, rename: Rename): number {
  // In brackets it is a wiki link.
  const references = [...text.matchAll(/^supersedes:[ \t]*([^[\r\n]*)$/gm)].filter(
    ([, value = '']) => newReference(value, rename) !== undefined,
  );
  return linksThatFollow(text, rename).length + references.length;
}

function linksThatFollow(text: string, rename: Rename) {
  return linksIn(text).flatMap((link) => {
    const written = text.slice(link.start, link.end);
    const now = newTarget(link, written, rename);
    return now === undefined || now === written ? [] : [{ ...link, now }];
  });
}

/** Undefined when it leads somewhere else. */
function newTarget({ kind, target }: MarkdownLink, written: string, rename: Rename) {
  return kind === 'wiki' ? newName(written, rename) : newAddress(target, written, rename);
}

function newAddress(target: string, written: string, { from, to, others }: Rename) {
  if (to.file === from.file) return undefined;
  const [, here = '', file = ''] = /^((?:\.\/)*)(.*)$/s.exec(target) ?? [];
  if (fileKey(file) !== fileKey(from.file)) return undefined;
  // Where case counts, a file in the very same letters is the one that is meant.
  if (file !== from.file && others.some((other) => other.file === file)) return undefined;
  return here + (written.includes('%') ? encodeURIComponent(to.file) : to.file);
}

/** Of a wiki link: the name of the file without its ending, or that in the front matter. */
function newName(written: string, { from, to, others }: Rename): string | undefined {
  const [, name = written, ending = ''] = /^(.*?)(\.md)?$/is.exec(written) ?? [];
  const key = fileKey(name);
  const isOther = others.some(({ file }) => fileKey(stemOf(file)) === key);
  if (fileKey(stemOf(from.file)) === key) {
    const isExact = stemOf(from.file) === name;
    const isKept = to.file === from.file || (isOther && !isExact);
    return isKept ? undefined : stemOf(to.file) + ending;
  }
  if (ending !== '' || fileKey(from.name) !== key || isOther) return undefined;
  return others.some((other) => fileKey(other.name) === key) ? undefined : to.name;
}

/** In front matter a memory is named by its file or its name, perhaps in the brackets of a wiki link. */
function newReference(value: string, rename: Rename): string | undefined {
  const [, open = '', name = '', close = ''] =
    /^(\s*(?:\[\[)?(?:\.\/)?)(.*?)((?:\]\])?\s*)$/s.exec(value) ?? [];
  const now = newName(name, rename);
  return now === undefined || now === name ? undefined : open + now + close;
}

function keysOf({ file, name }: Named): readonly string[] {
  return [fileKey(stemOf(file)), fileKey(name)];
}

function stemOf(file: string): string {
  return file.replace(/\.md$/i, '');
}
