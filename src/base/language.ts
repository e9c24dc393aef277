// Which language a text is in: by its script, and within the Latin one by the small words of a few languages.
// Only prose counts, since code, paths and identifiers are Latin whoever writes them.

/** A script stands for its languages where nothing tells them apart. */
export type Language =
  | 'English'
  | 'German'
  | 'French'
  | 'Spanish'
  | 'Portuguese'
  | 'Italian'
  | 'Latin script'
  | 'Chinese'
  | 'Japanese'
  | 'Korean'
  | 'Cyrillic script'
  | 'Arabic script'
  | 'Hebrew'
  | 'Greek'
  | 'Thai'
  | 'Devanagari script';

/** Fewer words tell nothing. */
const LEAST_WORDS = 4;
/** A script beside the Latin one is chosen by the writer, while Latin words come along with every topic. */
const LEAST_SHARE = 0.2;
/** Of all Chinese and Japanese characters: fewer kana are a quotation or an ornament. */
const LEAST_KANA_SHARE = 0.1;
/** Small words are a third of a text or more; a list of names holds hardly any. */
const LEAST_SMALL_SHARE = 0.15;
const LEAST_SMALL_WORDS = 2;
/** A language whose own small words come to this share of the likeliest one's is there too. */
const ALSO_SHARE = 0.4;
/** Most words of Chinese have two characters. */
const CHARACTERS_PER_WORD = 2;
/** Thai is written without spaces, and its words are longer. */
const THAI_CHARACTERS_PER_WORD = 4;

/** The languages of a text, empty when there is too little of it. */
export function languagesOf(text: string): readonly Language[] {
  const prose = proseOf(text);
  const latin = latinWords(prose);
  const [other] = otherScripts(prose).toSorted((first, second) => second.words - first.words);
  const foreign = other?.words ?? 0;
  const all = latin.length + foreign;
  if (all < LEAST_WORDS) return [];

  if (!other || foreign < all * LEAST_SHARE) return latinLanguages(latin);
  const beside = latin.length > foreign ? latinLanguages(latin) : [];
  return [other.language, ...beside.filter((language) => language !== 'Latin script')];
}

/** Whether two texts may be in one language. True when one of them is too short to tell. */
export function shareLanguage(first: readonly Language[], second: readonly Language[]): boolean {
  if (first.length === 0 || second.length === 0) return true;
  return first.some((language) => second.some((other) => mayBeOne(language, other)));
}

function mayBeOne(first: Language, second: Language): boolean {
  if (first === second) return true;
  return (
    (first === 'Latin script' && isLatin(second)) || (second === 'Latin script' && isLatin(first))
  );
}

function isLatin(language: Language): boolean {
  return language === 'Latin script' || SMALL_WORDS.some(([name]) => name === language);
}

