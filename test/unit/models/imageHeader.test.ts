import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { imageHeader } from '../../../src/models/imageHeader.ts';
import { gifBytes, jpegBytes, pngBytes, webpBytes } from '../../support/images.ts';

const SEED = 20_260_301;

describe('imageHeader', () => {
  for (const [name, bytes, type] of [
    ['a PNG', pngBytes(640, 9), 'image/png'],
    ['a GIF', gifBytes(640, 9), 'image/gif'],
    ['a JPEG', jpegBytes(640, 9), 'image/jpeg'],
    ['a lossy WebP', webpBytes('VP8 ', 640, 9), 'image/webp'],
    ['a lossless WebP', webpBytes('VP8L', 640, 9), 'image/webp'],
    ['an extended WebP', webpBytes('VP8X', 640, 9), 'image/webp'],
  ] as const) {
    it(`tells type and size of ${name}`, () => {
      assert.deepEqual(imageHeader(bytes), { type, width: 640, height: 9 });
    });

    it(`takes the beginning of ${name} for no image`, () => {
      assert.equal(imageHeader(bytes.subarray(0, 8)), undefined);
    });
  }

  for (const [name, bytes] of [
    ['a PNG', pngBytes(640, 9, 400)],
    ['a JPEG', jpegBytes(640, 9)],
    ['a WebP', webpBytes('VP8X', 640, 9)],
  ] as const) {
    it(`takes ${name} whose end is missing for damaged`, () => {
      assert.equal(imageHeader(bytes.subarray(0, -2)), undefined);
    });

    it(`takes ${name} with something behind its end for whole`, () => {
      assert.equal(imageHeader(Buffer.concat([bytes, Buffer.from('more')]))?.height, 9);
    });
  }

  it('takes bytes that lie within others', () => {
    const bytes = new Uint8Array(Buffer.concat([Buffer.from('before'), gifBytes(3, 4)]));
    assert.deepEqual(imageHeader(bytes.subarray(6)), { type: 'image/gif', width: 3, height: 4 });
  });

  it('takes an image without an area for damaged', () => {
    assert.equal(imageHeader(pngBytes(0, 9)), undefined);
  });

  it('never throws, whatever the bytes are', () => {
    const beginnings = [pngBytes(1, 1), jpegBytes(1, 1), webpBytes('VP8X', 1, 1), gifBytes(1, 1)];
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.nat(40),
        fc.uint8Array({ maxLength: 60 }),
        (image, kept, noise) => {
          imageHeader(Buffer.concat([image.subarray(0, kept), noise]));
        },
      ),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});
