// Every text that a person may see has a Chinese translation, and every translation a text.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { chineseProblems } from '../support/chineseStyle.ts';
import { shownTexts, sourcesIn } from '../support/shownTexts.ts';
import { untranslatedTexts } from '../support/untranslatedTexts.ts';

const { texts, unreadable } = shownTexts('src');
const chinese = readTexts('l10n/bundle.l10n.zh-cn.json');
const manifest = readTexts('package.nls.json');
const manifestChinese = readTexts('package.nls.zh-cn.json');

/** What these say is for a model. What they show, such as a confirmation, is for a person all the same. */
const FOR_THE_MODEL = [
  'src/vscode/models/lmMessages.ts',
  'src/vscode/tools/editorWorkspace.ts',
  'src/vscode/tools/fileEncoding.ts',
  'src/vscode/tools/lmTools.ts',
  'src/vscode/tools/memoryTools.ts',
];

/** The same in every language, or never seen, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'Memory Agent': 'our name, as that of the log',
  'sk-ant-…': 'how a key begins',
  cancelled: 'the kind of an error',
  'Cancelled.': 'of an error that is told nobody, since the person stopped it',
  Aborted: 'the name that the web gives such an error',
  'as the model can': 'a value in our own code',
  'There is no Claude model at all.': 'of an error that the list of last resort keeps away',
  'No problems.': 'what the model is told of an attachment',
  'tools for other agents': 'a name in a line of the log',
  '[settings] memoryAgent.prices: "…" is ignored: …': 'a line of the log',
};

/** Folders of the core whose errors a person may be told. What they say is a `sentence`, but for what is below. */
const CORE = ['base', 'context', 'memory', 'models', 'sessions'];
const CORE_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'the kind of an error': ['auth', 'cancelled', 'network', 'other', 'overflow', 'refused'],
  'told nobody, since the person stopped it': ['Cancelled.'],
  'told the model, of a command that it ran': [
    'The command was stopped, but part of it still runs: process ….',
    'The working folder … does not exist.',
    'The system gave the command no process id.',
    'cmd.exe takes one line at a time. Join the commands with "&&" or "&".',
  ],
  'a line of the log': [
    'Nothing was extracted: …',
    '… has changed since the model was asked.',
    'It is a … and not a file.',
    'It is larger than … bytes.',
  ],
  'the reason behind a sentence, which tells what to do': [
    '… is a … and not a file.',
    '… is not empty, so it is not a lock.',
    'The reply ended before it was complete.',
    'It is a database of another program, and is left alone.',
    'Its schema is …, and … is known here.',
    '… is missing.',
    '… is no text.',
    '… is no number.',
    '… is no compaction mark.',
    '… names …, which is not there.',
    '… does not say how the history was compacted.',
    '… is no message.',
  ],
  'a mistake of our own': [
    '… cannot be the root of a tree.',
    '"…" is not the id of a session, so it names no transcript.',
  ],
};

