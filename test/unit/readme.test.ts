// The two READMEs say the same, name all that package.json declares and nothing else, and lead nowhere that is not there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { SETTINGS, SETTINGS_SECTION, SLASH_COMMANDS } from '../../src/manifest.ts';

const { contributes } = JSON.parse(fs.readFileSync('package.json', 'utf8'));

interface Readme {
  readonly file: string;
  readonly text: string;
  readonly category: string;
  /** Of the commands that the palette offers, without the dots that say that more is asked. */
  readonly titles: readonly string[];
}

const english = readme('README.md', 'package.nls.json');
const chinese = readme('README.zh-CN.md', 'package.nls.zh-cn.json');
const both = [english, chinese];

describe('the READMEs', () => {
  it('have the same headings, in levels', () => {
    const levels = ({ text }: Readme) => headings(text).map(({ level }) => level);
    assert.ok(levels(english).length > 10);
    assert.deepEqual(levels(chinese), levels(english));
  });

  it('have the same blocks of code', () => {
    assert.ok(codeBlocks(english.text).length > 1);
    assert.deepEqual(codeBlocks(chinese.text), codeBlocks(english.text));
  });

  it('have as many rows and points in each section', () => {
    const parts = ({ text }: Readme) =>
      withoutCode(text)
        .split(/^#+ /m)
        .map((section) => section.match(/^ *(?:[-|]|\d+\.) /gm)?.length ?? 0);
    assert.deepEqual(parts(chinese), parts(english));
  });

  it('name the same files, keys and values', () => {
    const words = ({ text }: Readme) => {
      const spans = codeSpans(text);
      const stopgaps = new Set(spans.map((span) => /^\/\w+ (\S+)$/.exec(span)?.[1]));
      return new Set(spans.filter((span) => !/[\s…]/.test(span) && !stopgaps.has(span)));
    };
    assert.deepEqual([...words(chinese)].toSorted(), [...words(english)].toSorted());
  });

  it('show the same pictures and lead to the same files, but for each other', () => {
    const places = ({ text }: Readme) =>
      targets(text).filter((target) => !/^#|^README/.test(target));
    assert.ok(places(english).includes('media/readme/remember.png'));
    assert.deepEqual(places(chinese), places(english));
  });

  it('give the settings with the same defaults, in the order of package.json', () => {
    const declared = contributes.configuration.flatMap(({ properties }: { properties: object }) =>
      Object.keys(properties),
    );
    for (const { file, text } of both) {
      const rows = text.matchAll(/^\| `(memoryAgent\.[\w.]+)` *\| (?:`([^`]*)`)?/gm);
      const shown = [...rows].map(([, id, value = '']) => [id, value]);
      assert.deepEqual(
        shown,
        declared.map((id: string) => [id, defaultOf(id)]),
        file,
      );
    }
  });
});

for (const { file, text, category, titles } of both)
  describe(file, () => {
    it('leads to files and headings that are there', () => {
      const anchors = headings(text).map(({ title }) => `#${anchorOf(title)}`);
      const lost = targets(text).filter((target) =>
        target.startsWith('#') ? !anchors.includes(target) : !fs.existsSync(target),
      );
      assert.deepEqual(lost, []);
    });

    it('names every setting, and no other', () => {
      const named = new Set(text.match(/\bmemoryAgent\.\w+(?:\.\w+)*/g));
      const declared = Object.keys(SETTINGS).map((key) => `${SETTINGS_SECTION}.${key}`);
      assert.deepEqual([...named].toSorted(), declared.toSorted());
    });

    it('names every slash command, and no other', () => {
      const named = new Set(
        codeSpans(text).flatMap((span) => /^(?:@memory )?\/(\w+)/.exec(span)?.[1] ?? []),
      );
      assert.deepEqual([...named].toSorted(), SLASH_COMMANDS.toSorted());
    });

    it('lists every command of the palette, and no other', () => {
      const listed = commandRows(text, category).map(([titles]) => titles);
      assert.deepEqual(listed.flat().toSorted(), titles.toSorted());
    });

    it('calls the commands by their titles in what it says', () => {
      const named = [...text.matchAll(/\*\*([^*:]+): ([^*]+)\*\*/g)]
        .filter(([, before]) => before === category)
        .map(([, , title]) => title);
      assert.ok(named.length > 5);
      assert.deepEqual(
        named.filter((title) => title === undefined || !titles.includes(title)),
        [],
      );
    });

    it('names every tool for other agents', () => {
      const tools = contributes.languageModelTools.flatMap(
        ({ toolReferenceName: name }: { toolReferenceName?: string }) => name ?? [],
      );
      const named = new Set([...text.matchAll(/`#(\w+)`/g)].map(([, name]) => name));
      assert.deepEqual([...named].toSorted(), tools.toSorted());
    });
  });

describe('the Chinese README', () => {
  it('gives beside each command the name that it has in English', () => {
    const rows = commandRows(chinese.text, chinese.category);
    assert.deepEqual(
      rows.map(([, names]) => names),
      commandRows(english.text, english.category).map(([titles]) => titles),
    );
    for (const [titles, names] of rows)
      assert.deepEqual(
        titles.map((title) => chinese.titles.indexOf(title)),
        names.map((name) => english.titles.indexOf(name)),
      );
  });

  it('calls the parts of the window as the window does', () => {
    const words: Readonly<Record<string, string>> = {
      ...readTexts('l10n/bundle.l10n.zh-cn.json'),
      'To Review': readTexts('package.nls.zh-cn.json')['view.review'] ?? '',
    };
    for (const name of [
      'To Review',
      'Show in Memories View',
      'Try again',
      'Show what is remembered',
    ]) {
      assert.match(english.text.replace(/\s+/g, ' '), new RegExp(`[*_]${name}[*_]`));
      assert.match(chinese.text, new RegExp(`[“*]${words[name]}[”*]`), name);
    }
  });
});

function readme(file: string, nls: string): Readme {
  const texts = readTexts(nls);
  const title = (placeholder: string): string => {
    const text = texts[placeholder.replaceAll('%', '')];
    assert.ok(text, `${nls} lacks ${placeholder}`);
    return text.replace(/…$/, '');
  };
  const hidden = contributes.menus.commandPalette
    .filter(({ when }: { when: string }) => when === 'false')
    .map(({ command }: { command: string }) => command);
  const offered: readonly { command: string; title: string; category: string }[] =
    contributes.commands.filter(({ command }: { command: string }) => !hidden.includes(command));
  const categories = new Set(offered.map(({ category }) => title(category)));
  assert.equal(categories.size, 1);
  return {
    file,
    text: fs.readFileSync(file, 'utf8'),
    category: [...categories].join(''),
    titles: offered.map(({ title: placeholder }) => title(placeholder)),
  };
}

function readTexts(file: string): Readonly<Record<string, string>> {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** As package.json says it, written as JSON; empty for an empty text. */
function defaultOf(id: string): string {
  const [property] = contributes.configuration.flatMap(
    ({ properties }: { properties: Record<string, { default: unknown }> }) => properties[id] ?? [],
  );
  const value = property.default;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Of the table of the palette: the titles of each row, and, in the Chinese one, the English ones. */
function commandRows(text: string, category: string): readonly (readonly [string[], string[]])[] {
  return [...text.matchAll(/^\| ([^:|`]+): ([^|]+?) +\|/gm)]
    .filter(([, before]) => before === category)
    .map(([, , cell = '']) => {
      const [titles = '', names = ''] = cell.split(/（Memory: |）$/);
      return [titles.split(/, |、/), names.split(', ')] as const;
    });
}

function codeBlocks(text: string): readonly string[] {
  return text.match(/^```[^]*?^```$/gm) ?? [];
}

function withoutCode(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, '');
}

function codeSpans(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

function headings(text: string): readonly { readonly level: number; readonly title: string }[] {
  return [...withoutCode(text).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => ({
    level: marks.length,
    title,
  }));
}

/** As GitHub makes it: letters and digits of every script, dashes for spaces. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Of links and pictures. Addresses on the web are not looked up. */
function targets(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));
}
