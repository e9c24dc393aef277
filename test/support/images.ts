// The frames of images: as much of them as tells type and size, and that nothing is missing.

/** Of a PNG of that many pixels, filled up to a number of bytes. */
export function pngBytes(width: number, height: number, size = 57): Buffer {
  const bytes = Buffer.alloc(Math.max(size, 57));
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(bytes.length - 57, 33);
  bytes.write('IDAT', 37, 'latin1');
  bytes.write('IEND', bytes.length - 8, 'latin1');
  return bytes;
}

export function gifBytes(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** With the segments that cameras write in front of the frame. */
export function jpegBytes(width: number, height: number): Buffer {
  const frame = Buffer.alloc(19);
  frame.writeUInt16BE(0xffc2, 0);
  frame.writeUInt16BE(17, 2);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const segment = (mark: number, length: number) => {
    const bytes = Buffer.alloc(length + 2);
    bytes.writeUInt16BE(mark, 0);
    bytes.writeUInt16BE(length, 2);
    return bytes;
  };
  const start = Buffer.from([0xff, 0xd8]);
  const end = Buffer.from([0xff, 0xd9]);
  return Buffer.concat([start, segment(0xffe1, 40), segment(0xffc4, 20), frame, end]);
}

export function webpBytes(chunk: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write(`WEBP${chunk}`, 8, 'latin1');
  if (chunk === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (chunk === 'VP8L') {
    bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 21);
  } else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
