import assert from 'node:assert/strict';
import { englishStem } from '../../../../src/memory/words/englishStem.ts';

/** A stem and words that have it, as the description of the algorithm gives them or its rules lead to. */
const FAMILIES: readonly (readonly [string, string])[] = [
  ['consist', 'consist consisted consistency consistent consistently consisting consists'],
  ['indent', 'indent indents indented indenting indentation'],
  ['format', 'format formats formatted formatting'],
  ['deploy', 'deploy deploys deployed deploying deployment deployments'],
  ['configur', 'configure configures configuring configuration'],
  ['relat', 'relational relation relates'],
  ['generat', 'generate generating generator'],
  ['general', 'general generally'],
  ['generous', 'generous generously'],
  ['intern', 'intern interns'],
  ['internal', 'internal internally'],
  ['hop', 'hop hopping'],
  ['hope', 'hope hoping hoped'],
  ['add', 'add added adding'],
  ['agre', 'agree agreed'],
  ['feed', 'feed feeds'],
  ['tie', 'tie tied ties tying'],
  ['cri', 'cry cries cried'],
  ['gas', 'gas'],
  ['gap', 'gap gaps'],
  ['kiwi', 'kiwi kiwis'],
  ['bias', 'bias'],
  ['news', 'news'],
  ['proceed', 'proceed proceeds proceeding'],
  ['even', 'even'],
  ['evening', 'evening evenings'],
  ['roll', 'roll rolled rolling'],
  ['control', 'control controlled controlling controller'],
  ['analog', 'analogy analogies'],
  ['toy', 'toy toys'],
  ['by', 'by'],
  ['us', 'us'],
];

describe('the English stem', () => {
  for (const [stem, words] of FAMILIES) {
    it(`is ${stem} for ${words}`, () => {
      for (const word of words.split(' ')) assert.equal(englishStem(word), stem, word);
    });
  }
});
