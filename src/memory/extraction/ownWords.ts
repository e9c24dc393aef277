// The words of a message that its writer chose, apart from what was pasted into it: code in fences, quoted lines and
// blocks in tags, which anybody may have written; and what they say that somebody else says.

import { foldSentence } from '../fieldText.ts';

/** The parts between what was pasted, in order; none when all of it was. */
export function ownWords(message: string): readonly string[] {
  return withoutBlocks(message)
    .flatMap(withoutPasted)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The parts in which a quote is the writer's own: not where it only stands in what they cite. */
export function ownWordsFor(quote: string, parts: readonly string[]): readonly string[] {
  const words = foldSentence(quote);
  const isCited = parts.some((part) =>
    Array.from(part.matchAll(CITED), ([cited]) => foldSentence(cited)).some((cited) =>
      cited.includes(words),
    ),
  );
  return isCited ? parts.flatMap((part) => part.split(CITED)) : parts;
}

/** Says that what follows in quotation marks was found somewhere. The person's own sayings are no such thing. */
const TELLS = String.raw`(?<!\b(?:i|we)\s(?:always\s|just\s)?)\b(?:says|states|reads|claims|warns|prints|sagt|meldet|steht|dice|dit|indique)(?:\sthat)?|写着|寫著|写道|寫道`;
const SAID = String.raw`"[^"\n]+"|“[^“”\n]+”|„[^„“”\n]+[“”]|[«»][^«»\n]+[«»]|「[^「」\n]+」`;
const CITED = new RegExp(String.raw`(?<=(?:${TELLS})\s?[:：,，]?\s?)(?:${SAID})`, 'gi');

function withoutPasted(part: string): readonly string[] {
  // The marks of each fence stand between the parts.
  return part.split(PASTED).filter((_, at) => at % 2 === 0);
}

/**
 * Fenced code, up to marks as long as those before it or to the end; text in three quotation marks; and lines that
 * begin with the mark of a quotation.
 */
const PASTED = /(`{3,}|~{3,})[^]*?(?:\1|(?![^]))|"""[^]*?"""|^[ \t]*[>＞].*$/m;

/** Tags that hold what a person attached, also where all of it stands on one line. */
const ATTACHED =
  /^(?:attach|file|document|doc$|selection|editor|context|code|pre$|blockquote|quote|email|page|issue|log$|output|paste)/i;
const OPENING = /<([a-z][\w.:-]{0,40})(?:\s[^<>]{0,500})?>/gi;
const CLOSING = /<\/([a-z][\w.:-]{0,40})\s*>/gi;

/** Cuts out what stands between a tag and its end: more than a line, or whatever was attached. */
function withoutBlocks(message: string): readonly string[] {
  const endOfBlock = closingsOf(message);
  const endOfLine = placesOf('\n', message);
  const parts: string[] = [];
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of message.matchAll(OPENING)) {
    if (index < from) continue;
    const end = endOfBlock(name, index);
    if (end === undefined) continue;
    if (!ATTACHED.test(name) && endOfLine(index + tag.length) >= end) continue;
    parts.push(message.slice(from, index));
    from = end;
  }
  return [...parts, message.slice(from)];
}

/**
 * Where the first closing tag of a name ends that stands behind a place. The places must be asked for in order, so
 * that a text of nothing but tags is gone through once.
 */
function closingsOf(message: string): (name: string, from: number) => number | undefined {
  const closings = Map.groupBy(
    Array.from(message.matchAll(CLOSING), ({ 0: tag, 1: name = '', index }) => ({
      name: name.toLowerCase(),
      index,
      end: index + tag.length,
    })),
    ({ name }) => name,
  );
  const passed = new Map<string, number>();
  return (given, from) => {
    const name = given.toLowerCase();
    const all = closings.get(name) ?? [];
    let at = passed.get(name) ?? 0;
    while (at < all.length && (all[at]?.index ?? 0) < from) at++;
    passed.set(name, at);
    return all[at]?.end;
  };
}

/** Where a mark stands next at or behind a place; infinitely far where it does not. To be asked in order too. */
function placesOf(mark: string, text: string): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next < from) {
      const found = text.indexOf(mark, from);
      next = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return next;
  };
}
