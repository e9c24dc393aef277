// A memory in the person's own words, made without asking a model: what `/remember` and New Memory save.
// A secret in them becomes no memory, whoever wrote it.

import { SecretError } from './change.ts';
import {
  MAX_DESCRIPTION,
  MEMORY_TYPES,
  slugFor,
  type MemoryType,
  type NewRecord,
} from './record.ts';
import { isOnlyRedacted, secretIn } from './secrets/secrets.ts';

/** Enough words to tell memories apart, few enough for a file name. */
const NAME_WORDS = 6;
/** Scripts that put no spaces between words: so many characters stand for a name. */
const NAME_CHARS = 40;

/** Words that open many requests and say nothing about what is remembered. */
const OPENING = /^(?:please\s+)?(?:remember|note|keep in mind)(?:\s+that)?(?:[\s,:]+|$)/i;

/**
 * The record for a person's words. A leading `user:`, `feedback:`, `project:` or `reference:` says its type;
 * without one it is a `user` preference. Undefined when nothing is said besides, or nothing but a secret was, which is
 * redacted. Throws SecretError when there is a secret.
 */
export function recordFromWords(words: string): NewRecord | undefined {
  const { type, text } = withoutType(words.trim());
  const body = text.replace(OPENING, '').trim();
  if (body === '' || isOnlyRedacted(body)) return undefined;
  const description = shorten(firstSentence(body), MAX_DESCRIPTION);
  return recordFromLine({ description, type, body });
}

/**
 * The record for one line, which is also its text unless there is a longer one. Throws SecretError when there is
 * a secret.
 */
export function recordFromLine(given: {
  readonly description: string;
  readonly type: MemoryType;
  readonly body?: string;
}): NewRecord {
  const { description, type, body = description } = given;
  const rule = secretIn(`${description}\n${body}`);
  if (rule !== undefined) throw new SecretError(rule);
  return { name: slugFor(nameFromLine(description)), description, type, body, source: 'person' };
}

function withoutType(words: string): { type: MemoryType; text: string } {
  const type = MEMORY_TYPES.find((name) => new RegExp(`^${name}\\s*[:：]`, 'i').test(words));
  return type
    ? { type, text: words.slice(words.search(/[:：]/) + 1).trim() }
    : { type: 'user', text: words };
}

/** Up to the first end of a sentence or line, spaces folded. */
function firstSentence(text: string): string {
  const [line = ''] = text.split(/\n/, 1);
  const end = /[.!?](?=\s)|[。！？]/u.exec(line);
  return (end ? line.slice(0, end.index + 1) : line).replaceAll(/\s+/gu, ' ').trim();
}

/** The first words, where nobody gave a name. */
export function nameFromLine(line: string): string {
  return shorten(line.split(/\s+/).slice(0, NAME_WORDS).join(' '), NAME_CHARS, '');
}

function shorten(text: string, most: number, ellipsis = '…'): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  return (
    characters
      .slice(0, most - ellipsis.length)
      .join('')
      .trimEnd() + ellipsis
  );
}
