import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languagesOf, shareLanguage, type Language } from '../../../src/base/language.ts';

const SENTENCES: readonly (readonly [language: Language, text: string])[] = [
  [
    'English',
    'We decided to keep the old parser, because the new one is too slow for large files.',
  ],
  ['German', 'Wir behalten den alten Parser, weil der neue für große Dateien zu langsam ist.'],
  [
    'French',
    "Nous gardons l'ancien analyseur, parce que le nouveau est trop lent pour les gros fichiers.",
  ],
  [
    'Spanish',
    'Mantenemos el analizador antiguo porque el nuevo es demasiado lento para los archivos grandes.',
  ],
  [
    'Portuguese',
    'Mantemos o analisador antigo porque o novo é lento demais para os arquivos grandes.',
  ],
  [
    'Italian',
    'Teniamo il vecchio parser perché quello nuovo è troppo lento per i file di grandi dimensioni.',
  ],
  ['Chinese', '我们保留旧的解析器，因为新的解析器处理大文件时太慢。'],
  ['Japanese', '新しいパーサーは大きなファイルでは遅すぎるため、古いものを使い続けます。'],
  ['Korean', '새 파서는 큰 파일에서 너무 느리기 때문에 기존 파서를 계속 사용합니다.'],
  [
    'Cyrillic script',
    'Мы оставляем старый парсер, потому что новый слишком медленный для больших файлов.',
  ],
  ['Arabic script', 'نحتفظ بالمحلل القديم لأن الجديد بطيء جدا مع الملفات الكبيرة.'],
  ['Hebrew', 'אנחנו שומרים את המנתח הישן כי החדש איטי מדי לקבצים גדולים.'],
  ['Greek', 'Κρατάμε τον παλιό αναλυτή επειδή ο νέος είναι πολύ αργός για μεγάλα αρχεία.'],
  ['Thai', 'เราใช้ตัวแยกวิเคราะห์เดิมต่อไปเพราะตัวใหม่ช้าเกินไปสำหรับไฟล์ขนาดใหญ่'],
  ['Devanagari script', 'हम पुराना पार्सर रखते हैं क्योंकि नया बड़ी फ़ाइलों के लिए बहुत धीमा है।'],
];

describe('languagesOf', () => {
  for (const [language, text] of SENTENCES) {
    it(`knows ${language}`, () => {
      assert.deepEqual(languagesOf(text), [language]);
    });
  }

  it('does not count code, paths, addresses and identifiers', () => {
    const german = `${textIn('German')} Siehe \`if the value is not in the list then return it\`, src/the/and/is.ts,
https://example.org/the?a=for&the=is und parseTheValueForMe.
\`\`\`ts
// This is what the function does: it is for the list, and it is not in the file.
\`\`\``;
    assert.deepEqual(languagesOf(german), ['German']);
  });

  it('knows Chinese between many Latin names', () => {
    const text = '请把 React component 改成 hooks，再用 Vite build 部署到 staging';
    assert.deepEqual(languagesOf(text), ['Chinese']);
  });

  it('takes a Japanese word in Chinese for a quotation', () => {
    const text = '按钮上的文字“はい”应该翻译成中文，其他的界面文字也一起翻译，并更新测试文件。';
    assert.deepEqual(languagesOf(text), ['Chinese']);
  });

  it('names both languages of a text that is written in two', () => {
    assert.deepEqual(languagesOf(`${textIn('English')}\n${textIn('German')}`).toSorted(), [
      'English',
      'German',
    ]);
  });

  it('says nothing of a text that is too short', () => {
    for (const text of ['', 'ok', '继续', 'src/app.ts', '1 2 3 4 5 6']) {
      assert.deepEqual(languagesOf(text), [], text);
    }
  });

  it('stays with the script where the words tell nothing', () => {
    assert.deepEqual(languagesOf('Login Button Farbe Backend Tests'), ['Latin script']);
  });
});

describe('shareLanguage', () => {
  it('tells different languages and scripts apart', () => {
    assert.equal(shareLanguage(['German'], ['English']), false);
    assert.equal(shareLanguage(['Chinese'], ['Japanese']), false);
    assert.equal(shareLanguage(['Latin script'], ['Korean']), false);
  });

  it('gives the benefit of the doubt', () => {
    assert.equal(shareLanguage([], ['English']), true);
    assert.equal(shareLanguage(['German'], []), true);
    assert.equal(shareLanguage(['Latin script'], ['German']), true);
    assert.equal(shareLanguage(['German', 'English'], ['English']), true);
  });
});

function textIn(language: Language): string {
  return SENTENCES.find(([name]) => name === language)?.[1] ?? '';
}
