// The plain text of a record's fields, whatever the file held.

/** Text of a plain value on one line; empty for anything else. */
export function oneLine(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return '';
  return String(value)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** A body with `\n` line ends and no blank lines around it. The indent of its first line is kept. */
export function tidyBody(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** The first line of a tidy body without the marks of a heading, list or quote. */
export function headline(body: string): string {
  return oneLine(body.split('\n', 1)[0]?.replace(/^[#>*\s-]+/, ''));
}

/** A date in any form that `Date` reads, as ISO text in UTC. */
export function isoDate(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
