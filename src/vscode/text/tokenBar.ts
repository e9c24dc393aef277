// How full something is, drawn with block characters. No 'vscode' import, so it is tested without a host.

const FULL = '█';
const EMPTY = '░';
/** Fits the chat at its narrowest and a hover. */
const WIDTH = 24;

/** `share` of 1 is full, and more is not shown. */
export function tokenBar(share: number, width = WIDTH): string {
  const filled = filledCells(share, width);
  return FULL.repeat(filled) + EMPTY.repeat(width - filled);
}

/** A little is never shown as nothing, nor almost all as all. */
function filledCells(share: number, width: number): number {
  if (!(share > 0)) return 0;
  if (share >= 1) return width;
  return Math.min(width - 1, Math.max(1, Math.round(share * width)));
}
