// Where a Markdown text points to: the addresses of its links, images and definitions, and the names in its wiki links.
// Fenced code and code spans are passed over, since what stands there is shown and leads nowhere. Pure.

export interface MarkdownLink {
  /** `[text](address)` and `[label]: address`, or `[[name]]`. */
  readonly kind: 'address' | 'wiki';
  /** Where the target stands in the text: without brackets, title, alias, and what follows a `#` or `?`. */
  readonly start: number;
  readonly end: number;
  /** What is meant: without escapes and percent codes. */
  readonly target: string;
}

/** Characters. Longer than any file name with its percent codes; bounds the work on a hostile text. */
const MAX_ADDRESS = 1_000;
/** Levels of parentheses in an address, as readers of Markdown take them; more would be read again at each. */
const MAX_PARENTHESES = 32;

/** In the order in which they stand. */
export function linksIn(markdown: string): readonly MarkdownLink[] {
  return blocksIn(markdown).flatMap(({ start, end }) => {
    const found = linksInBlock(markdown.slice(start, end));
    return found.map((link) => ({ ...link, start: start + link.start, end: start + link.end }));
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const LINE = /[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g;
/** Behind the marks of quotations and lists. */
const FENCE = /^((?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*)(`{3,}(?![^`\r\n]*`)|~{3,})/;

/** The stretches between blank lines and fenced code: no code span and no link leads out of one. */
function blocksIn(markdown: string): readonly Span[] {
  const blocks: Span[] = [];
  let fence: { readonly mark: string; readonly isQuoted: boolean } | undefined;
  let start = 0;
  for (const { 0: line, index } of markdown.matchAll(LINE)) {
    const isQuoted = /^[ \t]*>/.test(line);
    // A quotation that ends takes the code in it along.
    if (fence?.isQuoted && !isQuoted) fence = undefined;
    if (fence) {
      if (closes(line, fence.mark)) fence = undefined;
      start = index + line.length;
      continue;
    }
    const [, , mark] = FENCE.exec(line) ?? [];
    if (mark === undefined && line.trim() !== '') continue;
    blocks.push({ start, end: index });
    start = index + line.length;
    if (mark !== undefined) fence = { mark, isQuoted };
  }
  if (!fence) blocks.push({ start, end: markdown.length });
  return blocks.filter(({ start, end }) => start < end);
}

function closes(line: string, mark: string): boolean {
  const text = line.replace(/^[ \t>]+/, '').trimEnd();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

const ESCAPE = /\\[!-/:-@[-`{-~]/y;
const BACKTICKS = /`+/y;
const WIKI = /\[\[([^[\]|#\\\r\n]+)(?:\\?[|#][^[\]\r\n]*)?\]\]/y;
const DEFINITION = /(?<=^[ \t>]*)\[(?:[^[\]\\\r\n]|\\.){1,999}\]:[ \t]*/my;
const BRACKETED = /<((?:\\.|[^<>\\\r\n])*)>/y;
/** Behind the address: perhaps a title, and the end. */
const LINK_END =
  /\s*(?:(?<=\s)(?:"(?:\\.|[^"\\]){0,300}"|'(?:\\.|[^'\\]){0,300}'|\((?:\\.|[^()\\]){0,300}\))\s*)?\)/y;

function linksInBlock(block: string): readonly MarkdownLink[] {
  const links: MarkdownLink[] = [];
  const codeEnds = codeSpansIn(block);
  let opened = 0;
  let at = 0;
  while (at < block.length) {
    const character = block.charAt(at);
    const wiki = character === '[' ? matchAt(WIKI, block, at) : undefined;
    const definition = character === '[' ? matchAt(DEFINITION, block, at) : undefined;
    if (character === '\\') {
      at += matchAt(ESCAPE, block, at)?.[0].length ?? 1;
    } else if (character === '`') {
      at = codeEnds.get(at) ?? at + (matchAt(BACKTICKS, block, at)?.[0].length ?? 1);
    } else if (wiki) {
      const [whole, written = ''] = wiki;
      const target = written.trim();
      const start = at + whole.indexOf(target, 2);
      links.push({ kind: 'wiki', start, end: start + target.length, target });
      at += whole.length;
    } else if (definition) {
      at += definition[0].length;
      const address = addressAt(block, at);
      if (address) links.push(address.link);
      at = address?.end ?? at;
    } else if (character === ']' && opened > 0 && block.charAt(at + 1) === '(') {
      opened -= 1;
      const start = at + 2 + (matchAt(/\s*/y, block, at + 2)?.[0].length ?? 0);
      const address = addressAt(block, start);
      const end = address && matchAt(LINK_END, block, address.end);
      if (end) links.push(address.link);
      at = end ? address.end + end[0].length : at + 2;
    } else {
      if (character === '[') opened += 1;
      if (character === ']' && opened > 0) opened -= 1;
      at += 1;
    }
  }
  return links.filter(({ target }) => target !== '');
}

/** The ends of code spans by their beginnings. One that is not closed is none. */
function codeSpansIn(block: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  /** Of the next run of each length. */
  const next = new Map<number, number>();
  const runs = [...block.matchAll(/`+/g)];
  for (const { 0: run, index } of runs.toReversed()) {
    const end = next.get(run.length);
    if (end !== undefined) ends.set(index, end);
    next.set(run.length, index + run.length);
  }
  return ends;
}

/** `end` is behind the whole address, its angle brackets included. */
function addressAt(
  block: string,
  at: number,
): { readonly link: MarkdownLink; readonly end: number } | undefined {
  const bracketed = matchAt(BRACKETED, block, at);
  const length = bracketed?.[1]?.length ?? bareLength(block, at);
  if (length === 0 || length > MAX_ADDRESS) return undefined;
  const start = bracketed ? at + 1 : at;
  const written = /^[^#?]*/.exec(block.slice(start, start + length))?.[0] ?? '';
  const target = decoded(written.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'));
  return {
    link: { kind: 'address', start, end: start + written.length, target },
    end: bracketed ? at + bracketed[0].length : at + length,
  };
}

/** Of an address without angle brackets: parentheses in it come in pairs. */
function bareLength(block: string, at: number): number {
  if (block.charAt(at) === '<') return 0;
  let depth = 0;
  let end = at;
  for (; end < block.length && end - at <= MAX_ADDRESS; end++) {
    const character = block.charAt(end);
    if (/[\s\p{Cc}]/u.test(character)) break;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(block.charAt(end + 1))) end += 1;
    else if (character === '(' && ++depth > MAX_PARENTHESES) return 0;
    else if (character === ')' && --depth < 0) break;
  }
  return end - at;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    // A percent sign that begins no code stands for itself.
    return address;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
