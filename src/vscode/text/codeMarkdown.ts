// Foreign text as Markdown code, so that nothing in it is rendered, runs out of its frame, or hides. No 'vscode'
// import, so it is tested without a host.

/**
 * Marks that reverse the reading direction or are invisible, and line breaks that are none in code: text that looks
 * other than it is. Not the joiners and the selectors of a form, which emoji, Persian and Mongolian are written with.
 */
const HIDING_CHARACTERS =
  /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu;

/** Characters of a span, which stands in a line of text. */
const MAX_SPAN = 100;
/** A path does not wrap, and the title of a question loses what comes after it. */
const MAX_PATH = 60;

/** A fenced block. The fence is longer than any in the text; what hides is shown by its code. */
export function codeBlock(text: string, language = ''): string {
  const shown = visible(text);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Inline code of one line, cut to `limit` characters. */
export function codeSpan(text: string, limit = MAX_SPAN): string {
  const line = oneLine(text);
  return span(line.length > limit ? `${line.slice(0, limit - 1).toWellFormed()}…` : line);
}

/** Inline code of a path. A long one is cut in the middle, since its end says most. */
export function pathSpan(path: string): string {
  const line = oneLine(path);
  const half = (MAX_PATH - 1) / 2;
  const start = line.slice(0, Math.floor(half)).toWellFormed();
  const end = line.slice(-Math.ceil(half)).toWellFormed();
  return span(line.length > MAX_PATH ? `${start}…${end}` : line);
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

function span(shown: string): string {
  if (shown === '') return '` `';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // Next to a backtick the fence needs a space, which Markdown takes away again.
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

interface Beginning {
  readonly text: string;
  /** 0 when the text is whole. */
  readonly linesLeftOut: number;
}

/** The first lines of a text. A last line that is too long by itself is cut, and counts as left out. */
export function beginning(
  text: string,
  limits: { readonly lines: number; readonly characters: number },
): Beginning {
  const lines = text.split('\n');
  // The line after the last line break is no line.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const head = lines.slice(0, limits.lines).join('\n');
  const cut =
    head.length > limits.characters ? head.slice(0, limits.characters).toWellFormed() : head;
  const whole =
    cut.length < head.length ? cut.split('\n').length - 1 : Math.min(limits.lines, count);
  return { text: cut, linesLeftOut: count - whole };
}

function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(HIDING_CHARACTERS, escaped)
    .replace(CONTROL_CHARACTERS, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
