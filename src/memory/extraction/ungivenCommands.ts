// The addresses and commands of a memory, which are for whoever runs them what a model's words are not: they must stand
// in what somebody gave.

import { fold } from '../fieldText.ts';
import { analyse } from '../words/words.ts';

/** Whether the text holds an address or a command that none of the sources gives. */
export function holdsUngiven(text: string, given: readonly string[]): boolean {
  const sources = given.map(fold);
  const isKnown = (address: string) => sources.some((source) => source.includes(address));
  return (
    !addressesIn(text).every(isKnown) ||
    !commandsIn(text).every((command) => isGiven(command, sources))
  );
}

/** Whether a line of it would run in a shell what stands before. */
export function feedsShell(text: string): boolean {
  return FEEDS_SHELL.test(text);
}

/** Addresses of other computers, without what people leave out when they type them. */
function addressesIn(text: string): readonly string[] {
  return Array.from(fold(withoutWideMarks(text)).matchAll(ADDRESS), ([, run = '']) =>
    (CLEAN.exec(run)?.[0] ?? run).replace(/^www\./, '').replace(/[.,;:!?/_~]+$/, ''),
  ).filter((address) => !/^(?:localhost|127\.0\.0\.1|\[::1\])(?![\w.-])/.test(address));
}

const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s<>"`|]+)/g;
/**
 * A plain host and what follows, up to a bracket, an emphasis or the particle behind it. A host with more letters
 * after such a sign (`known.example*.evil.example`, `known.example'@evil.example`) is not plain: all of it counts.
 */
const CLEAN =
  /^(?:\[[\da-f:.]+\]|[\w.\-]+)(?::\d+)?(?![^\/?#]*[\w@])[^\(\)\[\]\{\}'*\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]*/v;

/** Folding makes ASCII of these marks, which could then be part of an address. A full stop in a host is a dot. */
function withoutWideMarks(text: string): string {
  return text.replaceAll(WIDE_DOT, '.').replaceAll(WIDE_MARK, ' ');
}

const WIDE_DOT = /(?<=:\/\/[^\s/]{0,80}[a-z0-9])[。｡](?=[a-z0-9])/gi;
const WIDE_MARK =
  /：(?![\/／])|[[[\p{P}\p{S}]&&[\u2014-\u2027\u3000-\u303F\uFF00-\uFFEF]]--[．／＠：]]/gv;

/** Lines in code marks that a shell would run, and lines that feed one wherever they stand. */
function commandsIn(text: string): readonly string[] {
  const marked = Array.from(text.matchAll(CODE), ([, , code = '']) => code);
  return [
    ...marked.flatMap((code) => code.split('\n')).filter((line) => isCommand(fold(line))),
    ...text.split('\n').filter((line) => FEEDS_SHELL.test(line)),
  ];
}

/** As Markdown pairs the marks; what is never closed is code to the end. */
const CODE = /(?<!`)(`+|~{3,})(?!`)([^]*?)(?:(?<!`)\1(?!`)|$)/g;
const FEEDS_SHELL = /\|\s*(?:sudo\s+)?(?:ba|z|da|k|fi)?sh\b/i;

function isCommand(code: string): boolean {
  const line = code.replace(/^[`\s]+/, '');
  if (FLAG.test(line) || SCRIPT.test(line)) return true;
  return line.split(/\|\|?|&&|;|\$\(/).some((part) => PROGRAM.test(part));
}

const FLAG = /^\S+(?:\s.*)?\s--?[a-z]/;
const SCRIPT = /^(?:\.{1,2}\/\S|\S+\.(?:sh|bash|zsh|ps1|bat|cmd)(?:\s|$))/;
/** The programs that memories are likely to name, with an argument; a flag gives away any other. */
const PROGRAM =
  /^\s*(?:[$#>%]\s+)?(?:\w+=\S*\s+)*(?:sudo\s+)?(?:curl|wget|(?:ba|z|da|fi)?sh|eval|exec|source|rm|mv|cp|dd|chmod|chown|kill|pkill|scp|ssh|nc|git|gh|docker|podman|kubectl|helm|terraform|make|just|npm|npx|pnpm|yarn|bunx?|deno|node|tsx|pip3?|pipx|uvx?|poetry|python3?|ruby|gem|perl|php|go|cargo|dotnet|mvn|gradlew?|brew|apt(?:-get)?|yum|dnf|powershell|pwsh|iex|iwr)\s+\S/;

/**
 * Whether one message has all its words: people say "test with pnpm" and mean `pnpm test`. What a program is
 * usually told to do need not be said.
 */
function isGiven(command: string, sources: readonly string[]): boolean {
  const wanted = termsOf(command).filter((term) => !USUAL.has(term));
  return sources.some((source) => {
    const terms = new Set(termsOf(source));
    return wanted.every((term) => terms.has(term));
  });
}

function termsOf(text: string): readonly string[] {
  return analyse(fold(text)).map(({ term }) => term);
}

const USUAL: ReadonlySet<string> = new Set(
  termsOf(
    `install ci run test build start dev lint format check add remove update upgrade sync
    git init commit push pull checkout switch rebase merge`,
  ),
);
