// Tells whether a text says that it holds for now only. Such a thing is no memory, however well it is phrased.

import { fold } from '../fieldText.ts';

/**
 * What reads like it but names a thing: `this task runner`, `the current session token`, `current chat model`.
 */
const THINGS = `runner|queue|list|board|manager|scheduler|worker|graph|file|type|name|id|token|cookie|key|secret|store|storage|state|timeout|expiry|handler|object|class|table|user|variable|window|history|log|model|participant|view|panel|page`;
const THINGS_CHINESE =
  '令牌|超时|超時|队列|佇列|列表|管理|调度|運行|运行|存储|儲存|标识|框|窗口|记录|記錄|历史';
const THINGS_JAPANESE = 'ランナー|キュー|一覧|管理|トークン|タイムアウト|ID|クッキー|履歴|ストア';

const TALK = '(?:session|conversation|chat|turn|task)';
const TALK_CHINESE = '(?:会话|會話|对话|對話|聊天|任务|任務|轮次|輪次|回合)';

/** Says in so many words that it ends with this conversation. */
const OF_THIS_TALK: readonly RegExp[] = [
  new RegExp(`\\bthis ${TALK}\\b(?! (?:${THINGS})s?\\b)`),
  // Products have a current session or task too; only with such a word before it or behind it is it this one.
  new RegExp(
    `\\b(?:for|in|during|within|throughout|(?:rest|end|duration) of|(?:appl(?:y|ies)|limited|only) to) (?:the |our |my )?current ${TALK}\\b(?! (?:${THINGS})s?\\b)`,
  ),
  new RegExp(`\\bcurrent ${TALK} only\\b`),
  new RegExp(
    `(?:本次|这次|這次|此次|目前这个|目前這個|这个|這個|本)的?${TALK_CHINESE}(?!${THINGS_CHINESE})`,
  ),
  new RegExp(
    `(?:在|仅|僅|只|限|对|對|针对|針對)(?:当前|當前|目前)的?${TALK_CHINESE}(?!${THINGS_CHINESE})`,
  ),
  new RegExp(
    `(?:当前|當前|目前)的?${TALK_CHINESE}(?:中|里|裡|内|內|期间|期間|先|只|请|請|不用|不要|不必|不需|需要|要用|改用|采用|採用|跳过|跳過|别|別|使用|用(?![户戶于於]))`,
  ),
  /这一轮|這一輪|本轮|本輪/,
  new RegExp(`(?:この|今回の)(?:セッション|タスク|会話|チャット|ターン)(?!${THINGS_JAPANESE})`),
  /(?:今の|現在の)(?:セッション|タスク|会話|チャット|ターン)(?:では|だけ|のみ|中|の間|に限)/,
  /(?:이|이번) ?(?:세션|대화|작업|채팅)(?! ?(?:토큰|큐|목록|시간|관리))/,
  /현재 ?(?:세션|대화|작업|채팅)(?:에서|에만|만| ?동안| ?중)/,
  /\b(?:für|in) diese[rnms]? (?:sitzung|unterhaltung|aufgabe|gespräch|chat)\b/,
  /\b(?:en|para|durante) esta (?:sesión|conversación|tarea)\b/,
  /\b(?:dans|pour|pendant) cette (?:session|conversation|tâche)\b/,
  /\b(?:nesta|para esta) (?:sessão|conversa|tarefa)/,
];

