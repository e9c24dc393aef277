// Mocha's usual report, and its counts in a file, which scripts/test.ts adds up over the layers.

import fs from 'node:fs';

import Mocha from 'mocha';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
}

/** Names the file for the counts. In the environment, since the tests run in another process. */
export const COUNTS_VARIABLE = 'MEMORY_AGENT_TEST_COUNTS';

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const counts: Counts = { passed: passes, failed: failures, pending };
      const file = process.env[COUNTS_VARIABLE];
      if (file) fs.writeFileSync(file, JSON.stringify(counts));
    });
  }
}

// oxlint-disable-next-line import/no-default-export -- Mocha takes a reporter by its file's default export.
export default CountingReporter;
