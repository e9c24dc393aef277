// File names for memories: from a name in any script to one that every file system takes.

/** With a clash suffix of up to five bytes a name stays within 80. */
const MAX_SLUG_BYTES = 75;
/** Windows opens a device for these names, and MEMORY.md is the index, in any case of its letters. */
const RESERVED_SLUG = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|memory)$/;
/** Joiners, direction marks, variation selectors, fillers: two names that differ in them look the same. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** A mark belongs to the letter in front of it and is nothing without one. */
const WORD = /(?:[\p{L}\p{N}]\p{M}*)+/gu;

/** A file name without `.md`: letters and digits of every script, never empty, never reserved. */
export function slugFor(name: string): string {
  const words = name
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .toLowerCase()
    // C++ and C# are not C.
    .replace(/(?<=[\p{L}\p{N}\p{M}])#(?![\p{L}\p{N}])/gu, 'sharp')
    .replaceAll('+', 'plus')
    .normalize('NFC')
    .match(WORD);
  const slug = cut((words ?? []).join('-')).replace(/-$/, '') || 'memory';
  return RESERVED_SLUG.test(slug) ? `${slug}-record` : slug;
}

/** Whole characters as a reader sees them, as many as fit; of one that is too long by itself, its beginning. */
function cut(slug: string): string {
  if (Buffer.byteLength(slug) <= MAX_SLUG_BYTES) return slug;
  // What fits is in here, since nothing has less than a byte, and the last of it shows whether it goes on.
  const start = slug.slice(0, MAX_SLUG_BYTES + 1);
  const graphemes = Array.from(new Intl.Segmenter('und').segment(start), ({ segment }) => segment);
  return fitting(graphemes) || fitting(Array.from(start));
}

function fitting(parts: readonly string[]): string {
  let bytes = 0;
  const count = parts.findIndex((part) => (bytes += Buffer.byteLength(part)) > MAX_SLUG_BYTES);
  return parts.slice(0, count < 0 ? parts.length : count).join('');
}
