// What a server's words say of a failure. Servers have no codes in common, and Claude has none for a prompt that
// is too long, so the words are often the only sign.

const TOO_LONG =
  /(prompt|input|request) is too (long|large)|context.?(length|window|size|limit)|maximum context|exceeds? (the )?(context|limit of|model)|too many (prompt |input )?tokens|request_too_large|max_prompt_tokens/i;

const RATE = /rate.?limit|too many requests|quota|\b(per|each) (second|minute|hour|day)\b/i;

/** A rate counts first: "too many tokens per minute" is no size. */
export function saysTooLong(text: string): boolean {
  return TOO_LONG.test(text) && !saysRate(text);
}

export function saysRate(text: string): boolean {
  return RATE.test(text);
}
