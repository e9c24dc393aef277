import assert from 'node:assert/strict';
import { partsOf } from '../../../../../src/agent/tools/search/filePart.ts';

describe('the parts of a large file', () => {
  async function* cut(text: string, bytes: number) {
    const whole = Buffer.from(text);
    for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
  }
  let cutLines = 0;
  const onCut = () => (cutLines += 1);
  const parts = (text: string, bytes: number) => all(partsOf('a', cut(text, bytes), onCut));

  it('search each line once, with its number and ten lines around it, wherever it is cut', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `${index} é😀`);
    for (const bytes of [1, 7, 100, 10_000]) {
      const searched: string[] = [];
      for (const { lines: held, before, from, to } of await parts(lines.join('\r\n'), bytes)) {
        for (let index = from; index < to; index += 1) {
          const number = before + index;
          assert.equal(number, searched.length);
          searched.push(held[index] ?? '');
          const around = lines.slice(Math.max(0, number - 10), number + 11);
          assert.deepEqual(held.slice(Math.max(0, index - 10), index + 11), around);
        }
      }
      assert.deepEqual(searched, lines, `${bytes} bytes at a time`);
    }
  });

  it('keep only the beginning of a line that never ends, and tell of it', async () => {
    const [part] = await parts(`${'x'.repeat(5_000_000)}\nnext`, 100_000);
    assert.equal(cutLines, 1);
    const lengths = part?.lines.map(({ length }) => length) ?? [];
    assert.ok((lengths[0] ?? 0) >= 1_000_000 && (lengths[0] ?? 0) <= 1_100_000, String(lengths[0]));
    assert.equal(part?.lines[1], 'next');
  });

  it('are refused when the text ends within a character', async () => {
    const bytes = Buffer.from('é').subarray(0, 1);
    async function* half() {
      yield bytes;
    }
    await assert.rejects(all(partsOf('a', half(), onCut)), /a is not UTF-8 text/);
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
