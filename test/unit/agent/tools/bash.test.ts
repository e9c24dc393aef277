import assert from 'node:assert/strict';
import { useTempFolder } from '../../../support/tempFolder.ts';
import { runTool } from '../../../support/workspaceRun.ts';

describe('bash', function () {
  if (process.platform === 'win32') return;
  const root = useTempFolder();
  const bash = (command: string, more: Record<string, unknown> = {}) =>
    runTool(root.path, 'bash', { command, ...more });

  it('returns the output and how the command ended, failed or not', async () => {
    assert.equal(await bash('pwd'), `${root.path}\n[Exit code 0]`);
    assert.equal(await bash('echo no >&2; exit 7'), 'no\n[Exit code 7]');
    assert.equal(await bash('true'), '[Exit code 0]');
    assert.equal(await bash('kill -TERM $$'), '[Ended by SIGTERM]');
  });

  it('names what runs on in the background', async () => {
    const text = await bash('sleep 1000 > /dev/null 2>&1 & echo $!');
    const [, pid] =
      /^(\d+)\n\[Still running in the background: process \1\]\n\[Exit code 0\]$/.exec(text) ?? [];
    assert.ok(pid !== undefined, text);
    process.kill(Number(pid), 'SIGKILL');
  });

  it('returns what was printed when time is up', async () => {
    assert.equal(
      await bash('echo begun; sleep 1000', { timeout_ms: 300 }),
      'begun\n[Timed out after 300 ms. The command and all it had started were ended.]',
    );
  });

  it('refuses a time limit over ten minutes', async () => {
    await assert.rejects(bash('true', { timeout_ms: 600_001 }), /timeout_ms/);
  });

  it('removes colours, and cuts long lines and long output', async () => {
    assert.equal(await bash(String.raw`printf '\033[31mred\033[0m\r\n'`), 'red\n[Exit code 0]');
    const line = await bash('head -c 5000 /dev/zero | tr "\\0" x');
    assert.equal(line, `${'x'.repeat(2_000)} [... 3000 more characters]\n[Exit code 0]`);
    const long = await bash('seq 1 100000');
    assert.ok(long.length < 30_200, String(long.length));
    assert.match(long, /^1\n2\n[^]*characters left out[^]*\n100000\n\[Exit code 0\]$/);
  });

  it('throws when it is stopped', async () => {
    const run = runTool(root.path, 'bash', { command: 'sleep 1000' }, AbortSignal.timeout(100));
    await assert.rejects(run, /timeout|abort/i);
  });
});
