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
];

describe('temporary wording', () => {
  for (const text of TEMPORARY) {
    it(`is seen in: ${text}`, () => assert.equal(isTemporary(text), true));
  }
  for (const text of LASTING) {
    it(`is not seen in: ${text}`, () => assert.equal(isTemporary(text), false));
  }

  it('is read mildly in the words of a person, who may say "today" of lasting things', () => {
    assert.equal(isLimited('As of today we use pnpm'), false);
    assert.equal(isLimited('今天开始，所有代码用制表符'), false);
    assert.equal(isLimited('Just this once, use npm'), true);
    assert.equal(isLimited('这次会话用空格'), true);
  });
});