/** The same, or that it ends soon after it. */
const LIMITED: readonly RegExp[] = [
  ...OF_THIS_TALK,
  /\b(?:just|only) for this (?:file|function|class|commit|change|pr|pull request|branch|one)\b/,
  /\bfor this (?:file|function|class|commit|change|pr|pull request|branch|one) only\b/,
  /\b(?:until|till) (?:tomorrow|tonight|the end of (?:the |this )?day)\b/,
  /\b(?:just|only) (?:for )?(?:this (?:once|time|one time)|today|tonight|this (?:morning|afternoon|evening|week))\b/,
  /\b(?:this (?:time|morning|afternoon|evening|week|month|sprint)|today|tonight|for today|for this (?:once|time)) only\b/,
  /\bfor the rest of (?:the |this )?(?:day|week|month|sprint)\b/,
  /\bas an? (?:one off|exception (?:this|just|only))\b/,
  /\bthis once\b/,
  /(?<!\b(?:by|at|around|about|before|after|all|in) )\bthis (?:one )?time\b(?! (?:zone|of|frame|slot|series|stamp|span|limit|to|is|was|must|should|will)\b)/,
  // What somebody is told to do, up to the end of its clause. People say "today" of lasting things too.
  /(?:^|[.!?;:,] ?)(?:(?:and|so|but|ok|please|just) )*(?:don['’]t|do not|no|skip|ignore|use|leave|keep|let['’]?s|answer|deploy|commit|push|run)\b[^.!?;:,]{0,80}(?<!\b(?:from|of|since|after|before)) (?:today|tonight|right now|this (?:morning|afternoon|evening))(?=[.!?;:,]|$)/,
  /(?:^|[.!?;:,] ?)(?:(?:so|but|ok|please|just|let['’]?s) )*temporarily (?:use|disable|enable|skip|ignore|turn|switch|set|comment|remove|add)\b/,
  /\bfor the next (?:hour|few (?:minutes|hours|days)|couple of (?:minutes|hours|days))\b/,
  /\bfor now\b(?! (?:hacks?|fix(?:es)?|solutions?|workarounds?|comments?|todos?|code)\b)/,
  /\bfor the (?:moment|time being)\b/,
  /(?:这|這)一?次(?:例外|就|先|只|都|请|請|别|別|不|可以|使用|改用|用(?![户戶于於])|跳过|跳過)/,
  /(?:现在|現在)先|(?:临时|臨時)(?:用一下|先|关|關|禁用|跳过|跳過|绕过|繞過|改成|换成|換成)/,
  /今天(?:就|先|只|别|別|不用|不要)/,
  /(?:暂时|暫時)(?!性)|暂且|暫且|目前(?:先|暂|暫)/,
  /(?:就|只|仅|僅|只限|仅限|僅限|只有|只在)(?:这|這|此|今|本)(?:一)?(?:次|天|回)/,
  /下不为例|下不為例/,
  /今回(?:だけ|のみ|限り|に限り)|今(?:だけ|日だけ|日のみ)/,
  /今回は|当面(?:は|の間)/,
  /今日は[^。.!?、,]{0,20}(?:しない|やめ|なし|不要|いらない|だけ)/,
  /(?:지금|오늘)은[^.!?,]{0,30}지 ?(?:마|말)|임시로 [^.!?,]{0,20}(?:써|사용해|해|둬)(?:줘|요|주세요)?(?=[.!?]|$)/,
  /이번(?:에)?만|이번(?:에는|엔)(?!\p{L})|이번 한 번만|오늘만|당분간|지금만/u,
  /\b(?:nur (?:für )?(?:heute|jetzt|dies(?:es)? ?mal)|ausnahmsweise|diesmal|vorerst|jetzt gerade|im moment (?:bitte )?(?:nicht|keine?)|erst ?mal (?:ohne|nicht|keine?)|vorläufig|fürs erste|bis (?:morgen|übermorgen|heute abend))\b/,
  /\b(?:por (?:ahora|el momento)|esta vez|de momento|s[oó]lo (?:por )?(?:hoy|esta vez)|hasta mañana)\b/,
  /\b(?:pour (?:l['’]instant|le moment|cette fois)|(?:juste|seulement|uniquement) (?:cette fois|aujourd['’]hui)|aujourd['’]hui (?:seulement|uniquement)|cette fois(?: ci)?|exceptionnellement|jusqu['’]à demain)\b/,
  /\b(?:por enquanto|(?:só|apenas|somente) (?:hoje|desta vez|por hoje)|até amanhã)/,
];

/** Common in talk, but a memory that is written in such words will be wrong soon. */
const PASSING: readonly RegExp[] = [
  // A day that comes again each week is a rule.
  /\b(?:until|till) (?:tomorrow|tonight|(?:this |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this |next )(?:week|month|sprint)|the end of (?:the |this )?(?:day|week|month|sprint)|further notice)\b(?![^.!?]*\b(?:each|every)\b)/,
  /\btoday\b(?!['’]s date| (?:button|view|page|screen|widget|tab|feed|marker)\b)/,
  /\btemporarily\b(?! (?:un|not )?(?:available|reachable|locked|blocked|suspended|failing|failed))/,
  /(?:这次|這次)(?!数|數)/,
  /今天(?!的日期)/,
  /(?:这|這)(?:几天|幾天|两天|兩天)|(?:本|这|這)(?:周|週|星期)(?![报報刊期])/,
  // Monday to Friday is a rule, until Friday is not.
  /(?<![一二三四五六日天])(?:到|直到)(?:这|這|下|本)?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]/,
  /(?<![每逢]个?)(?:周|週|星期|礼拜|禮拜)[一二三四五六日天](?:之前|以前)/,
  /とりあえず|ひとまず|一旦(?!停止|中断)|今日は|今日まで|今週(?:は|だけ|のみ|中)/,
  /(?<!から)[月火水木金土日]曜日?まで/,
  /오늘은|임시로|이번 주(?:에는|에만|만|까지)|일단(?![^.,]{0,20}면)/,
  /(?<!부터 ?)[월화수목금토일]요일까지/,
  /\bheute\b(?! (?:button|ansicht|seite)\b)|\bvorübergehend(?!\p{L})/u,
  /(?<!(?:tag|mittwoch) )\bbis (?:zum )?(?:nächsten )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)\b/,
  /\bhoy\b(?! en día)|\btemporalmente\b/,
  /(?<!(?:lunes|martes|miércoles|jueves|viernes) )\bhasta (?:el )?(?:próximo )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|fin de semana)\b/,
  /\baujourd['’]hui\b|\b(?:temporairement|provisoirement)\b/,
  /(?<!(?:lundi|mardi|mercredi|jeudi|vendredi) )\bjusqu['’]?(?:à|au) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|ce soir)\b/,
  /\bhoje\b(?! em dia)|\btemporariamente\b|\baté (?:segunda|terça|quarta|quinta|sexta|sábado|domingo)/,
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

/** Whether a person's sentence is for this conversation alone, which knows it as long as it goes on. */
export function isOfThisTalk(text: string): boolean {
  const words = plainWords(text);
  return OF_THIS_TALK.some((pattern) => pattern.test(words));
}

function plainWords(text: string): string {
  const unquoted = text.normalize('NFKC').replaceAll(MENTIONED, ' ');
  const words = fold(unquoted.replaceAll(/(?<=[a-z])[-_](?=[a-z])/gi, ' '));
  return FORBIDDEN.reduce((text, pattern) => text.replaceAll(pattern, ' '), words);
}

/** Where what is done for a while is what the person forbids, for good: not the ban is limited, but the thing. */
const FORBIDDEN: readonly RegExp[] = [
  /\bnever (?!mind\b)[^.!?;:,]{0,120}\b(?:for (?:now|the (?:moment|time being))|temporarily)\b/g,
  /\b(?:don['’]t|do not|must not|mustn['’]t) temporarily\b/g,
  /\b(?:don['’]t|do not|must not|mustn['’]t)\b[^.!?;:,]{0,120}\bfor (?:now|the (?:moment|time being)) (?:just |only |simply )?to\b/g,
  /(?:不要|不能|不可|不准|不许|不許|不得|禁止|勿|绝不|絕不|从不|從不|(?<![特分级級个個])[别別])[^,.。;!?、]{0,40}(?:暂时|暫時|临时|臨時)/g,
  /とりあえず(?:の(?!ところ)|動く|[^。、,.]{0,10}だけの)/g,
  /임시로[^.。!?,]{0,30}(?:지 ?(?:마|말|않)|금지|면 안)/g,
];

/** Text in quotation marks or code marks; an apostrophe within a word is neither. */
const MENTIONED =
  /"[^"\n]*"|“[^“”\n]*”|`[^`\n]*`|「[^「」\n]*」|『[^『』\n]*』|‘[^‘’\n]*’|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;
