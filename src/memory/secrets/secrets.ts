// Finds what must never be written into a memory: keys, tokens, private keys, passwords. The table of rules says
// what counts; here is where it stands in a text, whatever the width of its characters, and how it is taken out.

import type { Said } from '../../base/sentence.ts';
import { RULES, type SecretRule } from './secretRules.ts';

/** Where the value of a secret stands in a text, and its kind in words. Never the secret itself. */
interface FoundSecret {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** The values of all secrets in the text, in its order. None overlaps another. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const { folded, startAt, endAt } = foldWidth(text);
  const spans = RULES.flatMap((rule, rank) =>
    [...valuesOf(rule, folded)].map(([start, end]) => ({
      rank,
      rule: String(rule.kind),
      start: startAt(start),
      end: endAt(end),
    })),
  );
  return withoutOverlaps(spans).map(({ rule, start, end }) => ({ rule, start, end }));
}

/** The text with the kind of each secret in place of its value. */
export function redactSecrets(text: string): string {
  let redacted = text;
  // A secret may touch another that is only seen once the first is gone.
  for (let found = findSecrets(text); found.length > 0; found = findSecrets(redacted))
    redacted = withKinds(redacted, found);
  return redacted;
}

/** Whether nothing is left of a redacted text but what stands in the places of its secrets. */
export function isOnlyRedacted(text: string): boolean {
  return text.includes(REDACTED) && !/[\p{L}\p{N}]/u.test(text.replaceAll(REDACTION, ''));
}

/** The kind of the first secret in the text, in English words, or undefined. */
export function secretIn(text: string): string | undefined {
  return findSecrets(text)[0]?.rule;
}

/** A kind that was found, for a person. In a file it stands in English. */
export function secretKind(rule: string): Said {
  return RULES.find(({ kind }) => String(kind) === rule)?.kind ?? rule;
}

const REDACTED = '[redacted: ';
const REDACTION = /\[redacted: [^\]\n]*\]/g;

function withKinds(text: string, found: readonly FoundSecret[]): string {
  const kept = found.map(({ rule, start }, i) => {
    const before = text.slice(found[i - 1]?.end ?? 0, start);
    return `${before}${REDACTED}${rule}]`;
  });
  return kept.join('') + text.slice(found.at(-1)?.end ?? 0);
}

function* valuesOf(
  rule: SecretRule,
  text: string,
): Iterable<readonly [start: number, end: number]> {
  const { pattern, rest, trimmed } = rule;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const groups = match.indices?.groups;
    const [start, ownEnd] = groups?.['quoted'] ??
      groups?.['value'] ?? [match.index, pattern.lastIndex];
    if (rule.isSecret(text.slice(start, ownEnd), match.groups ?? {})) {
      pattern.lastIndex = endOf(rest, text, ownEnd);
      yield [start, start + lengthWithout(trimmed, text.slice(start, pattern.lastIndex))];
    } else if (rule.looksAgain) {
      // The harmless value may be the word that tells the next one: `password = token: …`.
      pattern.lastIndex = match.index + 1;
    }
  }
}

function endOf(rest: RegExp, text: string, from: number): number {
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? 0);
}

/** By hand, as a pattern tied to the end alone would begin at every character anew. */
function lengthWithout(characters: string, text: string): number {
  let { length } = text;
  while (length > 0 && characters.includes(text.charAt(length - 1))) length--;
  return length;
}

interface Span extends FoundSecret {
  /** The place of the rule in the table. */
  readonly rank: number;
}

/** What overlaps becomes one, named by the rule that comes first in the table, as it tells the most. */
function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || a.rank - b.rank)) {
    const last = apart.at(-1);
    if (last === undefined || last.end <= span.start) apart.push(span);
    else {
      const { rank, rule } = last.rank <= span.rank ? last : span;
      apart[apart.length - 1] = {
        rank,
        rule,
        start: last.start,
        end: Math.max(last.end, span.end),
      };
    }
  }
  return apart;
}

/**
 * The text with full-width and composed forms as the usual ones and without what has no width, and the way back to
 * the original. It is folded piece by piece, as a whole text does not tell which of its characters became which.
 */
function foldWidth(text: string): {
  readonly folded: string;
  readonly startAt: (index: number) => number;
  readonly endAt: (index: number) => number;
} {
  if (/^\p{ASCII}*$/u.test(text)) return { folded: text, startAt: (i) => i, endAt: (i) => i };
  const folded: string[] = [];
  /** For each character of the folded text, where the piece begins that it comes from. */
  const origins: number[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const isPlain = /^\p{ASCII}*$/u.test(piece);
    const part = isPlain ? piece : piece.normalize('NFKC').replaceAll(UNSEEN, '');
    for (let i = 0; i < part.length; i++) origins.push(isPlain ? index + i : index);
    folded.push(part);
  }
  const startAt = (index: number): number => origins[index] ?? text.length;
  const endAt = (index: number): number => {
    let next = index;
    while (next < origins.length && origins[next] === origins[index - 1]) next++;
    return startAt(next);
  };
  return { folded: folded.join(''), startAt, endAt };
}

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * What is folded at once: a run of ASCII up to the last one, which may carry a mark; a character with its marks, of
 * which there may be any number in a text made to hurt; the parts of a Hangul syllable; anything else.
 */
const PIECES =
  /\p{ASCII}+(?!\P{ASCII})|\P{M}?\p{M}{1,8}|[\u1100-\u11ff]{2,3}|[^\uff9e\uff9f][\uff9e\uff9f]|[^]/gu;
