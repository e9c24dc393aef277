// File names for memories: from a name in any script to one that every file system takes.

/** With a clash suffix of up to five bytes a name stays within 80. */
const MAX_SLUG_BYTES = 75;
/** Windows opens a device for these names, and MEMORY.md is the index, in any case of its letters. */
const RESERVED_SLUG = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|memory)$/;

/** A file name without `.md`: letters and digits of every script, never empty, never reserved. */
export function slugFor(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    // C++ and C# are not C.
    .replace(/(?<=[\p{L}\p{N}])#(?![\p{L}\p{N}])/gu, 'sharp')
    .replaceAll('+', 'plus')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  let slug = '';
  let bytes = 0;
  for (const character of words.replace(/^-/, '')) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_SLUG_BYTES) break;
    slug += character;
  }
  slug = slug.replace(/-$/, '') || 'memory';
  return RESERVED_SLUG.test(slug) ? `${slug}-record` : slug;
}
