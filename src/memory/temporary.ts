// Tells whether a text says that it holds for now only. Such a thing is no memory, however well it is phrased.

import { fold } from './fieldText.ts';

/**
 * What reads like it but names a thing: `this task runner`, `the current session token`, `current chat model`.
 */
const THINGS = `runner|queue|list|board|manager|scheduler|worker|graph|file|type|name|id|token|cookie|key|secret|store|storage|state|timeout|expiry|handler|object|class|table|user|variable|window|history|log|model|participant|view|panel|page`;
const THINGS_CHINESE =
  '令牌|超时|超時|队列|佇列|列表|管理|调度|運行|运行|存储|儲存|标识|框|窗口|记录|記錄|历史';
const THINGS_JAPANESE = 'ランナー|キュー|一覧|管理|トークン|タイムアウト|ID|クッキー|履歴|ストア';

/** Says in so many words that it ends with this conversation. */
const LIMITED: readonly RegExp[] = [
  new RegExp(
    `\\b(?:this|(?:the |our |my )?current) (?:session|conversation|chat|turn|task)\\b(?! (?:${THINGS})s?\\b)`,
  ),
  /\b(?:just|only) (?:for )?(?:this (?:once|time|one time)|today|tonight|this (?:morning|afternoon|evening|week))\b/,
  /\b(?:this time|today|for today|for this (?:once|time)) only\b/,
  /\bthis once\b/,
  /\bfor now\b(?! (?:hacks?|fix(?:es)?|solutions?|workarounds?|comments?|todos?|code)\b)/,
  /\bfor the (?:moment|time being)\b/,
  new RegExp(
    `(?:本次|这次|這次|此次|当前|當前|目前这个|目前這個|这个|這個|本)的?(?:会话|會話|对话|對話|聊天|任务|任務|轮次|輪次|回合)(?!${THINGS_CHINESE})`,
  ),
  /这一轮|這一輪|本轮|本輪/,
  /(?:就|只|仅|僅|只限|仅限|僅限|只有|只在)(?:这|這|此|今|本)(?:一)?(?:次|天|回)/,
  /下不为例|下不為例/,
  /今回(?:だけ|のみ|限り|に限り)|今(?:だけ|日だけ|日のみ)/,
  new RegExp(
    `(?:この|今の|現在の|今回の)(?:セッション|タスク|会話|チャット|ターン)(?!${THINGS_JAPANESE})`,
  ),
  /이번(?:에)?만|이번 한 번만|오늘만|당분간|지금만/,
  /(?:이|이번|현재) ?(?:세션|대화|작업|채팅)(?! ?(?:토큰|큐|목록|시간|관리))/,
];

/** Common in talk, but a memory that is written in such words will be wrong soon. */
const PASSING: readonly RegExp[] = [
  /\b(?:until|till) (?:tomorrow|tonight|(?:this |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this |next )(?:week|month|sprint)|the end of (?:the |this )?(?:day|week|month|sprint))\b/,
  /\btoday\b(?!['’]s date| (?:button|view|page|widget|tab|marker)\b)/,
  /(?:暂时|暫時)(?!性)/,
  /(?:这次|這次)(?!数|數)/,
  /今天(?!的日期)/,
  // Monday to Friday is a rule, until Friday is not.
  /(?<![一二三四五六日天])到(?:这|這|下|本)?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]/,
  /とりあえず|今日は|今日まで|今回は/,
  /오늘은|임시로|지금은/,
];

/** Whether a memory's own text is worded for the moment. What stands in quotation marks is only mentioned. */
export function isTemporary(text: string): boolean {
  const words = plainWords(text);
  return [...LIMITED, ...PASSING].some((pattern) => pattern.test(words));
}

/** Whether a person's sentence limits itself. Milder than `isTemporary`: people say "today" of lasting things. */
export function isLimited(text: string): boolean {
  const words = plainWords(text);
  return LIMITED.some((pattern) => pattern.test(words));
}

function plainWords(text: string): string {
  const unquoted = text.normalize('NFKC').replaceAll(MENTIONED, ' ');
  return fold(unquoted.replaceAll(/(?<=[a-z])[-_](?=[a-z])/gi, ' '));
}

/** Text in quotation marks or code marks; an apostrophe within a word is neither. */
const MENTIONED =
  /"[^"\n]*"|“[^”\n]*”|`[^`\n]*`|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;
