// What a simulated person says over three months, in three languages: facts with the values they take one after
// another, and how they are worded by the person and by a model. Values occur nowhere else in these words.

import type { MemoryType } from '../../src/memory/record.ts';

type Tongue = 'en' | 'zh' | 'ja';

export interface Fact {
  readonly id: string;
  readonly tongue: Tongue;
  readonly type: MemoryType;
  readonly label: string;
  /** With `{}` for the value: the person's sentence, what a model makes of it, and other wordings of either. */
  readonly said: string;
  readonly note: string;
  readonly rewordings: readonly string[];
  readonly values: readonly string[];
}

export interface Statement {
  readonly fact: Fact;
  /** Undefined: that the person took it back. */
  readonly value: string | undefined;
  readonly sentence: string;
}

const ENGLISH = `
indentation | user | indentation | For indentation I prefer {}. | Indentation is done with {}. | tabs > two spaces > tabs
quotes | user | quotation marks | As quotation marks around strings I like {}. | Strings get {} as quotation marks. | apostrophes > double quotes
line-length | user | line length | My limit for the line length is {} columns. | The line length is at most {} columns. | 88 > 120
test-names | user | test names | I write test names in {}. | Test names are written in {}. | snake case > whole sentences
commits | feedback | commit messages | Please write commit messages in the {}. | Commit messages are written in the {}. | imperative > past tense
comments | feedback | code comments | Keep code comments {}. | Code comments are kept {}. | short and rare
answers | feedback | length of answers | I want the length of answers to be {}. | The length of answers should be {}. | a few lines > one paragraph
emoji | feedback | emoji | With emoji in replies please be {}. | Emoji in replies: be {}. | very sparing
keyboard | user | keyboard layout | My keyboard layout is {}. | They type on the keyboard layout {}. | Dvorak > Colemak
theme | user | colour theme | I work in the colour theme {}. | The colour theme of the editor is {}. | Solarized > Nord
time-zone | user | time zone | My time zone is {}. | Times are given in the time zone {}. | Europe/Lisbon > Asia/Tokyo
job | user | job title | My job title is {}. | Their job title is {}. | platform engineer > staff engineer
flaky | feedback | flaky tests | When you meet flaky tests, {}. | Flaky tests: {}. | quarantine them > fix their cause
http-port | project | HTTP port | The HTTP port of the gateway is {}. | The gateway listens on the HTTP port {}. | 8080 > 9443 > 8181
database | project | database version | Our database version is PostgreSQL {}. | The database version in use is PostgreSQL {}. | 14.2 > 15.6 > 16.1
beta | project | release date | The release date of the beta is {}. | The beta has the release date {}. | 2026-03-14 > 2026-04-02 > 2026-04-20
billing | project | billing module | The billing module belongs to {}. | The owner of the billing module is {}. | Marta Lindqvist > Joel Adeyemi
runtime | project | runtime version | Our runtime version is Node {}. | The runtime version in use is Node {}. | 20.11 > 22.4
queue | project | message queue | Our message queue is {}. | Events go through the message queue {}. | RabbitMQ > NATS
product | project | product name | The product name is {}. | The product is sold under the product name {}. | Heron > Kestrel
staging | reference | staging dashboard | The staging dashboard is at {} these days. | The staging dashboard is found at {} by now. | https://grafana.internal.test/staging > https://dash.internal.test/staging
tracker | reference | bug tracker | Bugs go to the bug tracker project {}. | The bug tracker has the project {} for bugs. | GATEWAY > PORTAL
design | reference | design documents | The design documents are kept in {}. | Design documents live in {}. | docs/design
`;

