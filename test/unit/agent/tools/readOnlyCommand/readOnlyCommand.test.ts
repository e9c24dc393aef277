import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { isReadOnlyCommand } from '../../../../../src/agent/tools/readOnlyCommand/readOnlyCommand.ts';
import { rowsOf } from '../../../../support/tableRows.ts';
import { useTempFolder, writeTree } from '../../../../support/tempFolder.ts';

/** One on each line; a line break, and what cannot be seen, is written as in a string. */
const READ_ONLY = String.raw`
  ls
  ls -la
  ls -lahtr src
  ls --color=auto --sort=size src
  ls -- -x
  ls src;
  ls; pwd
  ls 2>/dev/null
  ls > /dev/null 2>&1
  ls 1>/dev/null || echo none
  ls link-inside
  ls 'b c.txt' "b c.txt" b\ c.txt
  ls 'it'"'"'s'
  ls "\"quoted\""
  cat a.txt
  cat -n a.txt | head -n 5 | tail -3
  cat '문서.md'
  cat missing.txt
  head -c 100 a.txt
  head -n5 a.txt src/x.ts
  tail -n +3 a.txt
  wc -l a.txt && wc --words a.txt
  pwd -P
  echo hello
  echo -n 'a > b; rm x' "and (this) | that & * ~"
  echo "50% of \$5, a \\ and a \. too"
  echo ---; ls; echo "--- src"
  echo -x --help ../secret /etc/passwd
  echo a=b c:d @e %f +g ^h i,j
  sort a.txt | uniq -c | sort -rn -k 2 -t ,
  sort -t, -k2 a.txt
  cut -d / -f 1 a.txt
  tr a-z A-Z
  nl -ba a.txt
  basename /usr/lib/x.ts .ts
  dirname /usr/lib/x.ts
  stat -c '%s %n' a.txt
  file --mime-type a.txt
  du -sh src
  du -h --max-depth=1
  diff -u a.txt src/x.ts
  cmp a.txt src/x.ts
  which node
  true || false
  date
  date -I
  date -Iseconds
  date -u +%Y-%m-%d
  date '+%H:%M %p'
  grep foo a.txt
  grep -rn "foo.*bar" src
  grep -rn foo src --include='*.ts'
  grep -E '^/usr|\.\./' -r .
  grep -e foo -e bar a.txt
  grep -f a.txt src/x.ts
  grep -5 foo a.txt
  grep -rn foo src --include=*.ts --exclude-dir=node_modules
  egrep 'a|b' a.txt
  fgrep '../' a.txt
  rg -n --hidden -g '*.ts' foo src
  rg --files src
  rg -tts 'a/b|../c'
  find
  find . -name '*.ts' -type f
  find src -maxdepth 2 -not -path './node_modules/*' -print
  find . \( -name '*.js' -o -name '*.ts' \) ! -empty
  find . -newer a.txt -mtime -1 -size +10k
  find src -type f -printf '%s %p\n' -quit
  find . -newermt '2024-01-01' -ls
  tree -L 2 -a src
  sed -n 1p a.txt
  sed -n '10,20p' a.txt
  sed -n "5p; 7,\$p" a.txt
  sed 20q a.txt
  cat a.txt | sed -n 1,5p
  jq . a.txt
  jq -r '.scripts["a b"][0].x_1' a.txt
  cat a.txt | jq '.a | keys'
  test -f a.txt && echo yes
  cd src
  cd src && ls -la | head
  cd src; cat x.ts
  cd ./src && grep -rn foo .
`;

