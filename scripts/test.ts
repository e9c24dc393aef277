// Runs every check and test, or the layers named as arguments, and counts: each check and each test is one.
// Goes on after a failure, so that one run tells all. The last line is `N passed, N failed`.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { chromiumPath } from './chromium.ts';
import { COUNTS_VARIABLE, type Counts } from './countingReporter.ts';
import { ROOT } from './places.ts';
import { vscodeServerEntry } from './vscodeServer.ts';

const LAYERS = ['check', 'unit', 'host', 'e2e', 'desktop'] as const;
type Layer = (typeof LAYERS)[number];
/** The desktop layer downloads a VS Code, which not every machine may. */
const USUAL_LAYERS: readonly Layer[] = ['check', 'unit', 'host', 'e2e'];

/** A check, or a run of tests; it belongs to the layers that need it. */
interface Part {
  readonly name: string;
  readonly layers: readonly Layer[];
  run(): Counts;
}

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/countingReporter.ts'];

/** As many at once as there are cores; Mocha by itself would leave one idle. */
const PARALLEL = ['--parallel', '--jobs', String(os.availableParallelism())];
/** Each has a VS Code and a browser of its own, and mostly waits for them. More would get too slow for their limits. */
const TWO_WINDOWS = ['--parallel', '--jobs', String(Math.min(2, os.availableParallelism()))];

const PARTS: readonly Part[] = [
  { name: 'format', layers: ['check'], run: () => check(bin('prettier'), '--check', '.') },
  { name: 'lint', layers: ['check'], run: () => check(bin('oxlint')) },
  { name: 'types', layers: ['check'], run: () => check(bin('tsc'), '-p', '.') },
  {
    name: 'unit tests',
    layers: ['unit'],
    // Each file of them stands for itself.
    run: () => tests(...MOCHA, ...PARALLEL, '--spec', 'test/unit/**/*.test.ts'),
  },
  { name: 'package', layers: ['host', 'e2e', 'desktop'], run: () => node('scripts/package.ts') },
  { name: 'host build', layers: ['host', 'desktop'], run: () => node('esbuild.mjs', 'tests') },
  { name: 'VS Code', layers: ['host', 'e2e'], run: installVscode },
  { name: 'host tests', layers: ['host'], run: () => tests('test/host/run.ts') },
  { name: 'desktop tests', layers: ['desktop'], run: () => tests('test/host/run.ts', 'desktop') },
  {
    name: 'end-to-end tests',
    layers: ['e2e'],
    // Starting VS Code takes up to a minute on a busy machine. A test that failed must not keep the run alive.
    run: () =>
      tests(
        ...MOCHA,
        ...TWO_WINDOWS,
        '--exit',
        '--timeout',
        '180000',
        // The longest first, so that none of them runs on alone at the end.
        '--spec',
        'test/e2e/*Faults.e2e.ts',
        '--spec',
        'test/e2e/!(*Faults).e2e.ts',
      ),
  },
];

const wanted = layersOf(process.argv.slice(2));
const summary: string[] = [];
const total = { passed: 0, failed: 0 };
for (const part of PARTS.filter(({ layers }) => layers.some((layer) => wanted.includes(layer)))) {
  console.log(`\n${part.name}`);
  const start = performance.now();
  const { passed, failed, pending } = part.run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  total.passed += passed;
  total.failed += failed;
  const skipped = pending > 0 ? `, ${pending} pending` : '';
  summary.push(`${part.name}: ${passed} passed, ${failed} failed${skipped} (${seconds} s)`);
}
console.log(`\n${summary.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function layersOf(args: readonly string[]): readonly Layer[] {
  if (args.length === 0) return USUAL_LAYERS;
  const layers = LAYERS.filter((layer) => args.includes(layer));
  if (layers.length < args.length) throw new Error(`The layers are: ${LAYERS.join(', ')}.`);
  return layers;
}

function bin(name: string): string {
  return path.join('node_modules', '.bin', name);
}

function check(command: string, ...args: string[]): Counts {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (error) console.error(error.message);
  return oneCheck(status === 0);
}

function node(...args: string[]): Counts {
  return check(process.execPath, ...args);
}

/** Installs what the window needs, so that its output does not stand among the tests. */
function installVscode(): Counts {
  try {
    console.log(vscodeServerEntry());
    console.log(chromiumPath());
    return oneCheck(true);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return oneCheck(false);
  }
}

/** Runs a program that ends with the counts in a file. One that ends without them has failed. */
function tests(...args: string[]): Counts {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-counts-'));
  const file = path.join(folder, 'counts.json');
  try {
    const { status } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, [COUNTS_VARIABLE]: file },
    });
    if (!fs.existsSync(file)) return oneCheck(false);
    const counts = JSON.parse(fs.readFileSync(file, 'utf8')) as Counts;
    return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function oneCheck(passed: boolean): Counts {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, pending: 0 };
}
