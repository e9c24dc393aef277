// How many tokens a text is, without asking anyone. A rule by script, since characters divided by four is two
// to three times too low for Chinese, Japanese and Korean.

const ASCII_PER_TOKEN = 3.6;
const TOKENS_PER_WIDE = 1.1;
/** Cyrillic, Greek, Arabic and the like take two bytes a letter, and tokens follow bytes. */
const TOKENS_PER_OTHER = 2 / ASCII_PER_TOKEN;

/** An estimate that rather errs upwards. Whole numbers; 0 for an empty text. */
export function estimateTokens(text: string): number {
  // Most of what an agent reads is ASCII, and the runtime knows that faster than a loop finds it out.
  if (Buffer.byteLength(text) === text.length) return Math.ceil(text.length / ASCII_PER_TOKEN);
  let ascii = 0;
  let wide = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) ascii++;
    else if (isWide(unit)) wide++;
  }
  const other = text.length - ascii - wide;
  return Math.ceil(ascii / ASCII_PER_TOKEN + wide * TOKENS_PER_WIDE + other * TOKENS_PER_OTHER);
}

/** By UTF-16 unit. Both halves of a surrogate pair count: emoji and rare ideographs take two tokens or more. */
function isWide(unit: number): boolean {
  return (
    (unit >= 0x2e80 && unit <= 0xa4cf) || // ideographs, kana, their punctuation, Yi
    (unit >= 0xac00 && unit <= 0xdfff) || // Hangul, surrogates
    (unit >= 0x1100 && unit <= 0x11ff) || // Hangul letters
    (unit >= 0xf900 && unit <= 0xfaff) || // compatibility ideographs
    (unit >= 0xfe30 && unit <= 0xfe6f) || // vertical and small forms
    (unit >= 0xff00 && unit <= 0xffef) // full width and half width forms
  );
}
