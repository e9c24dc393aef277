// The words on buttons and in lists, in the language of the window: pictures are taken of it by what a person reads.

import fs from 'node:fs';
import path from 'node:path';

import { COMMANDS, type CommandKey } from '../../../src/manifest.ts';
import { ROOT } from '../../places.ts';

export interface Words {
  /** As it stands in the command palette. */
  readonly command: (key: CommandKey) => string;
  /** As it stands in a menu. */
  readonly title: (key: CommandKey) => string;
  /** A text of the source; the part before the first value where it has values. */
  readonly text: (english: string) => string;
  readonly view: (key: 'memories' | 'review') => string;
}

export function wordsOf(language: 'zh-cn' | undefined): Words {
  const titles = read(language === undefined ? 'package.nls.json' : `package.nls.${language}.json`);
  const texts = language === undefined ? {} : read(`l10n/bundle.l10n.${language}.json`);
  const title = (key: CommandKey): string =>
    titles[COMMANDS[key].replace('memoryAgent.', 'command.')] ?? key;
  return {
    title,
    command: (key) => `${titles['category']}: ${title(key)}`,
    text: (english) => (texts[english] ?? english).replace(/\{\d\}.*/su, '').trim(),
    view: (key) => titles[`view.${key}`] ?? key,
  };
}

function read(file: string): Readonly<Record<string, string>> {
  return JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));
}
