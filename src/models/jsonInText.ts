// Finds JSON in what a model wrote. Only finds: whether a value is the answer is for the caller's schema to say.

/** A text of nothing but brackets would otherwise be scanned once for each of them. */
const MAX_STARTS = 200;

/**
 * Every JSON value in `text` that may be the answer, likeliest first: the whole text, then fenced blocks, then
 * balanced objects and arrays. Later ones come first, since models explain, cite and quote before they answer.
 */
export function* jsonCandidates(text: string): Generator {
  for (const source of [[text], fencedBlocks(text), balancedTexts(text)]) {
    for (const candidate of source.toReversed()) {
      const parsed = parseJson(candidate);
      if (parsed !== undefined) yield parsed.value;
    }
  }
}

function fencedBlocks(text: string): string[] {
  return Array.from(text.matchAll(/```[a-z]*\s*\n?([\s\S]*?)```/gi), (match) => match[1] ?? '');
}

function balancedTexts(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    const start = from + text.slice(from).search(/[[{]/);
    if (start < from) break;
    const end = balancedEnd(text, start);
    const whole = end === undefined ? undefined : text.slice(start, end);
    if (whole !== undefined && parseJson(whole) !== undefined) {
      found.push(whole);
      from = start + whole.length;
    } else {
      // Not JSON as a whole, as in "[see {"a":1}]": what is inside may be.
      from = start + 1;
    }
  }
  return found;
}

/** Where the bracket at `start` is closed, brackets in strings apart; undefined when it is not. */
function balancedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Wrapped, since `null` is a JSON value too. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not JSON is an answer here, not a failure: the next candidate is tried.
    return undefined;
  }
}
