import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isIdle } from '../../../../src/memory/extraction/idleWords.ts';

describe('words that hold nothing', () => {
  for (const text of [
    'continue',
    'OK, go on please!',
    'Yes.',
    'Thanks 🙏',
    '2',
    '',
    '…',
    '继续',
    '好的，请继续。',
    '続けてください。',
    '네, 계속해주세요',
    'Sí, continúa',
    'Oui, continuez.',
    'Weiter, bitte!',
    '没问题，就这样',
    'はい、お願いします',
    '了解です',
    '네 그렇게 해주세요',
    'sí, hazlo por favor',
    "d'accord, vas-y s'il te plaît",
    'Alles klar, leg los',
  ])
    it(`are ${JSON.stringify(text)}`, () => assert.ok(isIdle(text)));

  for (const text of [
    'Yes, always use pnpm.',
    'Continue, but with tabs.',
    'go on with Go',
    'ok, the port is 8421',
    '继续用制表符',
    '好的，以后都用中文',
    'Nein, immer mit Tabs.',
    'Remember that',
  ])
    it(`are not ${JSON.stringify(text)}`, () => assert.ok(!isIdle(text)));
});
