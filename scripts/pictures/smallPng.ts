// A PNG with a palette: a window holds few colours, so that a byte for each pixel is enough and the file is small.
// Where there are more than fit, those that are nearly the same become the most frequent one of them.

import fs from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;
const BITS = 8;
/** Kinds of colour in the header of a PNG: with three bytes for each pixel, with four, with a palette. */
const RGB = 2;
const RGBA = 6;
const PALETTE = 3;

/** `png` is one as a browser makes it. */
export function writeSmallPng(file: string, png: Buffer): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, withPalette(readPixels(png)));
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, line by line. */
  readonly colours: Uint32Array;
}

function withPalette({ width, height, colours }: Pixels): Buffer {
  const paletteOf = closestPalette(colours);
  const palette = [...new Set(paletteOf.values())];
  const indexOf = new Map(palette.map((colour, index) => [colour, index]));
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) {
    // Each line begins with its filter, 0 for none.
    const line = Math.floor(at / width);
    lines[at + line + 1] = indexOf.get(paletteOf.get(colour) ?? 0) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, PALETTE], 8);
  const entries = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(entries)),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** For each colour the one in its place: itself where all of them fit. */
function closestPalette(colours: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byFrequency = [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
  for (let dropped = 0; ; dropped++) {
    const kept = (0xff << dropped) & 0xff;
    const mask = (kept << 16) | (kept << 8) | kept;
    const chosen = new Map<number, number>();
    for (const colour of byFrequency) {
      if (!chosen.has(colour & mask)) chosen.set(colour & mask, colour);
    }
    if (chosen.size > MOST_COLOURS) continue;
    return new Map(byFrequency.map((colour) => [colour, chosen.get(colour & mask) ?? colour]));
  }
}

function readPixels(png: Buffer): Pixels {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ name }) => name === 'IHDR')?.data;
  const kind = header?.[9];
  if (!header || header[8] !== BITS || (kind !== RGB && kind !== RGBA))
    throw new Error('The picture is no PNG of the kind that a browser makes.');
  const size = kind === RGB ? 3 : 4;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const packed = chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data);
  const bytes = unfilter(inflateSync(Buffer.concat(packed)), { length: width * size, size });
  const colours = Uint32Array.from({ length: width * height }, (_, index) =>
    bytes.readUIntBE(index * size, 3),
  );
  return { width, height, colours };
}

/** Each byte is kept as its difference to what the line's filter foretells from the bytes before it. */
function unfilter(
  filtered: Buffer,
  { length, size }: { readonly length: number; readonly size: number },
): Buffer {
  const height = filtered.length / (length + 1);
  const bytes = Buffer.alloc(length * height);
  for (let line = 0; line < height; line++) {
    const filter = filtered[line * (length + 1)];
    for (let column = 0; column < length; column++) {
      const at = line * length + column;
      const left = column < size ? 0 : (bytes[at - size] ?? 0);
      const above = line === 0 ? 0 : (bytes[at - length] ?? 0);
      const corner = line === 0 || column < size ? 0 : (bytes[at - length - size] ?? 0);
      const foretold = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
      bytes[at] = (filtered[at + line + 1] ?? 0) + (foretold[filter ?? 0] ?? 0);
    }
  }
  return bytes;
}

/** Whichever of the three is nearest to left + above - corner, as the format says. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function* chunksOf(png: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield {
      name: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    };
    at += length + 12;
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
