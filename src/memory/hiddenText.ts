// Takes out of a text what a person cannot see and a model still reads: a memory must say to both the same.

/** Joiners stay, since emoji and some scripts need them, and so does one sign of how the character before it looks. */
export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '').replaceAll(LOOSE_VARIANT, '');
}

/** Marks that turn the direction of a text or have no width, letters of tags, and fillers. */
const HIDDEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;
/** Where there is nothing to vary, or more than one sign for it: any number of bytes can be written in those. */
const LOOSE_VARIANT = /(?<=^|[\s\p{Variation_Selector}])\p{Variation_Selector}/gu;