const NOT_READ_ONLY = String.raw`
  rm a.txt
  touch x
  git
  sed -i 1d a.txt
  sed -n '1w x' a.txt
  sed '1e touch x' a.txt
  sed -n '1p;w x' a.txt
  sed -n /x/p a.txt
  sed s/a/b/w a.txt
  sed -f a.txt a.txt
  sed -n -e 1p a.txt
  sed 'w x' -e 1p
  sed -n 1p -i a.txt
  sed -n 1p ../secret
  sed -- 'w x'
  jq env a.txt
  jq '.a | env' a.txt
  jq '."\(env)"' a.txt
  jq -n input a.txt
  jq 'import "a" as a; .' a.txt
  jq . ../secret
  jq --slurpfile a ../secret . a.txt
  awk 1 a.txt
  node -e 1
  sh -c ls
  bash -c ls
  ls; rm a.txt
  ls;rm a.txt
  ls && rm a.txt
  ls || rm a.txt
  ls | rm a.txt
  ls | tee x
  ls | xargs rm
  ls & rm a.txt
  ls&rm a.txt
  ls &
  ls |& rm a.txt
  ls\nrm a.txt
  ls\rrm a.txt
  ls\r\nrm a.txt
  ls\u0000
  ls \\nrm
  ls\u00a0;rm a.txt
  ls\u2028rm a.txt
  ls \u202e
  ls \u200b
  ls\ta.txt
  ls \u001b[2J
  ls 문서.md
  ls à-x
  echo "문\" ; rm a.txt ; echo \"문\""
  echo "é\\"
  echo 'a\nrm a.txt'
  echo 'a\u00a0b'
  echo "a\u200bb"
  echo 'a\u202eb'
  echo 'a\u2028b'
  ls $(rm a.txt)
  ls "$(rm a.txt)"
  ls ${'`'}rm a.txt${'`'}
  ls "${'`'}rm a.txt${'`'}"
  ls $HOME
  ls "$HOME"
  ls ${'$'}{HOME}
  ls $'a'
  ls "\$$(rm a.txt)"
  ls <(rm a.txt)
  cat < a.txt
  cat <<< a
  cat << E
  echo a > b
  echo a>b
  echo a >> b
  echo a 2> b
  echo a &> b
  echo a >&b
  echo a >/dev/nullx
  echo a >/dev/null/../x
  echo a >/dev/tty
  echo a 3>/dev/null
  echo a >| b
  ls 'a.txt
  ls "a.txt
  ls a.txt\
  ls "a\
  ls *.ts
  ls ?.txt
  ls [ab].txt
  ls {a,b}
  ls ~
  ls ~root
  ls --sort=~
  ls a:~
  ls !$
  ! ls
  ls # comment
  ls (a)
  (ls)
  { ls; }
  ls ;; ls
  ls ; ; ls
  ; ls
  ls &&
  ls |
  ls || && ls
  f() { ls; }
  FOO=bar ls
  PATH=. ls
  if true; then ls; fi
  for x in a; do ls; done
  [ -f a.txt ]
  test a.txt -eq 1
  test a.txt = src
  test a.txt -ef src
  test -f ../secret
  test -v 'a[$(rm x)]'
  printf '%n' PATH
  printf -v PATH x
  eval ls
  exec ls
  source a.txt
  . a.txt
  command ls
  builtin echo
  env ls
  env
  sudo ls
  time ls
  nohup ls
  cd
  cd -
  cd ..
  cd /tmp && ls
  cd missing && ls
  cd link-folder && cat secret
  cd src && cat ../a.txt
  cd src && rm x.ts
  ls && cd src
  cd src && cd src
  cd -P src
  cd src && cat only-there
  cd src; cat link-outside
  export A=b
  alias ls=rm
  set -x
  /bin/ls
  ./ls
  bin/ls
  ../ls
  LS
  ''
  '' ls
  "l s"
  ls /
  ls /etc
  ls /etc/passwd
  ls ..
  ls ../
  ls ../secret
  ls src/../../secret
  ls src/..
  cat '../secret'
  cat "../secret"
  cat ..\/secret
  cat .'.'/secret
  cat link-outside
  cat link-folder/secret
  ls link-folder
  cat -- ../secret
  cat a.txt ../secret
  cat /dev/stdin
  cat /proc/self/environ
  head -n 1 ../secret
  wc ../secret
  cat --help
  cat --unknown
  ls -Z
  ls -L
  ls -RL
  ls --dereference
  ls --all=x
  ls --col=auto
  ls --=x
  which --=x
  head -n
  head -n --version
  head --lines
  tail -f a.txt
  tail -F a.txt
  tail -fn 1 a.txt
  tail --follow a.txt
  tail --retry a.txt
  tail +5f a.txt
  wc --files0-from=a.txt
  sort -o x a.txt
  sort a.txt -o x
  sort -ro x a.txt
  sort -ox a.txt
  sort --output=x a.txt
  sort --outp=x a.txt
  sort --compress-program=sh a.txt
  sort -T src a.txt
  sort --files0-from=a.txt
  sort -S 1b a.txt
  uniq a.txt b
  uniq -c a.txt b
  uniq -- a.txt b
  uniq - b
  date -s 12:00
  date --set=12:00
  date 01010101
  date -f a.txt
  date -r ../secret
  pwd x
  file -C -m a.txt
  file -f a.txt
  file -z a.txt
  du -L src
  du --files0-from=a.txt
  du -X a.txt
  diff a.txt ../secret
  diff -r src src
  diff src folder
  diff a.txt src
  diff -l a.txt src/x.ts
  diff --to-file=../secret a.txt
  cmp a.txt ../secret
  nl ../secret
  stat /etc/passwd
  grep foo ../secret
  grep foo a.txt ../secret
  grep -e foo ../secret
  grep ../secret -e foo
  grep foo a.txt -e /etc/passwd
  grep -f ../secret a.txt
  grep -f../secret a.txt
  grep --file=../secret a.txt
  grep --file=*.txt a.txt
  grep foo --include=../* -- a.txt --include=*
  cat -- --include=*
  cat a.txt -n
  cat a.txt --number
  grep foo a.txt -n
  grep foo a.txt -5
  cat a.txt --
  grep -R foo .
  grep --dereference-recursive foo .
  grep --devices=read foo a.txt
  rg --pre sh foo
  rg --pre=sh foo
  rg -z foo
  rg --search-zip foo
  rg --hostname-bin=sh foo
  rg -L foo
  rg --follow foo
  rg --ignore-file=../secret foo
  rg foo ../secret
  rg --files ../
  rg -f ../secret
  find . -delete
  find . -exec rm {} \;
  find . -exec rm '{}' ';'
  find . -execdir rm x +
  find . -ok rm x ';'
  find . -fprint x
  find . -fls x
  find . -fprintf x y
  find -L .
  find -H link-folder
  find . -follow
  find / -name x
  find .. -name x
  find link-folder
  find . -name
  find . -newer ../secret
  find . -samefile a.txt
  find -files0-from a.txt
  find . -name x ../secret
  tree -o x
  tree -ao x
  tree -Io out
  tree -R
  tree -l
  tree -L2
  tree --fromfile
  tree ..
  less a.txt
  more a.txt
  vi a.txt
  man ls
  xxd -r a.txt b
  dd of=x
  cp a.txt b
  mv a.txt b
  ln -s a b
  mkdir x
  curl http://x
  npm test
`;