const CHINESE = `
zh-names | user | 变量命名 | 变量命名我喜欢用{}。 | 变量命名使用{}。 | 驼峰式 > 下划线式
zh-comments | feedback | 注释语言 | 注释语言请用{}。 | 注释语言为{}。 | 英文 > 法文
zh-packages | user | 包管理器 | 包管理器我习惯用{}。 | 包管理器使用{}。 | pnpm > bun
zh-terminal | user | 终端程序 | 我的终端程序是{}。 | 平时的终端程序为{}。 | kitty > WezTerm
zh-explain | feedback | 解释方式 | 解释方式请尽量{}。 | 解释方式尽量{}。 | 先给结论 > 先举例子
zh-review | feedback | 代码评审 | 代码评审时请{}。 | 代码评审时应{}。 | 逐行给意见
zh-log | feedback | 日志格式 | 日志格式我要{}。 | 日志格式为{}。 | 单行JSON > logfmt
zh-cache | project | 缓存服务 | 缓存服务的端口是{}。 | 缓存服务监听端口{}。 | 6380 > 6391
zh-region | project | 部署区域 | 部署区域定在{}。 | 部署区域为{}。 | 法兰克福 > 新加坡
zh-pay | project | 支付接口 | 支付接口由{}负责。 | 支付接口的负责人是{}。 | 李雯 > 陈浩
zh-accept | project | 验收日期 | 验收日期是{}。 | 验收日期定为{}。 | 2026年3月9日 > 2026年4月11日
zh-frontend | project | 前端框架 | 前端框架选了{}。 | 前端框架为{}。 | SvelteKit > Astro
zh-branch | project | 主干分支 | 主干分支叫{}。 | 主干分支的名字是{}。 | trunk > mainline
zh-monitor | reference | 监控面板 | 监控面板在 {} 上。 | 监控面板的地址是 {} 这个。 | https://mon.internal.test/cn > https://watch.internal.test/cn
zh-api | reference | 接口文档 | 接口文档放在{}。 | 接口文档位于{}。 | 知识库首页
zh-units | user | 计量单位 | 计量单位我用{}。 | 计量单位为{}。 | 公制
zh-name | user | 称呼方式 | 称呼方式上请叫我{}。 | 称呼方式上叫对方{}。 | 老周 > 周工
zh-speed | feedback | 性能优化 | 性能优化之前请{}。 | 性能优化之前要{}。 | 先做基准测试
zh-clock | user | 时间格式 | 时间格式我偏好{}。 | 时间格式为{}。 | 二十四小时制
zh-backup | project | 备份周期 | 备份周期是{}。 | 备份周期为{}。 | 每六小时 > 每三小时
`;

const JAPANESE = `
ja-newline | user | 改行コード | 改行コードは{}が好みです。 | 改行コードは{}を使う。 | LF
ja-types | feedback | 型注釈 | 型注釈は{}でお願いします。 | 型注釈は{}とする。 | 必ず明示 > 公開関数に限定
ja-style | feedback | 返事の文体 | 返事の文体は{}にしてください。 | 返事の文体は{}とする。 | 丁寧語 > 常体
ja-errors | feedback | エラー処理 | エラー処理は{}で書いてください。 | エラー処理は{}で書く。 | Result型 > 例外
ja-tests | user | テストツール | テストツールは{}を使っています。 | テストツールは{}である。 | Vitest > Mocha
ja-size | user | 文字サイズ | 文字サイズは{}ポイントにしています。 | 文字サイズは{}ポイントとする。 | 13 > 17
ja-auth | project | 認証サーバー | 認証サーバーのポートは{}です。 | 認証サーバーはポート{}で待ち受ける。 | 7443 > 7551
ja-due | project | 第一版の納期 | 第一版の納期は{}です。 | 第一版の納期は{}とする。 | 3月20日 > 4月8日
ja-search | project | 検索機能 | 検索機能の担当は{}さんです。 | 検索機能の担当者は{}さんである。 | 佐藤 > 高橋
ja-ci | project | CI環境 | CI環境は{}に移りました。 | CI環境は{}である。 | Buildkite > Woodpecker
ja-container | project | コンテナ基盤 | コンテナ基盤は{}です。 | コンテナ基盤には{}を用いる。 | Nomad > k3s
ja-languages | project | 翻訳対象 | 翻訳対象の言語は{}です。 | 翻訳対象の言語は{}とする。 | 韓国語とタイ語
ja-spec | reference | 要件書 | 要件書は{}にあります。 | 要件書の場所は{}である。 | 共有ドライブ
ja-meeting | project | 定例会議 | 定例会議は{}に行います。 | 定例会議は{}に開かれる。 | 火曜の朝 > 木曜の夕方
ja-diagram | feedback | 設計図 | 設計図は{}で描いてください。 | 設計図は{}で描く。 | Mermaid
ja-call | user | 私の呼び方 | 私の呼び方は{}でお願いします。 | 私の呼び方は{}とする。 | ハルさん
ja-browser | user | 確認用ブラウザー | 確認用ブラウザーは{}です。 | 確認用ブラウザーには{}を使う。 | Firefox > Vivaldi
`;

/** A person changes language: the last value of these is said in another one. */
const SAID_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['queue', '我们的消息队列 message queue 换成{}了。'],
  ['zh-packages', 'As 包管理器, the package manager, I now use {}.'],
  ['ja-ci', 'CI环境已经搬到{}上了。'],
]);