/** Without fenced and quoted code, addresses, and every run of Latin letters that is no plain word. */
function proseOf(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`|\p{L}+:\/\/\S+/gu, ' ')
    .replaceAll(LATIN_RUN, (run) => (PLAIN_WORDS.test(trimmed(run)) ? ` ${run} ` : ' '));
}

/** Letters with what joins them in paths, identifiers and calls. */
const LATIN_RUN = /[\p{Script=Latin}\p{N}\p{M}_$.:@#=<>(){}[\]/\\~*+&%|"'’-]+/gu;
/** One word, or several that an apostrophe or a hyphen joins; a capital letter stands first only. */
const PLAIN_WORDS = /^\p{Script=Latin}[\p{Ll}\p{M}]*(?:['’-]\p{Script=Latin}[\p{Ll}\p{M}]*)*$/u;

function trimmed(run: string): string {
  return run.replaceAll(/^[^\p{L}_$@#/\\~]+|[^\p{L}\p{N}_$/\\]+$/gu, '');
}

function latinWords(prose: string): readonly string[] {
  return (prose.match(/[\p{Script=Latin}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase());
}

interface ScriptShare {
  readonly language: Language;
  readonly words: number;
}

function otherScripts(prose: string): readonly ScriptShare[] {
  const kana = count(prose, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(prose, /\p{Script=Han}/gu);
  const isJapanese = kana > 0 && kana >= (kana + han) * LEAST_KANA_SHARE;
  return [
    {
      language: isJapanese ? 'Japanese' : 'Chinese',
      words: (kana + han) / CHARACTERS_PER_WORD,
    },
    { language: 'Korean', words: count(prose, /\p{Script=Hangul}+/gu) },
    { language: 'Cyrillic script', words: count(prose, /\p{Script=Cyrillic}+/gu) },
    { language: 'Arabic script', words: count(prose, /\p{Script=Arabic}+/gu) },
    { language: 'Hebrew', words: count(prose, /\p{Script=Hebrew}+/gu) },
    { language: 'Greek', words: count(prose, /\p{Script=Greek}+/gu) },
    { language: 'Thai', words: count(prose, /\p{Script=Thai}/gu) / THAI_CHARACTERS_PER_WORD },
    { language: 'Devanagari script', words: count(prose, /[\p{Script=Devanagari}\p{M}]+/gu) },
  ];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function latinLanguages(words: readonly string[]): readonly Language[] {
  const [best, ...others] = SMALL_WORDS.map(([language]) => ({
    language,
    score: words.reduce((sum, word) => sum + weight(word, language), 0),
  })).toSorted((first, second) => second.score - first.score);
  if (!best || best.score < Math.max(LEAST_SMALL_WORDS, words.length * LEAST_SMALL_SHARE)) {
    return ['Latin script'];
  }
  // Spanish has many small words of Portuguese, which do not make a Portuguese text Spanish too.
  const left = words.filter((word) => weight(word, best.language) === 0);
  const also = others.filter(({ language }) => {
    const score = left.reduce((sum, word) => sum + weight(word, language), 0);
    return score >= best.score * ALSO_SHARE;
  });
  return [best, ...also].map(({ language }) => language);
}

/** A word that several languages have says that much less. */
function weight(word: string, language: Language): number {
  const languages = SMALL_WORD_LANGUAGES.get(word) ?? [];
  return languages.includes(language) ? 1 / languages.length : 0;
}

const SMALL_WORDS: readonly (readonly [language: Language, words: string])[] = [
  [
    'English',
    `a an and are as at be been but by can do does for from has have how i if in into is it its me my no not of
    on or our please should so than that the their then there these they this to use was we were what when where
    which will with would you your`,
  ],
  [
    'German',
    `aber als am an auch auf aus bei bis bitte das dass dem den der des die du durch ein eine einem einen einer
    er es für hat ich ihr im in ist kann kein keine man mit nach nicht noch nur oder sein sich sie sind so soll
    über um und vom von vor war was wenn werden wie wir wird wurde zu zum zur`,
  ],
  [
    'French',
    `à au aux avec c ce ces cette d dans de des du elle en est et être été faut il ils j je l la le les leur mais
    n ne nous on ou où par pas plus pour qu que qui s sa se ses si son sont sur tous tout un une vous`,
  ],
  [
    'Spanish',
    `a al como con cuando de del desde donde el ella en es esta está este esto ha han hay la las le lo los más
    muy ni no nos o para pero por porque que se si sin sobre son su sus también un una y ya`,
  ],
  [
    'Portuguese',
    `a ao aos as até com como da das de deve do dos e é ela ele em entre esta está este eu foi isso já mais mas
    na não nas no nos o os ou para pela pelo por porque quando que são se sem ser seu sua também um uma`,
  ],
  [
    'Italian',
    `a ai al alla anche che ci come con da dal dalla dei del dell della delle di e è gli ha i il in io l la le lo
    ma nel nella non o per più quando questa questo se sia si sono su sul sulla tra un una uno`,
  ],
];

const SMALL_WORD_LANGUAGES: ReadonlyMap<string, readonly Language[]> = languagesOfWords();

function languagesOfWords(): ReadonlyMap<string, readonly Language[]> {
  const languages = new Map<string, Language[]>();
  for (const [language, words] of SMALL_WORDS) {
    for (const word of words.split(/\s+/)) {
      languages.set(word, [...(languages.get(word) ?? []), language]);
    }
  }
  return languages;
}