describe('a shell command that only reads', function () {
  if (process.platform === 'win32') return;
  const root = useTempFolder();
  const workspace = () => path.join(root.path, 'workspace');

  beforeEach(async () => {
    await writeTree(root.path, {
      secret: 'outside',
      'folder/secret': 'outside',
      'workspace/a.txt': 'foo\n',
      'workspace/b c.txt': '',
      'workspace/src/x.ts': 'foo\n',
      'workspace/folder/x.ts': 'foo\n',
    });
    await fs.symlink('a.txt', path.join(workspace(), 'link-inside'));
    await fs.symlink('../secret', path.join(workspace(), 'link-outside'));
    await fs.symlink('../folder', path.join(workspace(), 'link-folder'));
    // Where a program takes no flags behind an operand, they are files.
    for (const name of ['-n', '-5', '--', '--number', 'src/only-there'])
      await fs.symlink(path.join(root.path, 'secret'), path.join(workspace(), name));
  });

  const PATH = '/usr/local/bin:/usr/bin:/bin';
  const judge = (command: string, more: Partial<Parameters<typeof isReadOnlyCommand>[1]> = {}) =>
    isReadOnlyCommand(command, { folders: [workspace()], env: { PATH }, ...more });

  for (const command of commandsOf(READ_ONLY)) {
    it(`may be ${JSON.stringify(command)}`, async () => {
      assert.equal(await judge(command), true);
    });
  }

  for (const command of commandsOf(NOT_READ_ONLY)) {
    it(`is not ${JSON.stringify(command)}`, async () => {
      assert.equal(await judge(command), false);
    });
  }

  it('may name what it reads by its whole path, in any workspace folder', async () => {
    const other = path.join(root.path, 'folder');
    assert.equal(await judge(`cat ${workspace()}/a.txt`), true);
    assert.equal(await judge(`cat ${other}/secret`), false);
    assert.equal(await judge(`cat ${other}/secret`, { folders: [workspace(), other] }), true);
    assert.equal(await judge('cat link-folder/secret', { folders: [workspace(), other] }), true);
  });

  it('is none on Windows, without a folder, or when it is longer than anybody writes', async () => {
    assert.equal(await judge('ls', { platform: 'win32' }), false);
    assert.equal(await judge('ls', { folders: [] }), false);
    assert.equal(await judge(`echo ${'x'.repeat(5_000)}`), false);
  });

  it('is none where a file of the workspace could stand for a program', async () => {
    for (const place of ['', '.', 'node_modules/.bin', workspace(), `${workspace()}/bin`]) {
      assert.equal(await judge('ls', { env: { PATH: `/usr/bin:${place}` } }), false, place);
    }
    assert.equal(await judge('ls', { env: {} }), false);
  });

  it('is none where a link leads the search for a program into the workspace, or out of it and back', async () => {
    const [elsewhere, linked] = [path.join(root.path, 'tools'), path.join(root.path, 'linked')];
    await fs.symlink(path.join(workspace(), 'src'), elsewhere);
    await fs.symlink(workspace(), linked);
    assert.equal(await judge('ls', { env: { PATH: `/usr/bin:${elsewhere}` } }), false);
    const env = { PATH: `/usr/bin:${workspace()}/src` };
    assert.equal(await judge('ls', { env, folders: [linked] }), false);
    assert.equal(await judge('ls', { env: { PATH: '/usr/bin:/missing' } }), true);
  });

  it('is none when a program of a small system, which follows links to files, goes into folders', async () => {
    const bin = path.join(root.path, 'bin');
    await writeTree(bin, { busybox: '' });
    await fs.symlink('busybox', path.join(bin, 'grep'));
    const env = { PATH: `${bin}:/usr/bin` };
    assert.equal(await judge('grep -rn foo .', { env }), false);
    assert.equal(await judge('grep -n foo a.txt', { env }), true);
  });

  it('goes nowhere where `cd` would look in other places', async () => {
    assert.equal(await judge('cd src && ls', { env: { PATH, CDPATH: '/etc' } }), false);
  });

  it('is none where a variable tells the shell or a program what else to do', async () => {
    for (const name of ['BASH_ENV', 'RIPGREP_CONFIG_PATH', 'POSIXLY_CORRECT'])
      assert.equal(await judge('ls', { env: { PATH, [name]: 'x' } }), false, name);
  });
});

function commandsOf(table: string): string[] {
  return rowsOf(table).map((line) =>
    line
      .replaceAll(/\\u([0-9a-f]{4})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
      .replaceAll(
        /\\([nrt])(?=$|rm|a\.txt|\\)/g,
        (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? '',
      ),
  );
}
