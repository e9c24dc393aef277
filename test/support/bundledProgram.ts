// Programs that tests start as processes of their own, by the hundred.

import { build } from 'esbuild';

/** Of packages in the older form, which an ES module lacks. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** In one file: finding and reading a hundred is most of what a process costs that is killed at once. */
export async function bundleProgram(program: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: REQUIRE },
  });
}
