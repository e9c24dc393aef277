import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBash } from '../../../../src/agent/tools/bash.ts';
import { CANCELLED_RESULT, runToolCall } from '../../../../src/agent/tools.ts';
import { Archive } from '../../../../src/context/archive.ts';
import { diskWorkspace } from '../../../support/diskWorkspace.ts';
import { readTree, useTempFolder, writeTree } from '../../../support/tempFolder.ts';
import { runTool } from '../../../support/workspaceRun.ts';

const NEVER = new AbortController().signal;
const IN_THE_FILE =
  /\[The whole output \((\d+) characters\) is in (\.task_outputs\/tool-results\/[0-9a-f]{32}\.txt); read it with read_file, offset and limit\.\]/;

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

  it('refuses a wrong input before anybody is asked about it', async () => {
    const preview = async (input: unknown) => bashOver(root.path).preview?.(input, NEVER);
    await assert.rejects(preview({}), /Invalid input for bash: .*command/s);
    assert.equal(await preview({ command: 'touch made' }), undefined);
    assert.deepEqual(await readTree(root.path), {});
  });

  it('removes colours, and cuts long lines and long output', async () => {
    assert.equal(await bash(String.raw`printf '\033[31mred\033[0m\r\n'`), 'red\n[Exit code 0]');
    const line = await bash('head -c 5000 /dev/zero | tr "\\0" x');
    assert.equal(line, `${'x'.repeat(2_000)} [... 3000 more characters]\n[Exit code 0]`);
    const long = await bash('seq 1 100000');
    assert.ok(long.length < 30_200, String(long.length));
    assert.match(long, /^1\n2\n[^]*characters left out[^]*\n100000\n\[Exit code 0\]$/);
  });

  it('says on Stop what was printed, for whoever still listens', async () => {
    const stop = new AbortController();
    const running = runTool(
      root.path,
      'bash',
      { command: 'echo begun; echo > begun; sleep 1000' },
      stop.signal,
    );
    await appears('begun');
    stop.abort();
    assert.equal(
      await running,
      'begun\n[Stopped by the user. The command and all it had started were ended.]',
    );
  });

  it('does nothing when it is stopped before it begins', async () => {
    const call = {
      type: 'tool_use',
      id: 'c1',
      name: 'bash',
      input: { command: 'echo > a' },
    } as const;
    const result = await runToolCall([bashOver(root.path)], call, AbortSignal.abort());
    assert.deepEqual(result.content, [{ type: 'text', text: CANCELLED_RESULT }]);
    assert.deepEqual(await readTree(root.path), {});
  });

  describe('over an archive', () => {
    const archive = () => new Archive({ root: root.path, pointers: 'relative' });
    const kept = (command: string, more: Record<string, unknown> = {}, signal = NEVER) =>
      createBash({ workspace: diskWorkspace([root.path]), archive }).run(
        { command, ...more },
        signal,
      );
    const numbers = (last: number) =>
      Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('');

    it('makes no file of what a result holds', async () => {
      await kept('seq 1 5000');
      assert.deepEqual(await readTree(root.path), {});
    });

    it('keeps the whole of a long output where read_file finds it, and git and others do not', async () => {
      const [, chars, pointer = ''] = IN_THE_FILE.exec(await kept('seq 1 20000')) ?? [];
      assert.equal(Number(chars), numbers(20_000).length);
      assert.equal((await readTree(root.path))[pointer], numbers(20_000));
      const page = await runTool(root.path, 'read_file', {
        path: pointer,
        offset: 15_000,
        limit: 2,
      });
      assert.match(page, /\n15000\n15001$/);
      assert.equal((await fs.stat(path.join(root.path, pointer))).mode & 0o777, 0o600);
      assert.equal((await readTree(root.path))['.task_outputs/.gitignore'], '*\n');
      await archive().removeAll();
      assert.deepEqual(Object.keys(await readTree(root.path)), ['.task_outputs/.gitignore']);
    });

    it('keeps a line that is cut, and colours and line ends as they came', async () => {
      const text = await kept(
        String.raw`printf '\033[31m'; head -c 3000 /dev/zero | tr '\0' x; printf '\r\n'`,
      );
      const [, chars, pointer = ''] = IN_THE_FILE.exec(text) ?? [];
      assert.equal(chars, '3007');
      assert.equal((await readTree(root.path))[pointer], `\u001b[31m${'x'.repeat(3_000)}\r\n`);
    });

    it('keeps what was printed up to the time limit, and up to Stop', async () => {
      const command = 'seq 1 20000; echo > printed; sleep 1000';
      const late = await kept(command, { timeout_ms: 500 });
      assert.match(late, /\n\[Timed out after 500 ms\..*\]$/);
      await fs.rm(path.join(root.path, 'printed'));
      const stop = new AbortController();
      const running = kept(command, {}, stop.signal);
      await appears('printed');
      stop.abort();
      const stopped = await running;
      assert.match(stopped, /\n\[Stopped by the user\..*\]$/);
      for (const text of [late, stopped]) {
        const pointer = IN_THE_FILE.exec(text)?.[2] ?? '';
        assert.equal((await readTree(root.path))[pointer], numbers(20_000));
      }
    });

    it('says why the rest could not be kept, and lets the command end', async () => {
      await writeTree(root.path, { '.task_outputs': 'not a folder' });
      const text = await kept('seq 1 20000; exit 3');
      assert.match(
        text,
        /^1\n2\n[^]*\n20000\n\[The whole output could not be kept: .*\.task_outputs.*not a folder.*\]\n\[Exit code 3\]$/,
      );
    });

    it('says how much is missing when the file is gone meanwhile', async () => {
      const file = '.task_outputs/tool-results/*.txt';
      const isWhole = `[ "$(cat ${file} 2> /dev/null | wc -c)" -eq 108894 ]`;
      const text = await kept(
        `seq 1 20000; until ${isWhole}; do sleep 0.01; done; rm ${file}; seq 1 20000; echo end`,
      );
      assert.match(
        text,
        /\[The first 108894 characters of the output are in \S+\.txt; read it .*\. The 108898 after them could not be kept: .*\]\n\[Exit code 0\]$/,
      );
    });
  });

  describe('that only reads', () => {
    const onlyReads = async (input: unknown, folder = root.path) =>
      bashOver(folder).onlyReads?.(input);

    it('is known by its command', async () => {
      await writeTree(root.path, { 'a.txt': '' });
      assert.equal(await onlyReads({ command: 'ls && cat a.txt' }), true);
      assert.equal(await onlyReads({ command: 'ls; rm a.txt' }), false);
    });

    it('is never one that cannot be looked into', async () => {
      await fs.symlink('loop', path.join(root.path, 'loop'));
      assert.equal(await onlyReads({ command: 'cat loop' }), false);
      for (const input of [undefined, 'ls', {}, { command: 5 }, { command: 'ls', shell: 'x' }])
        assert.equal(await onlyReads(input), false);
    });
  });

  function bashOver(folder: string) {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    return createBash({ workspace: diskWorkspace([folder]), shell: { env } });
  }

  async function appears(name: string): Promise<void> {
    while (
      await fs.access(path.join(root.path, name)).then(
        () => false,
        () => true,
      )
    )
      await sleep(10);
  }
});
