// What VS Code loads in its extension host: runs the suites that lie beside this file after the build.

import fs from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';

import Mocha from 'mocha';

import CountingReporter from '../../scripts/countingReporter.ts';

/** Marks the report's lines, so that the launcher can tell them from VS Code's own log. */
const PREFIX = '[test] ';

/** VS Code has no other way to tell of failed tests than a rejection. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    for (const line of format(...args).split('\n')) console.log(PREFIX + line);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 20_000,
    color: false,
    reporter: CountingReporter,
    ...(process.env['MOCHA_GREP'] ? { grep: process.env['MOCHA_GREP'] } : {}),
  });
  for (const file of fs.readdirSync(__dirname).toSorted()) {
    if (file.endsWith('.test.cjs')) mocha.addFile(path.join(__dirname, file));
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
