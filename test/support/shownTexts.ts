// The texts that a person may be shown, read out of the sources: what is given to `l10n.t`, and the words of the
// sentences that the core makes.

import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { Argument, TemplateElement } from 'oxc-parser';

interface ShownTexts {
  /** English, with `{0}` in the places of the values. */
  readonly texts: ReadonlySet<string>;
  /** Places where what is given to `l10n.t` is no literal, so that no translation can be found. */
  readonly unreadable: readonly string[];
}

export function shownTexts(folder: string): ShownTexts {
  const texts = new Set<string>();
  const unreadable: string[] = [];
  for (const file of sourcesIn(folder)) {
    const source = fs.readFileSync(file, 'utf8');
    const { program } = parseSync(file, source);
    new Visitor({
      CallExpression({ callee, arguments: [first], start }) {
        if (source.slice(callee.start, callee.end) !== 'vscode.l10n.t') return;
        const text = literalText(first);
        if (text === undefined) unreadable.push(`${file}:${lineAt(source, start)}`);
        else texts.add(text);
      },
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type === 'Identifier' && tag.name === 'sentence')
          texts.add(templateOf(quasi.quasis));
      },
    }).visit(program);
  }
  return { texts, unreadable };
}

export function sourcesIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file))
    .toSorted();
}

function literalText(argument: Argument | undefined): string | undefined {
  return argument?.type === 'Literal' && typeof argument.value === 'string'
    ? argument.value
    : undefined;
}

/** As `sentence` makes it. */
function templateOf(words: readonly TemplateElement[]): string {
  return words
    .map(({ value }) => value.cooked ?? '')
    .reduce((text, next, i) => `${text}{${i - 1}}${next}`);
}

export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
