/** Waits for what another process does, which sends no event here. */
export async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let left = 30_000; left > 0; left -= 50) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Not within 30 s: ${look.toString()}`);
}
