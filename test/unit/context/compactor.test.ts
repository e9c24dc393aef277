import assert from 'node:assert/strict';
import path from 'node:path';
import { Archive } from '../../../src/context/archive.ts';
import { compactAfterOverflow } from '../../../src/context/compactor.ts';
import { toolCalls } from '../../../src/context/transcript.ts';
import { userText, type Message } from '../../../src/models/model.ts';
import { call, calls, results, says } from '../../support/conversation.ts';
import { readTree, useTempFolder } from '../../support/tempFolder.ts';

describe('compaction after an overflow', () => {
  const folder = useTempFolder();
  const archive = () => {
    let next = 0;
    return new Archive({ root: folder.path, pointers: 'relative', newId: () => `id${next++}` });
  };

  it('keeps the current request verbatim and archives what was before it (C1)', async () => {
    const old = Array.from({ length: 30 }, (_, n) => [userText(`old ${n}`), says(`answer ${n}`)]);
    const request = userText('the current request');
    const messages = [...old.flat(), request, ...rounds(20)];
    const compaction = await compactAfterOverflow(messages, archive());
    assert.ok(compaction);
    const [first] = compaction.messages;
    assert.deepEqual(first?.content.at(-1), { type: 'text', text: 'the current request' });
    assert.ok(compaction.after < compaction.before);
    const files = await readTree(folder.path);
    const transcript = files['.transcripts/id0.jsonl'] ?? '';
    const archived = transcript
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual([...archived, ...compaction.messages.slice(1)], messages);
    assert.equal(files['.transcripts/.gitignore'], '*\n');
    assert.equal(compaction.archive, path.join(folder.path, '.transcripts', 'id0.jsonl'));
  });

  it('names the archive by a path that survives a moved workspace', async () => {
    const compaction = await compactAfterOverflow([userText('go'), ...rounds(9)], archive());
    const [marker] = compaction?.messages[0]?.content ?? [];
    assert.match(marker?.type === 'context' ? marker.text : '', / \.transcripts\/id0\.jsonl/);
  });

  it('never parts a call from its result', async () => {
    for (let count = 1; count <= 12; count++) {
      const compaction = await compactAfterOverflow([userText('go'), ...rounds(count)], archive());
      for (const messages of compaction ? [compaction.messages] : []) assertPairs(messages);
    }
  });

  it('shortens long results in the kept tail and keeps their full text on disk (C17)', async () => {
    const long = 'line\n'.repeat(9_000);
    const messages = [userText('go'), calls(call('a', 'bash')), results(['a', long])];
    const compaction = await compactAfterOverflow(messages, archive());
    assert.ok(compaction && compaction.after < compaction.before / 5);
    const files = await readTree(folder.path);
    assert.equal(files['.task_outputs/tool-results/id0.txt'], long);
    assert.equal(files['.task_outputs/.gitignore'], '*\n');
    assertPairs(compaction.messages);
  });

  it('has nothing to offer when only a long request is left', async () => {
    const compaction = await compactAfterOverflow([userText('x'.repeat(100_000))], archive());
    assert.equal(compaction, undefined);
    assert.deepEqual(await readTree(folder.path), {});
  });

  it('does not change its input', async () => {
    const messages = [userText('go'), ...rounds(10, 'y'.repeat(9_000))];
    const before = structuredClone(messages);
    await compactAfterOverflow(messages, archive());
    assert.deepEqual(messages, before);
  });

  it('keeps recalled text out of the archive', async () => {
    const context = { type: 'context', text: 'recalled words', records: { a: 'h' } } as const;
    const first: Message = { role: 'user', content: [context, { type: 'text', text: 'one' }] };
    await compactAfterOverflow([first, says('1'), userText('two'), ...rounds(9)], archive());
    const files = await readTree(folder.path);
    assert.match(files['.transcripts/id0.jsonl'] ?? '', /"one"/);
    assert.doesNotMatch(files['.transcripts/id0.jsonl'] ?? '', /recalled words/);
  });

  it('stays valid when it runs again on its own result', async () => {
    const twice = archive();
    const first = await compactAfterOverflow([userText('go'), ...rounds(12)], twice);
    const second = await compactAfterOverflow([...(first?.messages ?? []), ...rounds(6)], twice);
    assert.ok(second);
    assertPairs(second.messages);
    const texts = second.messages[0]?.content.flatMap((b) => (b.type === 'text' ? [b.text] : []));
    assert.deepEqual(texts, ['go']);
  });
});

function rounds(count: number, text = 'some text '.repeat(40)): Message[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `${count}-${n}`;
    return [calls(call(id, 'read_file')), results([id, text])];
  }).flat();
}

function assertPairs(messages: readonly Message[]): void {
  assert.equal(messages[0]?.role, 'user');
  const called = messages.flatMap((message) => toolCalls(message).map((block) => block.id));
  const answered = messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
  assert.deepEqual(answered, called);
}