/** Facts that a model may put into one record, as they belong together. */
export const AREAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['gateway-facts', ['http-port', 'database', 'runtime']],
  ['deploy-facts-zh', ['zh-cache', 'zh-region']],
  ['server-facts-ja', ['ja-auth', 'ja-container']],
]);

const REWORDINGS = {
  en: ['As for the <>: {}.', 'About <> they said: {}.'],
  zh: ['说到<>，就是{}。', '至于<>，对方说的是{}。'],
  ja: ['<>については{}。', '<>に関しては{}とのこと。'],
} as const;

const TAKEN_BACK = {
  en: 'Please forget what I said about the <>: it does not hold any more.',
  zh: '请忘掉我说过的关于<>的话，它不再成立。',
  ja: '<>について言ったことは忘れてください、もう当てはまりません。',
} as const;

const NOTED_AS_TAKEN_BACK = {
  en: 'What was said about the <> does not hold any more.',
  zh: '关于<>的说法不再成立。',
  ja: '<>についての話はもう当てはまらない。',
} as const;

const QUESTIONS = {
  en: 'Which <> do we have here?',
  zh: '这里的<>是什么？',
  ja: 'ここでの<>は何でしたか？',
} as const;

export const FACTS: readonly Fact[] = [
  ...table(ENGLISH, 'en'),
  ...table(CHINESE, 'zh'),
  ...table(JAPANESE, 'ja'),
];

export function saying(fact: Fact, value: string): string {
  const isLast = fact.values.indexOf(value) === fact.values.length - 1;
  return filled((isLast && SAID_OTHERWISE.get(fact.id)) || fact.said, value);
}

export function takingBack({ tongue, label }: Fact): string {
  return TAKEN_BACK[tongue].replace('<>', label);
}

export function notedAsTakenBack({ tongue, label }: Fact): string {
  return NOTED_AS_TAKEN_BACK[tongue].replace('<>', label);
}

export function asking({ tongue, label }: Fact): string {
  return QUESTIONS[tongue].replace('<>', label);
}

export function filled(template: string, value: string): string {
  return template.replace('{}', () => value);
}

/** What a text says of the facts, whoever worded it; each once. */
export function statementsIn(text: string): readonly Statement[] {
  const lines = text.split('\n');
  const lower = text.toLowerCase();
  const found = READERS.flatMap(({ fact, words, patterns, gone }) => {
    if (!words.some((word) => lower.includes(word))) return [];
    const told = lines.flatMap((line) =>
      patterns.flatMap((pattern) =>
        Array.from(line.matchAll(pattern), ([sentence, value = '']) => ({ fact, value, sentence })),
      ),
    );
    const back = gone.filter((sentence) => text.includes(sentence));
    return [...told, ...back.map((sentence) => ({ fact, value: undefined, sentence }))];
  });
  return found.filter(
    ({ fact, value }, at) =>
      found.findIndex((other) => other.fact === fact && other.value === value) === at,
  );
}

/** Whether a text has a value, and not only as a part of a longer one. */
export function holdsValue(text: string, value: string): boolean {
  const literal = escaped(value);
  return new RegExp(`(?<![a-zA-Z0-9]|[0-9][.-])${literal}(?![.-]?[a-zA-Z0-9])`, 'u').test(text);
}

function table(lines: string, tongue: Tongue): readonly Fact[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', type = '', label = '', said = '', note = '', values = ''] = line.split(' | ');
      const rewordings = REWORDINGS[tongue].map((each) => each.replace('<>', label));
      return {
        id,
        tongue,
        type: typeOf(type),
        label,
        said,
        note,
        rewordings,
        values: values.split(' > '),
      };
    });
}

function typeOf(type: string): MemoryType {
  if (type === 'user' || type === 'feedback' || type === 'project') return type;
  return 'reference';
}

const READERS = FACTS.map((fact) => {
  const other = SAID_OTHERWISE.get(fact.id);
  const templates = [fact.said, fact.note, ...fact.rewordings, ...(other ? [other] : [])];
  return {
    fact,
    words: [fact.label, ...(other ? other.split('{}', 1) : [])].map((word) => word.toLowerCase()),
    patterns: templates.map((template) => patternOf(template)),
    gone: [takingBack(fact), notedAsTakenBack(fact)],
  };
});

/** A value ends where the template goes on, and never holds the end of a sentence. */
function patternOf(template: string): RegExp {
  const [before = '', after = ''] = template.split('{}').map(escaped);
  const end = after.endsWith('.') ? '(?=$|\\s)' : '';
  return new RegExp(`${before}((?:(?!\\. |。).)+?)${after}${end}`, 'gu');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
