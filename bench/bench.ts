// Measures what the README and the design claim of speed and size, and writes it to bench/results.json and
// bench/results.md: `npm run bench`. Times are medians of one run on one machine; counts do not depend on it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { measureActivation } from './activation.ts';
import { measureBilling } from './billing.ts';
import { measureContext } from './context.ts';
import { measureRecallQuality } from './recallQuality.ts';
import { measureRecallSpeed } from './recallSpeed.ts';
import { measureReference } from './reference.ts';
import { measureSessions } from './sessions.ts';
import { measureSizes } from './sizes.ts';
import { measureStore } from './store.ts';
import { measureTools } from './tools.ts';
import { measureTurn } from './turn.ts';

/** By name; a claim in words stands in the unit where it needs one. */
export type Results = Record<string, { readonly value: number; readonly unit: string }>;

const context = await measureContext();
const results: Results = {
  ...(await measureTools()),
  ...(await measureStore()),
  ...(await measureRecallSpeed()),
  ...measureRecallQuality(),
  ...context,
  ...(await measureReference(context)),
  ...(await measureSessions()),
  ...(await measureTurn()),
  ...(await measureBilling()),
  ...measureSizes(),
  // The package of these sizes.
  ...(await measureActivation()),
};

const folder = path.resolve(import.meta.dirname);
fs.writeFileSync(path.join(folder, 'results.json'), JSON.stringify(results, undefined, 2) + '\n');
fs.writeFileSync(path.join(folder, 'results.md'), markdown());
console.log(markdown());

function markdown(): string {
  const rows = Object.entries(results).map(
    ([name, { value, unit }]) => `| ${name} | ${value} ${unit} |`,
  );
  return `# Results of \`npm run bench\`

${os.availableParallelism()} cores, Node ${process.versions.node}, ${process.platform}. Times are medians and vary with the
machine and its load. Where the environment variable REFERENCE_DIR names a checkout of the reference, learn-claude-code
(shareAI-lab/learn-claude-code) and python3 is there, its compaction is measured in the same run.
Where RECALL_DATA names a folder of labelled sets, so is how well the right memory is found.

| what | result |
| --- | --- |
${rows.join('\n')}
`;
}
