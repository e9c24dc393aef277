// Whether a sentence says what is not so, or not to be done: a text that loses this says the opposite.

/** In the languages of the memories that we know of; others are not judged. */
export function holdsNegation(sentence: string): boolean {
  const text = sentence.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  return SPACED.test(text) || UNSPACED.test(text.replaceAll(NO_NEGATIONS, ''));
}

/** What a sentence denies, from the clause with the first word that does, and what it says before that. */
export function denialIn(sentence: string): { readonly said: string; readonly denied: string } {
  const clauses = sentence.split(CLAUSE_END);
  const at = clauses.findIndex(holdsNegation);
  if (at < 0) return { said: sentence, denied: '' };
  return { said: clauses.slice(0, at).join(' '), denied: clauses.slice(at).join(' ') };
}

/** What stands in a clause behind its one word that forbids or denies. With two of them it may say what is so. */
export function forbiddenIn(sentence: string): readonly string[] {
  return sentence.split(CLAUSE_END).flatMap((clause) => {
    const [, forbidden, more] = clause.toLowerCase().replaceAll('’', "'").split(FORBIDS);
    return forbidden !== undefined && more === undefined && !holdsNegation(forbidden)
      ? [forbidden]
      : [];
  });
}

/** Not at the mark that also parts the items of a list, behind which the same is denied. */
export const CLAUSE_END = /[,:;](?![\p{N}\p{P}])\s*|\s[–—-]\s|[，：；]/u;

const SPACED = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[
    `not|no|never|none|nor|neither|without|cannot|unless|instead|rather|except\\p{L}*|avoid\\p{L}*`,
    `forbid\\p{L}*|ban|bans|banned|prohibit\\p{L}*|exclud\\p{L}*|refus\\p{L}*|\\p{L}+n't|dont|doesnt|wont|cant`,
    // German, French, Spanish, Portuguese, Italian, Dutch, Russian.
    `nicht|nichts|kein\\p{L}*|nie|niemals|ohne|statt|vermeid\\p{L}*|verboten`,
    `ne|n'\\p{L}+|pas|jamais|sans|aucune?|évite\\p{L}*|interdit\\p{L}*`,
    `nunca|jamás|sin|ningun[oa]?|ningún|ni|tampoco|evit[ae]\\p{L}*|prohibid\\p{L}*|não|nem|sem|proibid\\p{L}*`,
    `non|mai|senza|nessun\\p{L}*|niet|geen|nooit|zonder|не|нет|ни|никогда|без|нельзя`,
  ].join('|')})(?![\\p{L}\\p{N}_])`,
  'u',
);

/** Those of them behind which it stands. */
const FORBIDS =
  /(?<![\p{L}\p{N}_])(?:not|no|never|cannot|\p{L}+n't|dont|nicht|kein\p{L}*|nie|niemals|jamais|nunca|não|niet|geen|nooit|не|никогда|нельзя)(?![\p{L}\p{N}_])/u;

const UNSPACED =
  /[不没沒勿别別无無未非禁莫]|避免|而非|ない|ません|なく|なし|ずに|せず|避け|않|못|없|금지|마세요|말[고아라것]|지 ?마|안 /u;

/** Words with such a character that deny nothing. */
const NO_NEGATIONS =
  /不同|不断|不斷|不仅|不僅|不但|不错|不錯|非常|未来|未來|别人|別人|特别|特別|分别|分別|区别|區別|个别|個別|级别|級別|类别|類別|无论|無論|無料|없이도/gu;
