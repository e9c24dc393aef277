import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { ROOT } from '../../scripts/places.ts';

/** `npm start`, as far as it goes without a person at the window. */
describe('npm start', () => {
  let started: ChildProcess | undefined;
  after(() => started?.kill('SIGKILL'));

  it('says that a replay answers, serves a window, and ends on Ctrl+C', async () => {
    // No desktop VS Code on the path, and no key.
    const env = { ...process.env, PATH: path.dirname(process.execPath), ANTHROPIC_API_KEY: '' };
    const start = spawn(process.execPath, ['scripts/start.ts', '--port', '0'], { cwd: ROOT, env });
    started = start;
    const url = await addressIn(start);
    assert.match(url.said, /no model answers but a recorded replay/);
    const page = await fetch(url.address);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /workbench/);
    start.kill('SIGINT');
    const [code, signal] = await once(start, 'exit');
    assert.ok(signal === null && (code === 0 || code === 130), `ended with ${code ?? signal}`);
    await assert.rejects(fetch(url.address));
  });
});

/** What was printed up to the window's address, and the address. */
async function addressIn(start: ChildProcess): Promise<{ said: string; address: string }> {
  const found = Promise.withResolvers<{ said: string; address: string }>();
  let said = '';
  const read = (text: Buffer) => {
    said += text.toString();
    const address = /http:\/\/\S+/.exec(said)?.[0];
    if (address && said.includes('Press Ctrl+C')) found.resolve({ said, address });
  };
  start.stdout?.on('data', read);
  start.stderr?.on('data', read);
  start.once('exit', (code) => found.reject(new Error(`npm start ended with ${code}:\n${said}`)));
  return found.promise;
}
