import assert from 'node:assert/strict';
import { measure, measureTools } from '../../../src/context/measure.ts';
import { windowAccount } from '../../../src/context/windowAccount.ts';
import type { Message } from '../../../src/models/model.ts';
import { estimateTokens } from '../../../src/models/tokens.ts';
import { call, results } from '../../support/conversation.ts';

/** 3.6 characters of ASCII are a token. */
const tokens = (count: number): string => 'x'.repeat(count * 3.6);

const INDEX = tokens(500);
const SYSTEM = `${tokens(1_000)}${INDEX}`;
const TOOLS = [{ name: 'bash', description: tokens(200), inputSchema: { type: 'object' } }];
const MESSAGES: readonly Message[] = [
  {
    role: 'user',
    content: [
      { type: 'context', text: tokens(50), records: { 'a.md': 'hash' } },
      { type: 'context', text: tokens(70), records: {} },
      { type: 'attachment', name: 'a.ts', text: tokens(90) },
      { type: 'text', text: tokens(10) },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'eA==' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: tokens(20), signature: 'c2ln' },
      { type: 'redacted_thinking', data: tokens(30) },
      { type: 'text', text: tokens(40) },
      call('a', tokens(5), {}),
    ],
  },
  results(['a', tokens(300)]),
];

describe('windowAccount', () => {
  it('says of each part how many tokens it takes', () => {
    assert.deepEqual(
      windowAccount({ system: SYSTEM, index: INDEX, tools: TOOLS, messages: MESSAGES }),
      [
        { part: 'system', tokens: 1_000 },
        { part: 'tools', tokens: 218 },
        { part: 'index', tokens: 500 },
        { part: 'recalled', tokens: 50 },
        { part: 'summaries', tokens: 70 },
        { part: 'attachments', tokens: 90 + 3_300 },
        { part: 'history', tokens: 10 + 20 + 30 + 40 + 5 + 1 },
        { part: 'toolResults', tokens: 300 },
      ],
    );
  });

  it('comes to what the request is estimated at', () => {
    const parts = windowAccount({ system: SYSTEM, index: INDEX, tools: TOOLS, messages: MESSAGES });
    assert.equal(
      parts.reduce((sum, part) => sum + part.tokens, 0),
      estimateTokens(SYSTEM) + measureTools(TOOLS) + measure(MESSAGES),
    );
  });

  it('counts in tokens of the model when its factor is known, in whole numbers', () => {
    const parts = windowAccount({
      system: tokens(3),
      index: '',
      tools: [],
      messages: [results(['a', tokens(101)])],
      factor: 1.25,
    });
    assert.deepEqual(parts, [
      { part: 'system', tokens: 4 },
      { part: 'tools', tokens: 0 },
      { part: 'index', tokens: 0 },
      { part: 'recalled', tokens: 0 },
      { part: 'summaries', tokens: 0 },
      { part: 'attachments', tokens: 0 },
      { part: 'history', tokens: 0 },
      { part: 'toolResults', tokens: 126 },
    ]);
  });
});
