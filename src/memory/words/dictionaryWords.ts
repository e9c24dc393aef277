// Parts a text into words as a dictionary does, in any script: those without spaces too.

export function wordsOf(text: string): readonly string[] {
  return Array.from(SEGMENTER.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

/** Of one language, so that no computer cuts another way than the next. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
