import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { claudeMessages, claudeSystem, claudeTools } from '../../../src/models/claudeMessages.ts';
import { userText, type Message, type ToolResultBlock } from '../../../src/models/model.ts';
import { call, calls, results, says } from '../../support/conversation.ts';

const SEED = 20_260_301;
const RUNS = 500;

const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } as const;
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'eA==' },
} as const;

describe('claudeMessages', () => {
  it('marks the last tool, the system prompt, and the ends of this request and the one before', () => {
    const tools = ['a', 'b'].map((name) => ({ name, description: name, inputSchema: {} }));
    const messages = [
      userText('One'),
      says('Two'),
      userText('Three'),
      calls(call('a', 'x'), call('b', 'x')),
      results(['a', '1'], ['b', '2']),
    ];
    assert.deepEqual(claudeTools(tools).map(isMarked), [false, true]);
    assert.deepEqual(claudeTools([]), []);
    assert.deepEqual(claudeSystem('Be brief.').map(isMarked), [true]);
    assert.deepEqual(
      claudeMessages(messages).map(({ content }) => content.map(isMarked)),
      [[false], [false], [true], [false, false], [false, true]],
    );
  });

  it('marks one end only while nothing was answered', () => {
    assert.deepEqual(marksOf([userText('One')]), 1);
    assert.deepEqual(marksOf([says('Hello.'), userText('One')]), 1);
    assert.deepEqual(marksOf([]), 0);
  });

  it('marks the old end also when the words of the assistant have to be gone on from', () => {
    const sent = claudeMessages([userText('One'), says('Half')]);
    assert.deepEqual(
      sent.map(({ content }) => content.map(isMarked)),
      [[true], [false], [true]],
    );
  });

  it('sends the newest 20 images, and says where the older ones stood', () => {
    const shown: Message = {
      role: 'user',
      content: [
        image,
        { type: 'text', text: 'This one.' },
        ...Array.from({ length: 9 }, () => image),
      ],
    };
    const found: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [image], is_error: false }],
    };
    const messages = [found, says('Two.'), shown, says('One.'), shown];
    const kinds = claudeMessages(messages).map(({ content }) =>
      content.flatMap((block) =>
        block.type === 'tool_result' ? block.content.map(({ type }) => type) : [block.type],
      ),
    );
    const all = ['image', 'text', ...Array.from({ length: 9 }, () => 'image')];
    assert.deepEqual(kinds, [['text'], ['text'], all, ['text'], all]);
    assert.match(JSON.stringify(claudeMessages(messages)[0]), /An older image stood here/);
    const [first] = claudeMessages(messages.slice(1))[1]?.content ?? [];
    assert.equal(first?.type, 'image');
  });

  it('sends as many of the newest images as a request can hold', () => {
    const large = { ...image, source: { ...image.source, data: 'A'.repeat(6_000_000) } };
    const messages = [
      ...Array.from({ length: 4 }, () => [{ role: 'user', content: [large] }, says('One.')]),
      [{ role: 'user', content: [image] }],
    ].flat() as Message[];
    const sent = claudeMessages(messages).map(({ content }) => content[0]?.type);
    assert.deepEqual(
      sent.filter((_, index) => index % 2 === 0),
      ['text', 'image', 'image', 'image', 'image'],
    );
  });

  it('says in words that a call failed where the API takes no error', () => {
    const failed = (content: ToolResultBlock['content']): Message => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content, is_error: true }],
    });
    const sent = (content: ToolResultBlock['content']) => {
      const [block] = claudeMessages([failed(content)])[0]?.content ?? [];
      assert.ok(block?.type === 'tool_result');
      return { content: block.content, is_error: block.is_error };
    };
    const words = { type: 'text', text: 'No such file.' } as const;
    const told = { type: 'text', text: 'The call failed.' };
    assert.deepEqual(sent([words]), { content: [words], is_error: true });
    assert.deepEqual(sent([]), { content: [told], is_error: true });
    assert.deepEqual(sent([{ type: 'text', text: ' ' }]), { content: [told], is_error: true });
    assert.deepEqual(sent([image]), { content: [told, image], is_error: false });
    assert.deepEqual(sent([words, image]), { content: [told, words, image], is_error: false });
  });

  it('sends what it has sent before byte by byte, but for the marks, whatever follows', () => {
    fc.assert(
      fc.property(conversation(), (messages) => {
        const whole = claudeMessages(messages);
        assert.ok(marks(whole) <= 2);
        for (const [index, message] of messages.entries()) {
          if (message.role !== 'user') continue;
          const sent = claudeMessages(messages.slice(0, index + 1));
          assert.equal(
            JSON.stringify(unmarked(whole.slice(0, sent.length))),
            JSON.stringify(unmarked(sent)),
          );
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

/** Turns in order, as they are sent. */
function conversation(): fc.Arbitrary<readonly Message[]> {
  const words = fc.string({ minLength: 1, unit: 'binary' }).map((value) => `-${value}`);
  const round = fc
    .array(fc.record({ words, failed: fc.boolean(), shown: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((made) => (turn: number): Message[] => {
      const ids = made.map((_, index) => `call_${turn}_${index}`);
      return [
        {
          role: 'assistant',
          content: [thought, ...ids.map((id) => call(id, 'x', { path: made[0]?.words }))],
        },
        {
          role: 'user',
          content: made.map(({ words: value, failed, shown }, index) => ({
            type: 'tool_result',
            tool_use_id: ids[index] ?? '',
            content: [{ type: 'text', text: value }, ...(shown ? [image] : [])],
            is_error: failed,
          })),
        },
      ];
    });
  const turn = words.map((value) => (): Message[] => [says(value), userText(value)]);
  return fc
    .array(fc.oneof(round, turn), { maxLength: 8 })
    .map((parts) => [userText('Go.'), ...parts.flatMap((part, index) => part(index))]);
}

function isMarked(block: object): boolean {
  return 'cache_control' in block;
}

function marksOf(messages: readonly Message[]): number {
  return marks(claudeMessages(messages));
}

function marks(sent: ReturnType<typeof claudeMessages>): number {
  return sent.flatMap(({ content }) => content).filter(isMarked).length;
}

function unmarked(sent: ReturnType<typeof claudeMessages>) {
  return sent.map(({ role, content }) => ({
    role,
    content: content.map((block) => ({ ...block, cache_control: undefined })),
  }));
}
