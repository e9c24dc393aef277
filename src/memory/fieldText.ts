// The plain text of a record's fields, whatever the file held, and how two such texts are compared.

import { secretIn } from './secrets/secrets.ts';

/** Text of a plain value on one line; empty for anything else. */
export function oneLine(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return '';
  return String(value)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** The text as it is compared: case, width of characters and white space are no difference. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

/** Typography is no difference either: models straighten quotation marks and dashes, and drop a full stop. */
export function foldSentence(text: string): string {
  return fold(text)
    .replaceAll(/[‘’`]/gu, "'")
    .replaceAll(/[“”]/gu, '"')
    .replaceAll(/[‐-―−]/gu, '-')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<!['".。!?\s])['".。!?\s]+$/u, '')
    .replace(/^['"\s]+/u, '');
}

/** A body with `\n` line ends and no blank lines around it. The indent of its first line is kept. */
export function tidyBody(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** The first line of a tidy body without the marks of a heading, list or quote. */
export function headline(body: string): string {
  return oneLine(body.split('\n', 1)[0]?.replace(/^[#>*\s-]+/, ''));
}

/** At most so many characters: cut at a word, where one ends near, with an ellipsis. */
export function shortened(line: string, limit: number): string {
  const characters = Array.from(line);
  if (characters.length <= limit) return line;
  const cut = characters.slice(0, limit - 1).join('');
  // Scripts without spaces have no such place.
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A date as YAML and ISO 8601 write it, as ISO text in UTC. Anything else is no date, whatever `Date` makes of it. */
export function isoDate(value: unknown): string | undefined {
  const time = typeof value === 'string' && DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The same, and a day without a time means its end: what holds until a day holds on it too. */
export function isoDeadline(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && value.length === DAY_CHARS;
  return isoDate(isDay ? `${value}T23:59:59.999Z` : value);
}

/** A name as the log shows it: whatever a file or a model says, one short line without a secret. */
export function nameForLog(name: string): string {
  return secretIn(name) ? 'unnamed' : oneLine(name).slice(0, LOGGED_CHARS).toWellFormed();
}

const LOGGED_CHARS = 80;
const DAY_CHARS = 'yyyy-mm-dd'.length;
const DATE = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| ?[+-]\d\d:\d\d)?)?$/;
