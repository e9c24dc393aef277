import assert from 'node:assert/strict';
import { wordsToRemember } from '../../../../src/memory/extraction/rememberRequest.ts';

const REQUESTS = [
  'Remember that I prefer tabs.',
  'remember: deploys are on Friday',
  'Please remember I use pnpm',
  'I prefer using tabs for indentation, not spaces. Remember that.',
  'Remember this',
  'Can you remember that I like tea?',
  'Could you please remember that we deploy on Fridays?',
  'Remember to always use tabs',
  'Don’t forget that the port is 8081',
  'Save this to your memory: tabs',
  'Make a note that CI is slow',
  'and remember my name is Ana',
  'Fix it, and remember that I use pnpm',
  'Remember, tests run with mocha',
  'Remember the API key lives in the vault, it is rotated monthly',
  'Remember our staging server is db-2',
  "I'd like you to remember that we use yarn",
  'I want you to remember I am vegetarian',
  'Remember!',
  'Remember that for now we use tabs',
  'Remember that the build is frozen until tomorrow',
  '记住我喜欢用制表符',
  '请记住:部署在周五',
  '请你记住,我用 pnpm',
  '帮我记一下,端口是 8081',
  '記住我用 tabs',
  '請記住我不喜歡分號',
  '记得我喜欢简短的回答',
  '记得以后都用 pnpm',
  '别忘了我用 pnpm',
  '把这个存入记忆',
  '好的,请务必记住这一点',
  'タブを使うことを覚えておいてください',
  '覚えておいて',
  'デプロイは金曜日です。覚えておいてね。',
  '記憶してください',
  '私はpnpmを使うと覚えて',
  '忘れないで:ポートは8081',
  '나는 탭을 좋아해. 기억해 줘',
  '기억해줘: 배포는 금요일',
  '기억해 주세요',
  '이걸 기억해 두세요',
  '잊지 마: 포트는 8081',
  'Recuerda que prefiero tabuladores',
  'Recuerda: el despliegue es el viernes',
  'Por favor, recuerda esto',
  'Acuérdate de que uso pnpm',
  'No olvides que uso pnpm',
  'Guarda esto en tu memoria',
  'Souviens-toi que je préfère les tabulations',
  'Rappelle-toi : déploiement vendredi',
  'Retiens que le port est 8081',
  'N’oublie pas que j’utilise pnpm',
  'Retiens bien ceci',
  'Merk dir, dass ich Tabs bevorzuge',
  'Bitte merke dir: Deploy ist freitags',
  'Kannst du dir merken, dass ich pnpm nutze?',
  'Merken Sie sich das bitte',
  'Vergiss nicht, dass ich Tabs mag',
  'Denk daran, dass der Port 8081 ist',
];

const OTHERS = [
  'Remember to check that the port is free',
  'Remember how the config is loaded',
  'Please remember to update the docs',
  'Do you remember what I said?',
  'do you remember that I use tabs?',
  'What do you remember?',
  'Remember to run the tests',
  'Remember to close the file when done',
  'I can’t remember the name',
  'If I remember correctly, it is in src',
  'Add a "remember me" checkbox',
  'Add a remember me checkbox',
  'Implement remember-me login',
  'Remember when we fixed that bug?',
  'Remember the function we wrote yesterday?',
  'Users remember that the page is slow',
  'Make the dialog remember its size',
  'The app should remember that the user logged in',
  'Fix the tests',
  'Can you remember what I told you?',
  'As I remember, it was slow',
  'Why does it not remember the state?',
  'Remember for this session that I use tabs',
  'Remember that we use tabs in this conversation only',
  '记住本次会话用制表符',
  'Recuerda que en esta sesión uso npm',
  'Don’t forget to run the tests',
  'Save this file',
  'store it in memory-mapped files',
  'Did you remember that?',
  'Explain `remember that` in the docs',
  'The cache should store it in memory',
  'I remember that it was slow',
  '你还记得我说过什么吗?',
  '记得运行测试',
  '你记住了吗',
  '实现记住密码功能',
  '你记得我的名字吗',
  '记得我说过什么吗?',
  '我不记得了',
  '添加“记住我”复选框',
  '记得先跑测试',
  '别忘了运行测试',
  '還記得嗎',
  '覚えていますか?',
  '覚えてる?',
  'テストを実行するのを忘れないで',
  '何を覚えていますか',
  '状態を覚えているか確認して',
  '私の名前を覚えてる?',
  '기억해?',
  '기억나?',
  '뭘 기억하고 있어?',
  '테스트 실행하는 것을 잊지 마',
  '이름을 기억하니?',
  '기억하고 있어?',
  '¿Recuerdas lo que dije?',
  'Recuerda ejecutar las pruebas',
  'No recuerdo el nombre',
  'No olvides ejecutar las pruebas',
  'Te souviens-tu de mon nom ?',
  'Souviens-toi de lancer les tests',
  'N’oublie pas de lancer les tests',
  'Je me souviens que c’était lent',
  'Tu te souviens que je préfère les tabs ?',
  'Erinnerst du dich?',
  'Weißt du noch, dass ich Tabs mag?',
  'Vergiss nicht, die Tests zu starten',
  'Die App soll sich den Zustand merken',
  'Ich merke, dass es langsam ist',
  'Denk daran, die Tests laufen zu lassen',
];

describe('a request to remember something', () => {
  it('is seen in each language, wherever in the text it stands', () => {
    const missed = REQUESTS.filter((text) => wordsToRemember(text) === undefined);
    assert.deepEqual(missed, []);
    for (const text of [
      'Fix the tests.\n\n- Remember that I use pnpm',
      '先修测试。请记住我用 pnpm。',
    ])
      assert.ok(wordsToRemember(text), text);
  });

  it('is told as the sentence that asks, in the words of the person', () => {
    const told = wordsToRemember(
      'Fix  the tests.\nRemember that the `Port` is "8081.  Always"! And then commit.',
    );
    assert.equal(told, 'Remember that the `Port` is "8081.  Always"!');
    assert.equal(wordsToRemember('先修测试。请记住我们用 pnpm 装包。'), '请记住我们用 pnpm 装包。');
  });

  it('is told with what stands around it where it says nothing by itself', () => {
    for (const text of ['I prefer tabs. Remember that.', '我喜欢用制表符。请记住这一点。'])
      assert.equal(wordsToRemember(` ${text}\n`), text);
  });

  it('is not seen in questions, in reminders of a task, or where a feature is spoken of', () => {
    const falseAlarms = OTHERS.filter((text) => wordsToRemember(text) !== undefined);
    assert.deepEqual(falseAlarms, []);
  });

  it('is not seen in quoted text and code', () => {
    for (const text of [
      'Translate "Remember that I use pnpm" into German',
      '```\nRemember that I use pnpm\n```\nWhat does it say?',
      '把“记住我用 pnpm”翻译成英文',
    ])
      assert.ok(wordsToRemember(text) === undefined, text);
  });

  it('is looked for without delay in a long text', () => {
    const text = ['remember that ', '请记住', '"', '“', '「', '„', '«', 'and ', 'a'].map((part) =>
      part.repeat(50_000),
    );
    const start = performance.now();
    wordsToRemember(text.join('\n'));
    assert.ok(performance.now() - start < 1_000);
  });
});
