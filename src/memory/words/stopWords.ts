// English words that do not tell what a text is about.

/** Whether a word, in lower case, says nothing about a topic. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Whether a word, in lower case, says what is asked for more often than what it is about: find, recommend, best. */
export function isRequestWord(word: string): boolean {
  return REQUEST_WORDS.has(word);
}

/** With what is left of `don't` and its like. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are aren as at be because been before being but by can could
  couldn d did didn do does doesn doing don down each for from had hadn has hasn have haven having
  he her here hers him his how i if in into is isn it its just let ll m me more most my need no nor
  not now of off on once only or other our out over own please re s same she should shouldn so some
  such t than that the their them then there these they this those through to too under until up ve
  very want was wasn we were weren what when where which while who whom why will with would wouldn
  you your`.split(/\s+/),
);

const REQUEST_WORDS = new Set(
  `advice best currently find get give good great help idea information interested know like look
  looking make new nice option options plan planning recently recommend show suggest suggestion tell
  thing think tip tips try trying use using way`.split(/\s+/),
);
