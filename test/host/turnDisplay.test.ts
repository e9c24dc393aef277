import assert from 'node:assert/strict';
import type { TurnEvent } from '../../src/agent/events.ts';
import { showEvent } from '../../src/vscode/turnDisplay.ts';
import { keptResponse } from '../support/chatResponse.ts';

describe('what a chat shows of a turn', () => {
  it('is one line for a compaction of several stages, with a link to the archive', () => {
    assert.equal(
      shown({
        type: 'compacted',
        stages: ['micro', 'summarise'],
        before: 142_003,
        after: 61_000,
        archive: '/folder/a (b)/.transcripts/s.jsonl',
      }),
      '\n\n_Compacted: older tool results moved to the archive and the conversation summarised. ' +
        'About 142,003 → 61,000 tokens. ' +
        '[Archive](file:///folder/a%20%28b%29/.transcripts/s.jsonl)_\n\n',
    );
  });

  it('names the three parts that fill the window most when compacting is no use', () => {
    const text = shown({
      type: 'compactionGivenUp',
      parts: [
        { part: 'system', tokens: 900 },
        { part: 'tools', tokens: 3_000 },
        { part: 'history', tokens: 90_000 },
        { part: 'toolResults', tokens: 40_000 },
      ],
    });
    assert.match(text, /^\n\nCompacting no longer helps\. What fills most/);
    assert.match(
      text,
      /Conversation: about 90,000 tokens\n- Tool results: about 40,000 tokens\n- Tools: about 3,000 tokens\n\n/,
    );
    assert.doesNotMatch(text, /System prompt/);
    assert.match(text, /start a new chat/);
  });

  it('is nothing for the figures of the status bar and for running tools', () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, requests: 1 };
    assert.equal(shown({ type: 'answered', tokens: 1, limit: 2, usage }), '');
    assert.equal(shown({ type: 'toolStarted', id: 'a', name: 'grep' }), '');
  });
});

function shown(event: TurnEvent): string {
  const { response, text } = keptResponse();
  showEvent(response, event, undefined);
  return text();
}
