import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Summary } from '../../../src/context/summaryBlock.ts';
import { sizeProblem, summaryProblem } from '../../../src/context/summaryCheck.ts';

const EMPTY: Summary = {
  goal: '',
  decisions: [],
  files: [],
  done: [],
  remaining: [],
  constraints: [],
  facts: [],
};
const INSTRUCTIONS =
  'You sum up a conversation. Answer with the goal: what the person wants in the end, in one to three sentences.';

/** What a person asks, and a summary of it, in each language. */
const PAIRS: readonly (readonly [language: string, said: string, goal: string])[] = [
  [
    'English',
    'Please make the import faster, and do not add a new dependency for it.',
    'The import of the files should be faster, and there is to be no new dependency.',
  ],
  [
    'German',
    'Bitte mach den Import schneller, und füge dafür keine neue Abhängigkeit hinzu.',
    'Der Import der Dateien soll schneller werden, und es soll keine neue Abhängigkeit geben.',
  ],
  [
    'French',
    "Rends l'import plus rapide, et n'ajoute pas de nouvelle dépendance pour ça.",
    "L'import des fichiers doit être plus rapide, et il ne faut pas de nouvelle dépendance.",
  ],
  [
    'Spanish',
    'Haz que la importación sea más rápida y no añadas una nueva dependencia para eso.',
    'La importación de los archivos debe ser más rápida y no se añade una nueva dependencia.',
  ],
  [
    'Chinese',
    '请让导入速度更快，不要为此添加新的依赖。',
    '目标是加快文件导入速度，并且不添加新的依赖。',
  ],
  [
    'Japanese',
    'インポートを速くしてください。新しい依存関係は追加しないでください。',
    'ファイルのインポートを速くすること。新しい依存関係は追加しない。',
  ],
  [
    'Korean',
    '가져오기를 더 빠르게 해 주세요. 새 의존성은 추가하지 마세요.',
    '파일 가져오기를 더 빠르게 하고 새 의존성은 추가하지 않는다.',
  ],
  [
    'Russian',
    'Сделай импорт быстрее и не добавляй для этого новую зависимость.',
    'Импорт файлов должен стать быстрее, новую зависимость добавлять нельзя.',
  ],
];

const REFUSALS: readonly string[] = [
  "I can't help with that.",
  'I’m sorry, but this is nothing for me.',
  'I am unable to assist with this request.',
  'As an AI, I do not have access to that.',
  'Es tut mir leid, das kann ich nicht zusammenfassen.',
  'Dabei kann ich dir nicht helfen.',
  'Désolé, je ne peux pas vous aider.',
  'Lo siento, no puedo ayudarte con eso.',
  'Desculpe, não posso ajudar com isso.',
  'Mi dispiace, non posso aiutarti.',
  '抱歉，我无法帮助您完成这个请求。',
  '申し訳ありませんが、お手伝いできません。',
  '죄송하지만 도와드릴 수 없습니다.',
  'К сожалению, я не могу помочь с этим.',
];

describe('the check of a summary', () => {
  for (const [language, said, goal] of PAIRS) {
    it(`takes a summary in the language of the person: ${language}`, () => {
      assert.equal(problemOf({ goal }, [said]), undefined);
    });

    it(`refuses one in any other than ${language}`, () => {
      for (const [other, , foreign] of PAIRS) {
        if (other === language) continue;
        assert.match(problemOf({ goal: foreign }, [said]) ?? '', /another language/, other);
      }
    });
  }

  for (const text of REFUSALS) {
    it(`knows a refusal: ${text}`, () => {
      assert.equal(problemOf({ goal: text }), 'The summary is a refusal.');
      assert.equal(problemOf({ goal: '', facts: [text] }), 'The summary is a refusal.');
    });
  }

  it('does not take what a conversation was about for a refusal', () => {
    assert.equal(
      problemOf({ goal: 'Fix the login: users cannot sign in and see "sorry, try again".' }),
      undefined,
    );
    const work = {
      goal: 'Answer "I can\'t help with that" politely.',
      done: ['The text was found.'],
      remaining: ['Change it.'],
    };
    assert.equal(problemOf(work), undefined);
  });

  it('refuses an empty summary', () => {
    assert.equal(problemOf({ goal: ' \n', facts: [''] }), 'The summary is empty.');
  });

  it('refuses one of placeholders', () => {
    for (const goal of [
      '...',
      '-',
      'N/A',
      '<goal>',
      '[summary of the goal]',
      'None.',
      'string',
      '无',
    ]) {
      assert.equal(
        problemOf({ goal, done: ['…', 'TODO'] }),
        'The summary holds only placeholders.',
        goal,
      );
    }
  });

  it('refuses one that repeats its instructions', () => {
    const goal = 'What the person wants in the end, in one to three sentences';
    assert.equal(problemOf({ goal }), 'The summary repeats its instructions.');
    assert.equal(problemOf({ goal: INSTRUCTIONS }), 'The summary repeats its instructions.');
  });

  it('does not count code, quotations and facts as language', () => {
    const summary = {
      goal: '请加快 `the import of the files` 的速度，在 src/import/the/file.ts 里修改。',
      constraints: ['"please do not add a new dependency for it and keep the tests as they are"'],
      facts: ['TypeError: the value of the input is not a function for this'],
    };
    assert.equal(problemOf(summary, ['请让导入速度更快，不要为此添加新的依赖。']), undefined);
  });

  it('takes any language when the person wrote too little to tell', () => {
    assert.equal(
      problemOf({ goal: '目标是加快文件导入速度，并且不添加新的依赖。' }, ['ok', 'src/a.ts']),
      undefined,
    );
  });

  it('knows the person by the other messages when one is a pasted log', () => {
    const log = 'Error: Cannot find module at Object.run (/app/src/index.js:12:3)\n'.repeat(200);
    const said = [
      log,
      'Bitte mach den Import schneller, und füge dafür keine neue Abhängigkeit hinzu.',
    ];
    const [, , german] = PAIRS[1] ?? ['', '', ''];
    assert.equal(problemOf({ goal: german }, said), undefined);
  });

  it('does not go by one message in another language', () => {
    const [german = '', french = ''] = [PAIRS[1]?.[1], PAIRS[2]?.[1]];
    const said = [french, ...Array.from({ length: 9 }, () => german)];
    assert.match(problemOf({ goal: french }, said) ?? '', /French in place of German/);
  });

  it('asks that a summary is shorter than what it replaces', () => {
    assert.equal(sizeProblem(99, 100), undefined);
    assert.match(String(sizeProblem(100, 100)), /100 tokens against 100/);
  });
});

function problemOf(summary: Partial<Summary>, said: readonly string[] = []): string | undefined {
  const grounds = { summary: { ...EMPTY, ...summary }, said, instructions: INSTRUCTIONS };
  return summaryProblem(grounds)?.toString();
}
