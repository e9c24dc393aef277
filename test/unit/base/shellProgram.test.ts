import assert from 'node:assert/strict';
import { shellProgram } from '../../../src/base/shellProgram.ts';

const CMD = { ComSpec: String.raw`C:\Windows\System32\cmd.exe` };
const POWERSHELL = { ComSpec: String.raw`C:\Program Files\PowerShell\7\pwsh.exe` };

describe('the program of a command', () => {
  it('is bash, which gets the command as it is', () => {
    const command = `echo "a" 'b' %c% & 문서\nls`;
    for (const platform of ['linux', 'darwin'] as const) {
      assert.deepEqual(shellProgram(command, platform, CMD), {
        file: 'bash',
        args: ['-c', command],
        isVerbatim: false,
      });
    }
  });

  it('is on Windows what ComSpec names, and gets quotes, percents, joins and letters as they are', () => {
    const command = String.raw`echo "a b" %PATH% & dir "문서" ^& type C:\x`;
    assert.deepEqual(shellProgram(command, 'win32', CMD), {
      file: CMD.ComSpec,
      args: ['/d', '/s', '/c', `"chcp 65001>nul & ${command}"`],
      isVerbatim: true,
    });
  });

  it('is PowerShell where that is the shell or none is named, with one argument for Node to quote', () => {
    const command = `Get-Item "a b" | % { $_ } & '문서'\nls`;
    const args = ['-NoProfile', '-NonInteractive', '-Command', command];
    for (const [env, file] of [
      [POWERSHELL, POWERSHELL.ComSpec],
      [{}, 'powershell.exe'],
    ] as const) {
      assert.deepEqual(shellProgram(command, 'win32', env), { file, args, isVerbatim: false });
    }
  });

  it('does not let cmd.exe run the first of several lines alone', () => {
    assert.throws(() => shellProgram('dir\ndel x', 'win32', CMD), /one line at a time.*"&&"/);
    assert.throws(() => shellProgram('dir\r\ndel x', 'win32', CMD), /one line at a time/);
    assert.equal(shellProgram('dir\n', 'win32', CMD).args.at(-1), '"chcp 65001>nul & dir"');
  });
});
