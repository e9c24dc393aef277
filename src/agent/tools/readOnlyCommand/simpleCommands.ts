// The simple commands of a shell command line, as bash and sh both read it. Only what is the same in every shell
// and at every time is understood: plain words, quotes, pipes and lists. There are no variables, substitutions,
// assignments or files to write to in it, and of patterns none that could stand for another argument.

/** A command is its words: the name, and the arguments. */
export type SimpleCommand = readonly [name: string, ...args: readonly string[]];

/** Control characters, all spaces but the plain one, and marks that are not seen. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/**
 * What stands for itself outside of quotes. A letter outside of ASCII is not among it: some shells take a byte of
 * it for a space. An exclamation mark recalls earlier commands only where a person types.
 */
const PLAIN = /^[A-Za-z0-9_\-./,:=@%+^!]+/;
/** Stands for a home folder at the beginning of a word, and after these within one. */
const TILDE = /[:=]$/;
const OPERATOR = /^(\|\||&&|[|;])/;
/** Output to nowhere, or errors into the output: nothing is written. */
const HARMLESS_REDIRECTION = /^(2>&1|[12]?> *\/dev\/null)(?=$|[ |;&])/;
const IN_SINGLE_QUOTES = /^'([^']*)'/;
/**
 * A backslash is one, except before what would mean something else. Behind a letter outside of ASCII it is not
 * understood: in an older encoding than UTF-8 it can be the second half of a letter.
 */
const IN_DOUBLE_QUOTES = /^"((?:[^"\\$`]|(?<=[\x20-\x7e])\\(?:["\\$`]|(?!["\\$`])))*)"/;
/** What a pattern behind these stands for is always one of them again, with the name of another file. */
const FILTER = /^--(include|exclude|exclude-dir)=/;
const ESCAPED = /^\\([\x20-\x7e])/;

/** Undefined when anything in the line is not understood. */
export function simpleCommands(line: string): readonly SimpleCommand[] | undefined {
  if (UNSEEN.test(line)) return undefined;
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let lastOperator = '';
  for (let rest = line.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const operator = OPERATOR.exec(rest)?.[0];
    const redirection = HARMLESS_REDIRECTION.exec(rest)?.[0];
    if (operator !== undefined) {
      const command = commandOf(words);
      if (!command) return undefined;
      commands.push(command);
      words = [];
      lastOperator = operator;
      rest = rest.slice(operator.length);
    } else if (redirection !== undefined) {
      rest = rest.slice(redirection.length);
    } else {
      const word = wordAt(rest);
      if (!word) return undefined;
      words.push(word.text);
      rest = rest.slice(word.length);
    }
  }
  const last = commandOf(words);
  if (last) return [...commands, last];
  return lastOperator === ';' ? commands : undefined;
}

function commandOf([name, ...args]: readonly string[]): SimpleCommand | undefined {
  return name === undefined ? undefined : [name, ...args];
}

/** The word that a text begins with, and how much of the text it takes. */
function wordAt(text: string): { readonly text: string; readonly length: number } | undefined {
  let word = '';
  let at = 0;
  while (at < text.length && !/^[ |;&]/.test(text.slice(at))) {
    const piece = pieceAt(text.slice(at), word);
    if (!piece) return undefined;
    word += piece.text;
    at += piece.length;
  }
  return at === 0 ? undefined : { text: word, length: at };
}

function pieceAt(text: string, before: string) {
  const plain = PLAIN.exec(text)?.[0];
  if (plain !== undefined) return { text: plain, length: plain.length };
  if (text.startsWith('*') && FILTER.test(before)) return { text: '*', length: 1 };
  if (text.startsWith('~') && before !== '' && !TILDE.test(before)) return { text: '~', length: 1 };
  const quoted = IN_SINGLE_QUOTES.exec(text) ?? ESCAPED.exec(text);
  if (quoted?.[1] !== undefined) return { text: quoted[1], length: quoted[0].length };
  const double = IN_DOUBLE_QUOTES.exec(text);
  if (double?.[1] === undefined) return undefined;
  return { text: double[1].replaceAll(/\\(["\\$`])/g, '$1'), length: double[0].length };
}
