import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { collectOutput } from '../../../src/base/collectOutput.ts';

describe('collecting an output', () => {
  const feed = async (
    pieces: readonly (readonly [stream: 0 | 1, piece: string | Uint8Array])[],
    maxChars: number,
  ) => {
    const streams = [new PassThrough(), new PassThrough()] as const;
    const taken: string[] = [];
    const finish = collectOutput(streams, {
      maxChars,
      takeAll: async (text) => void taken.push(text),
    });
    for (const [stream, piece] of pieces) {
      streams[stream].write(piece);
      await nextTick();
    }
    return { output: await finish(), taken };
  };

  it('hands over nothing of one that fits', async () => {
    const { output, taken } = await feed(
      [
        [0, 'abc'],
        [1, 'def'],
      ],
      6,
    );
    assert.equal(output, 'abcdef');
    assert.deepEqual(taken, []);
  });

  it('hands over all of one that does not, from the piece on that is too much', async () => {
    const { output, taken } = await feed(
      [
        [0, 'abc'],
        [1, 'def'],
        [0, 'g'],
        [1, 'hij'],
      ],
      6,
    );
    assert.equal(output, 'abc\n[... 4 characters left out ...]\nhij');
    assert.deepEqual(taken, ['abcdefg', 'hij']);
  });

  it('hands over at once what comes at once', async () => {
    assert.deepEqual((await feed([[0, 'abcdefgh']], 6)).taken, ['abcdefgh']);
  });

  it('loses nothing without a word when the most is an odd number', async () => {
    const { output, taken } = await feed([[0, 'abcdefg']], 7);
    assert.equal(output, 'abc\n[... 1 characters left out ...]\nefg');
    assert.deepEqual(taken, ['abcdefg']);
  });

  it('puts characters together across pieces, though the other stream comes between', async () => {
    const [first, second] = [Buffer.from('한').subarray(0, 2), Buffer.from('한').subarray(2)];
    const { taken } = await feed(
      [
        [0, first],
        [1, 'x\0\r\n'],
        [0, second],
      ],
      2,
    );
    assert.equal(taken.join(''), 'x\0\r\n한');
  });

  it('ends when all has been taken, and not before', async () => {
    const source = new PassThrough();
    const gate = Promise.withResolvers<void>();
    const steps: string[] = [];
    const takeAll = async () => {
      await gate.promise;
      steps.push('taken');
    };
    const finish = collectOutput([source], { maxChars: 2, takeAll });
    source.write('abcdef');
    await nextTick();
    const finished = finish().then(() => steps.push('ended'));
    await nextTick();
    gate.resolve();
    await finished;
    assert.deepEqual(steps, ['taken', 'ended']);
  });

  it('waits for whoever takes it, so that memory holds little of a fast output', async () => {
    const source = new PassThrough();
    const gate = Promise.withResolvers<void>();
    const finish = collectOutput([source], { maxChars: 2, takeAll: () => gate.promise });
    let written = 0;
    while (source.write('x'.repeat(16_384))) {
      written++;
      assert.ok(written < 100, 'Nobody has said that it is too much.');
      await nextTick();
    }
    gate.resolve();
    await new Promise((resolve) => source.once('drain', resolve));
    assert.match(await finish(), /characters left out/);
  });
});
