// Text from memories made safe to show: VS Code turns [text](link) into links and $(name) into icons in
// notifications and pick lists, and renders Markdown in hovers. No 'vscode' import, so it is tested without a host.

/** Characters that act rather than show: controls, and marks that reverse the reading direction. */
const ACTING_CHARACTERS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A notification shows about two lines before it has to be unfolded. */
export const NOTIFICATION_CHARS = 120;

/** Invisible and without width: it parts `](` and `$(`, which VS Code looks for, and changes nothing to see. */
const WORD_JOINER = '\u2060';

/** One line that shows as it is written: no links, no icons, no line breaks. */
export function plainLine(text: string): string {
  return text
    .replace(ACTING_CHARACTERS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\]\(/g, `]${WORD_JOINER}(`)
    .replace(/\$\(/g, `$${WORD_JOINER}(`);
}

/** `text` in at most `limit` visible characters, with an ellipsis where something was cut. */
export function shorten(text: string, limit: number): string {
  // A visible character can be several code units; far more than needed is enough to look at.
  const characters = [...new Intl.Segmenter().segment(text.slice(0, limit * 16))].map(
    (part) => part.segment,
  );
  if (characters.length <= limit && text.length <= limit * 16) return text;
  return `${characters
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}

/** Markdown that shows `text` as it is written, line by line: every mark is escaped, bare addresses too. */
export function plainMarkdown(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const shown = line.replace(ACTING_CHARACTERS, ' ').trimEnd();
      // Four spaces at the start of a line would make a code block.
      const indent = shown.length - shown.trimStart().length;
      const escaped = shown.trimStart().replace(/[!-/:-@[-`{-~]/g, '\\$&');
      return '&nbsp;'.repeat(indent) + escaped;
    })
    .join('  \n');
}

/** The first lines of a text, and an ellipsis when there are more. */
export function excerpt(text: string, limits: { lines: number; characters: number }): string {
  const lines = text.trim().split(/\r\n|\r|\n/);
  const head = lines.slice(0, limits.lines).join('\n');
  const cut = shorten(head, limits.characters);
  return cut === head && lines.length > limits.lines ? `${head}\n…` : cut;
}
