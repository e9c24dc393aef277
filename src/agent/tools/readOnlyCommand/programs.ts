// The programs that only read, each with the flags that keep it so: in the versions of GNU, BSD and BusyBox, since
// nobody knows which one runs. Left out on purpose is what writes to a file (`sort -o`), runs a program
// (`rg --pre`), takes names from a file (`wc --files0-from`), follows links (`grep -R`) or never ends (`tail -f`).

import type { KnownFlags } from './commandArguments.ts';

export interface Program extends KnownFlags {
  /** Paths when left out. Text is never looked up on the disk; a format begins with a plus. */
  readonly operands?: 'text' | 'format';
  readonly mostOperands?: number;
  /** Its first operand is a pattern, unless one of these gives it. */
  readonly patternFlags?: readonly string[];
  /** What its patterns must be, where others could do more than look. */
  readonly patterns?: RegExp;
  /** Its flags that go into folders, and there, in small systems, follow links to files. */
  readonly recursiveFlags?: readonly string[];
  /** False when it would go into a folder, and follow the links there. */
  readonly takesFolders?: false;
}

const GREP: Program = {
  short: 'ivncloLwxhHqsrEFGPaIzZbA:B:C:m:e:f@',
  long:
    'ignore-case invert-match line-number count files-with-matches files-without-match only-matching ' +
    'word-regexp line-regexp no-filename with-filename quiet silent no-messages recursive extended-regexp ' +
    'fixed-strings basic-regexp perl-regexp text null byte-offset after-context= before-context= context= ' +
    'max-count= regexp= file@ include= exclude= exclude-dir= color? colour? binary-files=',
  takesNumber: true,
  patternFlags: ['-e', '-f', '--regexp', '--file'],
  recursiveFlags: ['-r', '--recursive'],
};

const RIPGREP: Program = {
  short: 'ivnclowxIHqsSFPUuaN0pA:B:C:m:e:f@g:t:T:M:d:j:r:',
  long:
    'ignore-case smart-case case-sensitive invert-match line-number no-line-number count count-matches ' +
    'files-with-matches files-without-match only-matching word-regexp line-regexp no-filename with-filename ' +
    'quiet no-messages fixed-strings pcre2 multiline multiline-dotall text null column heading no-heading ' +
    'trim vimgrep json stats hidden no-ignore no-ignore-vcs no-config files type-list unrestricted ' +
    'after-context= before-context= context= max-count= regexp= file@ glob= iglob= type= type-not= ' +
    'max-columns= max-depth= max-filesize= threads= replace= sort= sortr= color= encoding= engine=',
  patternFlags: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
};

/** `10,20p`, several of them joined by semicolons. */
const LINES = /^(\d+|\$)(,(\d+|\$))?[pqd]( *; *(\d+|\$)(,(\d+|\$))?[pqd])*;?$/;
/** `.scripts["a b"][0]`, or how many there are, or their names. */
const PLACE_IN_JSON =
  /^(\.|(\.[A-Za-z_]\w*|\."[\w @./-]*"|\.?\[("[\w @./-]*"|\d*)\])+)( *\| *(keys|length))?$/;

export const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['true', { mostOperands: 0 }],
  ['false', { mostOperands: 0 }],
  ['pwd', { short: 'LP', mostOperands: 0 }],
  ['date', { short: 'uRI?', long: 'utc universal rfc-email iso-8601?', operands: 'format' }],
  ['which', { short: 'a', operands: 'text' }],
  ['basename', { short: 'as:z', long: 'multiple suffix= zero', operands: 'text' }],
  ['dirname', { short: 'z', long: 'zero', operands: 'text' }],
  ['tr', { short: 'cCds', long: 'complement delete squeeze-repeats', operands: 'text' }],
  [
    'ls',
    {
      short: 'laAhtrS1RdFpisngoGcuxCmQXUv',
      long:
        'all almost-all human-readable recursive directory classify inode size reverse numeric-uid-gid ' +
        'no-group group-directories-first full-time sort= time= time-style= color? format= quoting-style=',
    },
  ],
  [
    'cat',
    {
      short: 'nbsETAvetu',
      long: 'number number-nonblank squeeze-blank show-all show-ends show-tabs',
    },
  ],
  ['head', { short: 'qvn:c:', long: 'lines= bytes= quiet silent verbose', takesNumber: true }],
  ['tail', { short: 'qvn:c:', long: 'lines= bytes= quiet silent verbose', takesNumber: true }],
  ['wc', { short: 'lwcmL', long: 'lines words bytes chars max-line-length' }],
  [
    'sort',
    {
      short: 'nrufbdiVhgMsczRk:t:',
      long:
        'numeric-sort reverse unique ignore-case ignore-leading-blanks dictionary-order version-sort ' +
        'human-numeric-sort general-numeric-sort month-sort stable check zero-terminated key= field-separator=',
    },
  ],
  // A second file would be written.
  [
    'uniq',
    {
      short: 'cduizf:s:w:',
      long: 'count repeated unique ignore-case zero-terminated skip-fields= skip-chars= check-chars=',
      mostOperands: 1,
    },
  ],
  [
    'cut',
    {
      short: 'sznd:f:c:b:',
      long: 'only-delimited complement delimiter= fields= characters= bytes= output-delimiter=',
    },
  ],
  ['nl', { short: 'pb:w:s:n:v:i:', long: 'body-numbering= number-width= number-separator=' }],
  ['stat', { short: 'tc:', long: 'terse format= printf=' }],
  ['file', { short: 'bi', long: 'brief mime mime-type mime-encoding' }],
  [
    'du',
    {
      short: 'shackmbxd:',
      long: 'summarize human-readable all total max-depth= apparent-size bytes one-file-system exclude=',
    },
  ],
  [
    'diff',
    {
      short: 'uqsbBwicaEZyU:C:W:',
      long:
        'brief report-identical-files ignore-space-change ignore-blank-lines ignore-all-space ignore-case ' +
        'text unified? context? side-by-side width= color? suppress-common-lines minimal',
      mostOperands: 2,
      takesFolders: false,
    },
  ],
  ['cmp', { short: 'lsbn:', long: 'verbose silent quiet print-bytes bytes=', mostOperands: 2 }],
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  ['rg', RIPGREP],
  // Lines by their numbers: its other commands write files and run programs. Without -e, as where flags have to
  // stand first the script would be another.
  [
    'sed',
    { short: 'nEr', long: 'quiet silent regexp-extended', patternFlags: [], patterns: LINES },
  ],
  // Places in the file: its functions read the environment, and other files.
  [
    'jq',
    {
      short: 'rcMSe',
      long: 'raw-output compact-output monochrome-output sort-keys exit-status',
      patternFlags: [],
      patterns: PLACE_IN_JSON,
    },
  ],
  // With more, it computes, and that can run commands.
  ['test', { short: 'defrswx', keepsLettersApart: true, mostOperands: 1 }],
  [
    'tree',
    {
      short: 'adfhspCDrtnL:I:P:',
      long: 'gitignore dirsfirst noreport prune du si',
      keepsLettersApart: true,
    },
  ],
]);
