// Foreign text as Markdown code, so that nothing in it is rendered, runs out of its frame, or hides. No 'vscode'
// import, so it is tested without a host.

/**
 * Marks that reverse the reading direction or are invisible: code that looks other than it runs. Not the joiners
 * U+200C and U+200D, which emoji and Persian are written with.
 */
const HIDING_CHARACTERS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu;

/** A fenced block. The fence is longer than any in the text; what hides is shown by its code. */
export function codeBlock(text: string, language = ''): string {
  const shown = visible(text);
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Inline code of one line, cut to `limit` characters. */
export function codeSpan(text: string, limit = 100): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  const shown = line.length > limit ? `${line.slice(0, limit - 1).toWellFormed()}…` : line;
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
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}