describe('translation', () => {
  it('reads the texts of the sources', () => {
    assert.ok(texts.size > 500, `only ${texts.size} texts found`);
    assert.ok(texts.has('{0} is no longer there. Refresh the list.'));
  });

  it('finds a literal wherever a text is translated, but where the words of a sentence are', () => {
    assert.deepEqual(
      unreadable.map((place) => place.replace(/:\d+$/, '')),
      ['src/vscode/text/sentenceText.ts'],
    );
  });

  it('has a Chinese text for every text of the code, and no other', () => {
    assert.deepEqual(
      { missing: [...texts].filter((text) => !(text in chinese)), unused: keysNotIn(texts) },
      { missing: [], unused: [] },
    );
  });

  it('has a Chinese text for every text of package.json, and no other', () => {
    assert.deepEqual(Object.keys(manifestChinese).toSorted(), Object.keys(manifest).toSorted());
  });

  it('names in package.json only texts that there are, and has no other', () => {
    const named = fs.readFileSync('package.json', 'utf8').matchAll(/"%([^%"]+)%"/g);
    assert.deepEqual(
      [...new Set([...named].map(([, key]) => key))].toSorted(),
      Object.keys(manifest).toSorted(),
    );
  });

  it('says in Chinese what is not the same in English', () => {
    for (const [text, translation] of pairs()) {
      assert.notEqual(translation.trim(), '', text);
      // What holds no word but places, marks and names is the same in every language.
      if (/\p{Script=Latin}{2}/u.test(text.replace(/`[^`]*`|@memory|Memory Agent|Claude/g, '')))
        assert.match(translation, /\p{Script=Han}/u, text);
    }
  });

  it('keeps places, code and links in the Chinese texts', () => {
    for (const [text, translation] of pairs()) {
      assert.deepEqual(fixedParts(translation), fixedParts(text), text);
    }
  });

  it('takes the agreed words, Chinese marks, and the titles of the commands', () => {
    const commands = Object.keys(manifest)
      .filter((key) => key.startsWith('command.'))
      .map((key) => ({ english: titleOf(manifest, key), chinese: titleOf(manifestChinese, key) }));
    const problems = pairs().flatMap(([text, translation]) =>
      chineseProblems(text, translation, commands).map((problem) => `${problem}: ${translation}`),
    );
    assert.deepEqual(problems, []);
  });

  it('shows a person no English that is not translated', () => {
    const files = [...sourcesIn('src/vscode'), 'src/extension.ts'];
    const found = files
      .flatMap((file) => untranslatedTexts(file))
      .filter(({ text, file, use }) => {
        const isForModel = use !== 'shown' && FOR_THE_MODEL.includes(file);
        return !isForModel && !(text in ALLOWED);
      });
    assert.deepEqual(
      found.map(({ text, file, line }) => `${file}:${line}: ${text}`),
      [],
    );
  });

  it('tells a person of no failure in the core in English', () => {
    const allowed = new Set(Object.values(CORE_ALLOWED).flat());
    const thrown = CORE.flatMap((folder) => sourcesIn(`src/${folder}`))
      .flatMap((file) => untranslatedTexts(file))
      .filter(({ use }) => use === 'thrown');
    const found = new Set(thrown.map(({ text }) => text));
    assert.deepEqual(
      {
        more: thrown
          .filter(({ text }) => !allowed.has(text))
          .map(({ text, file, line }) => `${file}:${line}: ${text}`),
        gone: [...allowed].filter((text) => !found.has(text)),
      },
      { more: [], gone: [] },
    );
  });

  it('allows no untranslated text that is not there any more', () => {
    const found = new Set(
      [...sourcesIn('src/vscode'), 'src/extension.ts']
        .flatMap((file) => untranslatedTexts(file))
        .map(({ text }) => text),
    );
    assert.deepEqual(
      Object.keys(ALLOWED).filter((text) => !found.has(text)),
      [],
    );
  });

  for (const [what, source] of [
    ['a message', 'vscode.window.showInformationMessage(`Saved ${name}.`)'],
    ['a button of a message', 'vscode.window.showWarningMessage(text, { modal: true }, "Yes")'],
    ['the detail of a message', 'ask(text, { modal: true, detail: "Gone" })'],
    ['the title of a list', 'vscode.window.showQuickPick(items, { title: "Pick" })'],
    ['a row of a list', 'items.push({ label: isOne ? "One" : `${count} more` })'],
    ['a list that is made', 'list.placeholder = "Which?"'],
    ['an input', 'vscode.window.showInputBox({ prompt: "Name" })'],
    ['a row of a tree', 'new vscode.TreeItem("Damaged")'],
    ['a tooltip', 'item.tooltip = new vscode.MarkdownString("Open")'],
    ['a label for a screen reader', 'item.accessibilityInformation = { label: name + ", pinned" }'],
    ['the answer in a chat', 'response.markdown(`**Done**`)'],
    ['the progress in a chat', 'response.progress("Thinking…")'],
    ['a button in a chat', 'response.button({ command, title: "Open" })'],
    ['progress', 'withProgress({ location, title: "Checking" }, run)'],
    ['a step of a progress', 'progress.report({ message: `${n} files` })'],
    ['the status bar', 'item.text = `$(notebook) ${count} memories`'],
    ['the name of an item', 'item.name = "Memory"'],
    ['a passing message', 'vscode.window.setStatusBarMessage("Undone", 5000)'],
    ['an error', 'throw new Error("Failed")'],
    ['a decoration', 'new vscode.FileDecoration("G", "Shared")'],
    ['a list of parts', 'const label = [name, "pinned"].join(", ")'],
    ['a sentence by way of a function', 'tell("Nothing was saved.")'],
    ['a word by way of a function', 'function label() { return "Personal"; }'],
  ] as const)
    it(`finds English in ${what}`, () => {
      assert.equal(
        untranslatedTexts('sample.ts', source).length,
        what === 'a row of a list' ? 2 : 1,
      );
    });

  it('finds nothing in what is translated, logged or no text', () => {
    const source = `
      import { sentence } from '../base/two words.ts';
      type Kind = 'of two words';
      vscode.window.showErrorMessage(vscode.l10n.t('The file {0} is gone.', file));
      throw new SentenceError(sentence\`The file \${file} is gone.\`);
      this.#log.warn(\`[chat] The file \${file} is gone.\`);
      item.text = \`$(notebook) \${count}\`;
      list.push({ label: kind === 'one' ? name : '· ' });
      vscode.commands.executeCommand('vscode.open', uri);`;
    assert.deepEqual(untranslatedTexts('sample.ts', source), []);
  });

  for (const [problem, english, translation] of [
    ['lacks 对话', 'No conversation', '没有会谈记录'],
    ['lacks 取消固定', 'Unpin', '松开'],
    ['take 对话', 'The chat', '此会话'],
    ['take 撤销', 'Undo', '撤消'],
    ['a mark that is not Chinese', 'Saved: {0}', '已保存: {0}'],
    ['a mark that is not Chinese', '{0}, pinned', '{0}, 已固定'],
    ['a mark that is not Chinese', 'Show “{0}”', '显示"{0}"'],
    ['no space beside Latin letters', 'Share with Git', '通过Git 共享'],
    ['a space between characters', 'All notices', '所有 通知'],
    ['a space beside a mark', 'Saved: {0}', '已保存： {0}'],
    ['another end', 'Saved.', '已保存'],
    ['another end', 'Save', '保存。'],
    ['another end', 'Save it?', '要保存它。'],
    ['English: Cache', 'The cache', 'Cache 内容'],
    ['no command Undo', 'With “Memory: Undo”', '用“记忆: 撤销”'],
    ['lacks 记忆: 撤销上次更改', 'With “Memory: Undo Last Change”', '用“记忆: 撤销更改”'],
  ] as const)
    it(`tells of “${translation}” that it is wrong: ${problem}`, () => {
      const commands = [{ english: 'Undo Last Change', chinese: '撤销上次更改' }];
      assert.ok(chineseProblems(english, translation, commands).includes(problem));
    });
});

function pairs(): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(chinese),
    ...Object.entries(manifest).map(([key, text]): readonly [string, string] => [
      text,
      manifestChinese[key] ?? '',
    ]),
  ];
}

function keysNotIn(known: ReadonlySet<string>): readonly string[] {
  return Object.keys(chinese).filter((text) => !known.has(text));
}

/** As it stands in a sentence. */
function titleOf(nls: Readonly<Record<string, string>>, key: string): string {
  return (nls[key] ?? '').replace(/…$/, '');
}

/** What a translation must hold as it is, sorted: another language may put it in another order. */
function fixedParts(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}|`[^`]+`|\]\([^)]+\)|\$\([\w~-]+\)/g)]
    .map(([part]) => (part.startsWith('`/') ? commandIn(part) : part))
    .toSorted();
}

/** What a person writes behind a command of the chat is in their language. */
function commandIn(code: string): string {
  return code.replace(/ .*`$/, ' …`');
}

function readTexts(file: string): Readonly<Record<string, string>> {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
