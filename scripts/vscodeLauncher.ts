// Stands in for the desktop `code` program where there is none: takes its test arguments, runs the VS Code server
// with a browser window on it, prints the tests' report, and ends with their exit code.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { launchChromium } from './chromium.ts';
import { SCREENSHOTS } from './places.ts';
import { linkExtensions, startServerProcess } from './serverProcess.ts';

/** All suites together; a hanging one is cut off with a picture of the window. */
const LIMIT_MS = Number(process.env['VSCODE_TEST_TIMEOUT_MS'] ?? 300_000);
/** Shows VS Code's own log too. */
const VERBOSE = Boolean(process.env['VSCODE_TEST_VERBOSE']);
/** test/host/index.ts puts it before each line of the report. */
const REPORT = '[test] ';
/** What VS Code logs as errors in every offline run. */
const USUAL_ERRORS = /^Canceled|ENOTFOUND|Service Worker|authentication provider/;

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-host-'));
process.exitCode = await launch(parseArguments(process.argv.slice(2)));
fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

interface Launch {
  /** Folders of extensions under development. */
  readonly extensions: readonly string[];
  readonly tests: string | undefined;
  readonly workspace: string | undefined;
}

/** Reads what `runTests` passes. The desktop's other switches mean nothing here. */
function parseArguments(args: readonly string[]): Launch {
  const valuesOf = (name: string) =>
    args.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));
  return {
    extensions: valuesOf('extensionDevelopmentPath'),
    tests: valuesOf('extensionTestsPath')[0],
    workspace: args.find((arg) => !arg.startsWith('-')),
  };
}

/** Resolves with the exit code. */
async function launch({ extensions, tests, workspace }: Launch): Promise<number> {
  // The window takes one extension under development. VS Code finds the others like installed ones.
  const [main, ...others] = extensions;
  linkExtensions(home, others);
  const server = await startServerProcess({
    home,
    testDriver: true,
    onOutput: (text) => {
      if (VERBOSE) process.stderr.write(text);
    },
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const result = Promise.withResolvers<number>();
    await listenToTests(page, result);
    const payload = [
      ...(main ? [['extensionDevelopmentPath', server.remoteUri(main)] as const] : []),
      ...(tests ? [['extensionTestsPath', server.remoteUri(tests)] as const] : []),
    ];
    await page.goto(server.windowUrl(workspace, payload), { waitUntil: 'commit' });
    return await Promise.race([result.promise, server.crashed, interruption(), tooLate(page)]);
  } catch (error) {
    console.error(error);
    return 2;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** A window under test calls these two functions of its page: for each log line, and at the end. */
async function listenToTests(page: Page, result: PromiseWithResolvers<number>): Promise<void> {
  const errors: string[] = [];
  let reported = false;
  await page.exposeFunction('codeAutomationLog', (level: string, args: unknown[]) => {
    const text = args.map((a) => (typeof a === 'string' ? a : JSON.stringify(a))).join(' ');
    if (text.startsWith(REPORT)) {
      reported = true;
      console.log(text.slice(REPORT.length));
    } else if (VERBOSE) console.error(level, text);
    else if (level === 'error' && !USUAL_ERRORS.test(text)) errors.push(text);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    // Suites that did not load leave nothing but VS Code's log.
    if (code !== 0 && !reported) console.error(errors.slice(-5).join('\n'));
    result.resolve(code);
  });
  page.once('crash', () => result.reject(new Error('The VS Code window crashed.')));
  page.once('close', () => result.reject(new Error('The VS Code window closed.')));
}

function interruption(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve(130));
  });
}

async function tooLate(page: Page): Promise<never> {
  await setTimeout(LIMIT_MS, undefined, { ref: false });
  await page.screenshot({ path: path.join(SCREENSHOTS, 'host-tests.png') });
  throw new Error(`The tests did not end in ${LIMIT_MS / 1000} s; see ${SCREENSHOTS}.`);
}
