// The words of a message that its writer chose, apart from what was pasted into it: code in fences, quoted lines and
// blocks in tags, which anybody may have written.

/** The parts between what was pasted, in order; none when all of it was. */
export function ownWords(message: string): readonly string[] {
  return withoutBlocks(message)
    .flatMap((part) => part.split(PASTED))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Fenced code, to the end where it is never closed, and lines that begin with the mark of a quotation. */
const PASTED = /`{3,}[^]*?(?:`{3,}|(?![^]))|~{3,}[^]*?(?:~{3,}|(?![^]))|^[ \t]*>.*$/m;

/** Tags that hold what a person attached, also where all of it stands on one line. */
const ATTACHED =
  /^(?:attach|file|document|doc$|selection|editor|context|code|pre$|blockquote|quote|email|page|issue|log$|output|paste)/i;
const OPENING = /<([a-z][\w.:-]{0,40})(?:\s[^<>]{0,500})?>/gi;
const CLOSING = /<\/([a-z][\w.:-]{0,40})\s*>/gi;

/** Cuts out what stands between a tag and its end: more than a line, or whatever was attached. */
function withoutBlocks(message: string): readonly string[] {
  const lastEnds = new Map(
    Array.from(message.matchAll(CLOSING), ({ 1: name = '', index }) => [name, index]),
  );
  const parts: string[] = [];
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of message.matchAll(OPENING)) {
    // Looked for only where it is known to come, so that a text of nothing but tags costs no more than any other.
    if (index < from || (lastEnds.get(name) ?? -1) < index) continue;
    const end = message.indexOf('>', message.indexOf(`</${name}`, index)) + 1;
    if (!ATTACHED.test(name) && !message.slice(index + tag.length, end).includes('\n')) continue;
    parts.push(message.slice(from, index));
    from = end;
  }
  return [...parts, message.slice(from)];
}
