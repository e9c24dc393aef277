// Finds what a text names that a project must have: files, folders, package scripts, make targets. Pure, and made
// to miss rather than to err: whatever could as well be an address, an example or another project's is left out.

export interface Reference {
  readonly kind: 'file' | 'folder' | 'script' | 'target';
  /** A path with `/`, relative to the project; or the name of a script or target. */
  readonly name: string;
}

/** Each reference once. */
export function referencesIn(text: string): readonly Reference[] {
  const found: Reference[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:`{3}|~{3})/.test(line)) fenced = !fenced;
    // Most of a block is not of this project; a command line is.
    else if (fenced) found.push(...inCode(commandOf(line)));
    else found.push(...line.split(SENTENCE_END).flatMap(inSentence));
  }
  return [...new Map(found.map((reference) => [keyOf(reference), reference])).values()];
}

/** Says itself that the thing is gone, is to be made, is elsewhere, or only shows how such a thing looks. */
const NOT_HERE =
  /(?<![\w./-])(?:not?|never|without|(?:re)?mov(?:ed?|ing)|remov\w+|delet\w+|renam\w+|replac\w+|gone|former(?:ly)?|previous(?:ly)?|used to|legacy|deprecated|obsolete|instead of|for (?:example|instance)|such as|creat\w+|generat\w+|writes?|saves?|outputs?|repo|repository)(?![\w/-]|\.\w)|n['’]t\b|\be\.g\.|已删|删除|刪除|不再|不要|没有|沒有|例如|比如|新建|创建|創建|生成|以前|仓库|倉庫/i;

const CODE_SPAN = /(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)/g;
/** Before a small letter a full stop seldom ends one: what says that a thing is gone must not be cut off from it. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}`])|(?<=[。！？])/u;

function inSentence(sentence: string): readonly Reference[] {
  const prose = sentence.replaceAll(CODE_SPAN, ' ');
  const code = [...sentence.matchAll(CODE_SPAN)].map(([, , inner]) => inner ?? '');
  const found = [...code.flatMap((inner) => inCode(inner.trim())), ...inProse(prose)];
  return found.length > 0 && NOT_HERE.test(prose) ? [] : found;
}

/** A fenced line without its prompt, when it is of two words or more. */
function commandOf(line: string): string {
  const command = line.trim().replace(/^[$>] /, '');
  return /\s/.test(command) ? command : '';
}

function inProse(text: string): readonly Reference[] {
  const paths = text
    .split(/[\s"'“”‘’()[\]<>|,;，。；、：（）「」]+/)
    // Scripts without spaces run into the path.
    .filter((word) => /^[\x21-\x7e]+$/.test(word))
    .flatMap((word) => pathReference(word, ['file']));
  return [...paths, ...scriptsIn(text)];
}

function inCode(code: string): readonly Reference[] {
  if (!/\s/.test(code)) return pathReference(code, ['file', 'folder']);
  // Where `cd` leads is not followed.
  const here = /\bcd\s/.test(code) ? [] : [...programsIn(code), ...targetsIn(code)];
  return [...here, ...scriptsIn(code), ...(/^npm test$/.test(code) ? [scriptNamed('test')] : [])];
}

const SCRIPT = /\b(?:npm|pnpm|yarn|bun) run(?:-script)? ([a-z\d][\w:.-]*)(?![\w:./*<{$-])/gi;

function scriptsIn(text: string): readonly Reference[] {
  return [...text.matchAll(SCRIPT)]
    .map(([, name]) => (name ?? '').replace(/[.:-]+$/, ''))
    .filter((name) => !/^(?:scripts?|commands?|tasks?)$/.test(name) && !hasExtension(name))
    .map(scriptNamed);
}

function scriptNamed(name: string): Reference {
  return { kind: 'script', name };
}

/** A target with a dot or a slash may be a file that a rule makes. */
function targetsIn(code: string): readonly Reference[] {
  return [...code.matchAll(/(?:^|&&|;)\s*make ([a-z][\w-]*)(?=\s|;|$)/gi)].map(([, name]) => ({
    kind: 'target',
    name: name ?? '',
  }));
}

const RUNNER =
  /^(?:node|deno run|bun|tsx|ts-node|python3?|bash|sh|zsh|ruby|php|perl|source)\s+(?:-\S+\s+)*(\S+)/;

/** What a command line runs: the program itself or the file given to an interpreter. */
function programsIn(code: string): readonly Reference[] {
  return code.split(/&&|;/).flatMap((part) => {
    const command = part.trim().replace(/^(?:[A-Z_]+=\S*\s+)+/, '');
    const given = RUNNER.exec(command)?.[1];
    return pathReference(given ?? command.split(/\s/, 1)[0] ?? '', ['file', 'folder']);
  });
}

/** Of files that people write by hand. */
const EXTENSIONS = new Set(
  `astro bash bat c cc cfg cjs clj cmake cmd conf cpp cs css csv cts cxx dart ex exs go gql gradle graphql h hcl hpp
  hs htm html ini ipynb java jl js json json5 jsonc jsx kt kts less lua md mdx mjs mk mts php pl proto ps1 py pyi rb
  rs rst sass scala scss sh sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zsh`.split(
    /\s+/,
  ),
);
/** Made by tools, so that they come and go. */
const GENERATED =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|te?mp|\.?venv|__pycache__|obj|\.cache|\.next|generated|logs?)(?:\/|$)/i;
const PLACEHOLDER = /(?:^|[/._-])(?:path\/to|foo|bar|baz|x{2,}|example|your|my|yyyy)(?:[/._-]|$)/i;
/** `Express/Node.js` is no path. */
const PRODUCT = /\/(?:node|next|nuxt|vue|react|express|three|d3|chart|ember|alpine|backbone)\.js$/i;
const SEGMENT = /^(?!-|\.{1,3}$)[\p{L}\p{M}\p{N}._@+-]+$/u;

/** A path of at least two parts; a single name could stand anywhere, and often names a thing of another place. */
function pathReference(word: string, kinds: readonly ('file' | 'folder')[]): readonly Reference[] {
  if (!word.includes('/')) return [];
  const name = word
    .replace(/^[*_]+|[.!?:*_]+$/g, '')
    .replace(/(?:#.*|(?::\d+(?:-\d+)?){1,2})$/, '')
    .replace(/^\.\/|\/$/g, '');
  const [first = '', ...others] = name.split('/');
  // A dot in the first part is that of a domain, an `@` begins a package or an alias.
  if (others.length === 0 || first.startsWith('@') || /^[^.]+\./.test(first)) return [];
  if (![first, ...others].every((segment) => SEGMENT.test(segment))) return [];
  if (GENERATED.test(name) || PLACEHOLDER.test(name) || PRODUCT.test(name)) return [];
  const kind = hasExtension(name) && !word.endsWith('/') ? 'file' : 'folder';
  return kinds.includes(kind) ? [{ kind, name }] : [];
}

function hasExtension(name: string): boolean {
  return EXTENSIONS.has(/[^/]\.([a-z\d]+)$/.exec(name)?.[1] ?? '');
}

function keyOf({ kind, name }: Reference): string {
  return `${kind} ${name}`;
}
