// What a person cannot see in a text and a model still reads is found and taken out: a memory must say to both the same.

/** Joiners stay, since emoji and some scripts need them, and so does one sign of how the character before it looks. */
export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '').replaceAll(LOOSE_VARIANT, '');
}

/** Where what `withoutHidden` takes out stands in the text, in its order; what stands side by side is one. */
export function hiddenIn(
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  if (withoutHidden(text) === text) return [];
  const hidden = new Set<number>();
  const note = (index: number, length: number): void => {
    for (let i = index; i < index + length; i++) hidden.add(i);
  };
  for (const { 0: found, index } of text.matchAll(HIDDEN)) note(index, found.length);
  const rest = Array.from({ length: text.length }, (_, i) => i).filter((i) => !hidden.has(i));
  const seen = rest.map((i) => text[i]).join('');
  for (const { 0: found, index } of seen.matchAll(LOOSE_VARIANT))
    rest.slice(index, index + found.length).forEach((i) => hidden.add(i));
  const starts = [...hidden].filter((i) => !hidden.has(i - 1)).toSorted((a, b) => a - b);
  const ends = [...hidden].filter((i) => !hidden.has(i + 1)).toSorted((a, b) => a - b);
  return starts.map((start, i) => ({ start, end: (ends[i] ?? start) + 1 }));
}

/** Marks that turn the direction of a text or have no width, letters of tags, and fillers. */
const HIDDEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;
/** Where there is nothing to vary, or more than one sign for it: any number of bytes can be written in those. */
const LOOSE_VARIANT = /(?<=^|[\s\p{Variation_Selector}])\p{Variation_Selector}/gu;
