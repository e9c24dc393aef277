// How long VS Code waits for the extension when it starts, by its own account ("Developer: Startup Performance"): in
// windows that are opened one after the other. Only where the tests have installed a VS Code.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { CACHE } from '../scripts/places.ts';
import { EXTENSION_ID } from '../src/manifest.ts';
import { startSession, type Session } from '../test/e2e/session.ts';
import type { Results } from './bench.ts';
import { quantile } from './median.ts';

const WINDOWS = 7;
/** So that the whole account is in sight, which is about 200 lines long. */
const VIEWPORT = { width: 1_800, height: 5_000 };

/** The extension must be packed. */
export async function measureActivation(): Promise<Results> {
  if (!fs.existsSync(path.join(CACHE, 'vscode-server'))) return {};
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-bench-'));
  const session = await startSession({ viewport: VIEWPORT, env: { ANTHROPIC_API_KEY: '' } });
  try {
    const loads: number[] = [];
    const calls: number[] = [];
    for (let window = 0; window < WINDOWS; window++) {
      const { load, call } = await activationOf(session, folder);
      loads.push(load);
      calls.push(call);
    }
    return {
      'start in VS Code: reading the code': median(loads),
      'start in VS Code: activate()': median(calls),
    };
  } finally {
    await session.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function activationOf(
  session: Session,
  folder: string,
): Promise<{ readonly load: number; readonly call: number }> {
  const window = await session.openWindow(folder);
  await window.runCommand('perfview.show', 'Developer: Startup Performance');
  const account = window.editorShowing(new RegExp(EXTENSION_ID));
  await account.waitFor();
  const text = (await account.innerText()).replaceAll('\u00a0', ' ');
  await window.page.context().close();
  // | id | eager | load code | call activate | …
  const row = new RegExp(`\\| ${EXTENSION_ID} +\\| \\w+ +\\| (\\d+) +\\| (\\d+) +\\|`).exec(text);
  if (!row) throw new Error('VS Code tells nothing of the activation of the extension.');
  return { load: Number(row[1]), call: Number(row[2]) };
}

function median(times: readonly number[]): Results[string] {
  return {
    value: quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    ),
    unit: 'ms',
  };
}
