// What an image tells of itself: its real type, whatever its name says, its size, and whether it is all there. The
// API refuses a request with a wrong type, too large a picture or half of one.

import type { IMAGE_TYPES } from './claudeMessages.ts';

export interface ImageHeader {
  readonly type: (typeof IMAGE_TYPES)[number];
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Undefined for what is no image of these types, or a damaged one. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
}

function png(view: DataView): ImageHeader | undefined {
  if (!holds(view, 0, '\x89PNG\r\n\x1a\n') || !holds(view, 12, 'IHDR')) return undefined;
  if (view.byteLength < 24 || !pngEnds(view)) return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** Made of chunks, each with a length, a name and a sum; the last one says that it is. */
function pngEnds(view: DataView): boolean {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    if (holds(view, at + 4, 'IEND')) return true;
  }
  return false;
}

function gif(view: DataView): ImageHeader | undefined {
  if (!holds(view, 0, 'GIF87a') && !holds(view, 0, 'GIF89a')) return undefined;
  if (view.byteLength < 10) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Three ways to write a picture: lossy, lossless, and extended with both and more. */
function webp(view: DataView): ImageHeader | undefined {
  if (!holds(view, 0, 'RIFF') || !holds(view, 8, 'WEBP') || view.byteLength < 30) return undefined;
  // The byte that fills up an odd length may be missing.
  if (view.getUint32(4, true) + 7 > view.byteLength) return undefined;
  const type = 'image/webp';
  if (holds(view, 12, 'VP8 ')) {
    const side = (at: number) => view.getUint16(at, true) & 0x3fff;
    return { type, width: side(26), height: side(28) };
  }
  if (holds(view, 12, 'VP8L')) {
    const sides = view.getUint32(21, true);
    return { type, width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
  }
  if (!holds(view, 12, 'VP8X')) return undefined;
  const side = (at: number) => (view.getUint32(at, true) & 0xffffff) + 1;
  return { type, width: side(24), height: (view.getUint32(26, true) >>> 8) + 1 };
}

/** Made of segments, each with a mark and a length; one of them is the frame. */
function jpeg(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const mark = view.getUint8(at + 1);
    if (mark === 0xff) {
      // Segments may be filled up with it.
      at += 1;
    } else if (isFrame(mark)) {
      if (!jpegEnds(view, at)) return undefined;
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else {
      at += 2 + Math.max(2, view.getUint16(at + 2));
    }
  }
  return undefined;
}

/** What it shows is there up to the mark of its end; programs write more behind it. */
function jpegEnds(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at > from; at--) {
    if (view.getUint16(at) === 0xffd9) return true;
  }
  return false;
}

/** C0 to CF but for the tables that share the range. */
function isFrame(mark: number): boolean {
  return mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);
}

function holds(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false;
  return Array.from(text).every((character, index) => {
    return view.getUint8(at + index) === character.charCodeAt(0);
  });
}
