// Numbers and amounts in one form, however they are written: 2, `two` and 二, `30 seconds` and 30s.

/** Of folded text. */
export function amountForm(text: string): string {
  return text
    .replaceAll(THOUSANDS, '')
    .replaceAll(NUMBER_WORD, (word) => String(NUMBERS.get(word)))
    .replaceAll(HAN_NUMBER, (digits) => (isHanNumber(digits) ? hanForm(digits) : digits))
    .replaceAll(AMOUNT, (_, number: string, unit: string) => number + unitForm(unit))
    .replaceAll(THOUSAND, '000');
}

/** As they stand in a sentence: those with a unit, and those that are written in words. */
export function takeAmounts(sentence: string, take: (amount: string) => string): string {
  return sentence
    .replaceAll(AMOUNT, (amount) => take(amount))
    .replaceAll(NUMBER_WORD, (word) => take(word))
    .replaceAll(HAN_NUMBER, (digits) => (isHanNumber(digits) ? take(digits) : digits));
}

function unitForm(unit: string): string {
  const lower = unit.toLowerCase();
  return UNITS.find(([names]) => names.split('|').includes(lower))?.[1] ?? lower;
}

/** `一` alone is grammar more often than a number, and some words have a numeral in them. */
function isHanNumber(digits: string): boolean {
  return !/^一[天日]?$/u.test(digits) && !/^[百千〇零]+$/u.test(digits);
}

/** With the sign behind it: 两点 and 二月 are not the same two. */
function hanForm(digits: string): string {
  const [number = ''] = /^[^点點时時分秒天日月年]+/u.exec(digits) ?? [];
  return String(hanValue(number)) + digits.slice(number.length);
}

function hanValue(digits: string): number {
  if (!/[十百千]/u.test(digits))
    return Number(Array.from(digits, (digit) => HAN_DIGITS.get(digit)).join(''));
  let [sum, digit] = [0, 0];
  for (const each of digits) {
    const value = HAN_DIGITS.get(each);
    if (value === undefined) {
      sum += (digit || 1) * (HAN_TENS.get(each) ?? 1);
      digit = 0;
    } else digit = value;
  }
  return sum + digit;
}

/** From two on: `one` is an article or a pronoun in most languages. What means something else elsewhere is left out. */
const NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    'two zwei deux dos dois duas два две двух',
    'three drei trois tres três tre три трёх трех',
    'four vier quatre cuatro quatro quattro четыре',
    'five fünf cinq cinco cinque пять',
    'six sechs seis шесть',
    'seven sieben sept siete sete sette семь',
    'eight huit ocho oito otto восемь',
    'nine neun nueve девять',
    'ten zehn dix diez dez dieci десять',
    'eleven elf undici',
    'twelve zwölf douze doce doze dodici',
  ].flatMap((words, at) => words.split(' ').map((word) => [word, at + 2] as const)),
);

const NUMBER_WORDS = [...NUMBERS.keys()].join('|');
const NUMBER_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${NUMBER_WORDS})(?![\\p{L}\\p{N}_-])`,
  'gu',
);

/** Names and abbreviations, and the form that stands for all of them. */
const UNITS = [
  ['ms|millisecond|milliseconds', 'ms'],
  ['s|sec|secs|second|seconds|sekunde|sekunden', 's'],
  ['min|mins|minute|minutes|minuten', 'min'],
  ['h|hr|hrs|hour|hours|stunde|stunden', 'h'],
  ['kb', 'kb'],
  ['mb', 'mb'],
  ['gb', 'gb'],
  ['tb', 'tb'],
  ['px|pixel|pixels', 'px'],
  ['char|chars|character|characters', 'chars'],
  ['x|times', 'x'],
  ['%|percent|prozent', '%'],
] as const;

const AMOUNT = new RegExp(
  `(?<![\\p{L}\\p{N}_.,:/@-])(\\p{N}+(?:[.,]\\p{N}+)?|${NUMBER_WORDS})[ -]?(${UNITS.map(([names]) => names).join('|')})(?![\\p{L}\\p{N}_%])`,
  'giu',
);
const THOUSANDS = /(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu;
/** `10k` */
const THOUSAND = /(?<=(?<![\p{L}\p{N}_.-])\p{N}{1,3})k(?![\p{L}\p{N}_])/gu;

const HAN_NUMBER = /(?!十分|十足|百分)[一二两兩三四五六七八九十百千〇零]+[点點时時分秒天日月年]?/gu;
const HAN_DIGITS: ReadonlyMap<string, number> = new Map([
  ...Array.from('〇一二三四五六七八九', (digit, value) => [digit, value] as const),
  ['零', 0],
  ['两', 2],
  ['兩', 2],
]);
const HAN_TENS: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
