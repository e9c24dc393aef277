// Where a Markdown text may be taken apart: at its headings and blank lines, never inside fenced code or an HTML
// comment. Headings are those that begin with #; an underlined one only keeps its text together.

import { tidyBody } from '../fieldText.ts';

export interface MarkdownLine {
  /** With its line end, so that the lines together are the text. */
  readonly text: string;
  readonly heading?: Heading;
  /** A blank line between two blocks. */
  readonly blank: boolean;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

/** What stands below one heading, the deeper headings included. */
interface Section {
  /** None for what stands before the first heading. */
  readonly heading?: string;
  /** Tidy; empty where only a heading is. */
  readonly body: string;
}

/** Deeper headings do not begin a section: what is that small means little alone. */
const SECTION_LEVEL = 2;

/** The sections of a text, each from one heading of level 1 or 2 to the next. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: { heading?: string; lines: string[] }[] = [{ lines: [] }];
  for (const line of markdownLines(text.replaceAll('\r\n', '\n'))) {
    if (line.heading && line.heading.level <= SECTION_LEVEL)
      sections.push({ heading: line.heading.title, lines: [] });
    else sections.at(-1)?.lines.push(line.text);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, body: tidyBody(lines.join('')) }));
}

export function markdownLines(text: string): readonly MarkdownLine[] {
  let fence = '';
  let comment = false;
  return linesOf(text).map((text): MarkdownLine => {
    const mark = FENCE.exec(text);
    if (fence !== '') {
      if (closes(mark, fence)) fence = '';
    } else if (comment) {
      comment = !text.includes('-->');
    } else if (mark?.groups?.['mark'] !== undefined) {
      fence = mark.groups['mark'];
    } else if (/^ {0,3}<!--/.test(text)) {
      comment = !text.includes('-->');
    } else {
      const heading = headingOf(text);
      return { text, blank: text.trim() === '', ...(heading && { heading }) };
    }
    return { text, blank: false };
  });
}

/** The lines with their line ends. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Behind backticks that open code no backtick may follow in the line, or they are a code span. */
const FENCE = /^ {0,3}(?<mark>`{3,}(?=[^`]*$)|~{3,})(?<info>.*)/;

function closes(mark: RegExpExecArray | null, fence: string): boolean {
  const { mark: closing = '', info = '' } = mark?.groups ?? {};
  return closing.startsWith(fence) && info.trim() === '';
}

function headingOf(line: string): Heading | undefined {
  const found = /^ {0,3}(?<marks>#{1,6})(?:[ \t]+(?<title>.*))?$/.exec(line.trimEnd());
  if (!found) return undefined;
  const { marks = '', title = '' } = found.groups ?? {};
  // Closing marks count only with a space in front, or alone: `C#` keeps its own.
  const bare = title.replace(/(?<!#)#+$/, '');
  return { level: marks.length, title: (/^$|[ \t]$/.test(bare) ? bare : title).trim() };
}
