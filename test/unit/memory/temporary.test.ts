import assert from 'node:assert/strict';
import { isLimited, isTemporary } from '../../../src/memory/temporary.ts';

const TEMPORARY = [
  'Use spaces in this session',
  'user-this-session-spaces',
  'Applies to the current session only',
  'In this conversation, answer in French',
  'Skip the tests for now',
  'Skip the tests for now.',
  'Push to main just this once',
  'Only this time, use npm',
  'Use port 3001 for the time being',
  'No deployments until Friday',
  'Use the fast model until the end of the week',
  'Answer in French today only',
  'Needed for this task',
  '本次会话使用空格',
  '当前任务用空格',
  '當前任務用空格',
  '這次用空格',
  '这次不用写测试',
  '这一轮先不提交',
  '暂时不用写测试',
  '暫時不用寫測試',
  '今天不要部署',
  '就这一次，直接推送',
  '到周五之前不要部署',
  '今回だけスペースを使う',
  '今だけ英語で',
  'このセッションでは英語で答える',
  '現在のタスクではテスト不要',
  'とりあえずテストは不要',
  '이번만 공백을 사용',
  '이번 세션에서는 영어로',
  'Answer in French for the rest of the current session',
  'Do not deploy for the time being',
  'Never mind, for now use npm',
  'Never push to main in this session',
  '在当前会话中用英文',
  '不要部署，暂时用空格',
];

const LASTING = [
  'Use tabs for indentation',
  'From now on use tabs',
  'This taskrunner is called just',
  'This task runner is called just',
  'The current session token is stored in Redis',
  'Never leave "for now" hacks in the code',
  'Never leave for-now hacks in the code',
  "Reject comments that say 'for now'",
  'Ask before every task',
  'Sessions last two hours',
  'The todayilearned folder holds notes',
  "Logs carry today's date in their name",
  'The calendar has a Today button',
  'Build just once, then promote',
  'Only this file may import vscode',
  "Don't use moment; it's banned, and don't use for loops",
  'Meetings are on Friday',
  '暂时性故障要重试三次',
  '周一到周五可以部署',
  '当前会话超时时间是两小时',
  '当前任务队列用 Redis',
  '日志中不要写「今天」',
  'セッションの有効期限は二時間',
  'このタスクランナーは just と呼ばれる',
  '세션은 두 시간 동안 유효',
  'Never disable a test for the time being just to get CI green',
  'Do not disable a test for the time being to get CI green; fix it.',
  '不要为了通过CI而暂时跳过测试',
  '不要暂时跳过测试',
  'とりあえず動くだけのコードは書かないで',
  'とりあえずのコードは禁止',
  '테스트를 임시로 비활성화하지 마',
  '테스트를 임시로 비활성화하지 않는다',
  '예전에는 npm을 썼는데 지금은 pnpm만 써',
  'We store the current session in Redis',
  'The status bar must show the current task at all times',
  '当前会话保存在 Redis',
  '聊天应用的当前会话保存在 Redis 里。',
  '現在のセッションは Redis に保存する',
  '현재 세션은 Redis에 저장한다',
  'The Today screen is owned by team Falcon',
];

/** Limits that a person sets, in words that the model may leave out of the memory. */
const LIMITED = [
  'until tomorrow answer in English only',
  '这次用空格',
  '今天先用空格',
  '先暂时用空格',
  '今回はスペースで',
  'Nur heute bitte ohne Tests committen',
  'Für diese Sitzung bitte auf Englisch antworten',
  'vorerst keine Kommentare',
  'Antworte bis morgen nur auf Englisch',
  'Solo por esta vez usa npm',
  'Por ahora no escribas tests',
  'Pour l’instant, pas de tests',
  'Por enquanto não escrevas testes',
  'Use spaces just for this file',
  'Just this once, use npm',
  '这次会话用空格',
];

const UNLIMITED = [
  'As of today we use pnpm',
  '今天开始，所有代码用制表符',
  '这次发布的版本是 3.0',
  'The code freeze lasts until Friday',
  'Only for this project we use tabs',
  'Wir arbeiten von morgens bis abends',
  'Never disable a test for the time being just to get CI green',
];

describe('temporary wording', () => {
  for (const text of TEMPORARY) {
    it(`is seen in: ${text}`, () => assert.equal(isTemporary(text), true));
  }
  for (const text of LASTING) {
    it(`is not seen in: ${text}`, () => assert.equal(isTemporary(text), false));
  }

  // Mildly: people say "today" of lasting things.
  for (const text of LIMITED) {
    it(`is seen in the words of a person: ${text}`, () => assert.equal(isLimited(text), true));
  }
  for (const text of UNLIMITED) {
    it(`is not seen in the words of a person: ${text}`, () => assert.equal(isLimited(text), false));
  }
});
