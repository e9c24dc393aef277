// What is wrong with a Chinese text beside its English one: another word than the one agreed on, marks and spaces as
// they do not stand in Chinese, English words that were left. It does not judge whether it reads well.

interface Title {
  readonly english: string;
  readonly chinese: string;
}

/** One word for each idea: where the English has the one, the Chinese has the other. */
const GLOSSARY: readonly (readonly [RegExp, string])[] = [
  [/\bAPI keys?\b/, 'API 密钥'],
  [/\barchived?\b/i, '存档'],
  [/\bcompact(ion|ed|ing)?\b/i, '压缩'],
  [/\bconsolidat/i, '整理'],
  [/\bconversations?\b/i, '对话'],
  [/\bdescription\b/i, '描述'],
  [/\bfront matter\b/i, '元数据'],
  [/\bindex\b/i, '索引'],
  [/\bprivate\b(?! key)/i, '私有'],
  [/\bproposals?\b|\bproposed\b/i, '提议'],
  [/\brecalled\b/i, '召回'],
  [/\bsession\b/i, '会话'],
  // One that is a kind of secret is no measure.
  [/(?<!^an? .*)\btokens?\b/i, 'oken'],
  [/\btrash\b/i, '回收站'],
  [/\bunpin/i, '取消固定'],
  [/\bworkspace\b/i, '工作区'],
];

/** Other words for the same, and the one to take. */
const WRONG_WORDS: readonly (readonly [RegExp, string])[] = [
  [/归档/, '存档'],
  [/巩固|合并整理/, '整理'],
  [/提案|建议的记忆/, '提议'],
  [/垃圾桶|垃圾箱|废纸篓/, '回收站'],
  [/钉住|置顶/, '固定'],
  [/秘钥|密匙/, '密钥'],
  [/撤消|撤回/, '撤销'],
  [/回忆|唤回/, '召回'],
  [/抽取|萃取/, '提取'],
  [/前言|前置元数据|头信息/, '元数据'],
  [/会谈|谈话/, '对话'],
  [/概要/, '摘要'],
  [/登陆|帐号|帐户/, '登录, 账号, 账户'],
  [/您/, '你'],
  [/机密(?!存储)|秘密/, '敏感信息'],
  [/图像/, '图片'],
  [/从不到期|过期/, '到期'],
];

/** Names, and words that Chinese developers write in English. */
const LATIN_WORDS =
  /^(Agent|Anthropic|ANTHROPIC|ASCII|Azure|Bug|Claude|Code|Copilot|Cursor|DigitalOcean|Discord|Enter|Escape|Face|GitHub|GitLab|Google|Hugging|Ingest|JPEG|JSON|makefile|Markdown|Memory|OpenAI|PyPI|SendGrid|Shell|Slack|Stripe|Telegram|shell|token|Token|WebP|Windows|YAML|extraction|false|feedback|memory|memoryAgent|project|recall|reference|remember|forget|context|true|user|webhook)$/;

export function chineseProblems(
  english: string,
  chinese: string,
  commands: readonly Title[] = [],
): readonly string[] {
  const words = plain(chinese);
  return [
    ...GLOSSARY.flatMap(([said, word]) =>
      // A key or a value in a file is called what stands there.
      said.test(plain(english)) && !chinese.includes(word) && !said.test(chinese)
        ? [`lacks ${word}`]
        : [],
    ),
    ...WRONG_WORDS.flatMap(([wrong, word]) => (wrong.test(chinese) ? [`take ${word}`] : [])),
    ...(/会话/.test(chinese) && !/session/i.test(english) ? ['take 对话'] : []),
    ...markProblems(words),
    ...endProblems(english, chinese),
    ...(words.match(/\p{Script=Latin}{4,}/gu) ?? [])
      .filter((word) => !LATIN_WORDS.test(word))
      .map((word) => `English: ${word}`),
    ...commandProblems(english, chinese, commands),
  ];
}

/** Without code, links and names of files, and with a Chinese character in the place of a value. */
function plain(text: string): string {
  return text
    .replace(/“[\w{}]+: ?[\w{}]*”/g, '某')
    .replace(/`[^`]*`|\w+(-\w+)+/g, 'A')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\/\/[\w./]*|[\w/]*\.(gitignore|netrc|env|memory)\b|\$\([\w~-]+\)/g, 'A')
    .replace(/记忆: /g, '记忆：');
}

function markProblems(chinese: string): readonly string[] {
  if (!/\p{Script=Han}/u.test(chinese)) return [];
  const marks: readonly (readonly [RegExp, string])[] = [
    [
      /(\p{Script=Han}|\}|[”）])\s?[,.;:!?()]|[,.;:!?(]\s?(\p{Script=Han}|[“（])/u,
      'a mark that is not Chinese',
    ],
    [/"|'|‘|’(?!s )|\.\.\.|—(?!—)/, 'a mark that is not Chinese'],
    [/[\p{Script=Han}][A-Za-z0-9@]|[A-Za-z0-9%][\p{Script=Han}]/u, 'no space beside Latin letters'],
    [/\p{Script=Han} \p{Script=Han}/u, 'a space between characters'],
    [
      /[，。：；！？、（）“”] (?![·→↔+])|(?<![·→↔…]) [，。：；！？、（）“”]/u,
      'a space beside a mark',
    ],
  ];
  return marks.flatMap(([wrong, name]) => (wrong.test(chinese) ? [name] : []));
}

/** A title stays one, and a sentence ends as one. */
function endProblems(english: string, chinese: string): readonly string[] {
  const ends: readonly (readonly [RegExp, RegExp])[] = [
    [/[.][”*)]*$/, /[。][”）]*$|（.*）$/],
    [/\?$/, /？$/],
    [/…$/, /…$/],
    [/:$/, /：$/],
  ];
  const isSentence = (text: string) => /[.。？！?!…：:][”*)）]*$/.test(text.trim());
  const end = ends.find(([said]) => said.test(english));
  if (end) return end[1].test(chinese) ? [] : ['another end'];
  return isSentence(chinese) && !isSentence(english) ? ['another end'] : [];
}

/** A command is called in a sentence what it is called where it is found. */
function commandProblems(
  english: string,
  chinese: string,
  commands: readonly Title[],
): readonly string[] {
  if (commands.length === 0) return [];
  return [...english.matchAll(/Memory: ([^”*]+)[”*]/g)].flatMap(([, title = '']) => {
    const command = commands.find((each) => each.english === title);
    if (!command) return [`no command ${title}`];
    return chinese.includes(`记忆: ${command.chinese}`) ? [] : [`lacks 记忆: ${command.chinese}`];
  });
}
