import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { ExtractionError, extractMemories } from '../../../../src/memory/extraction/extraction.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import {
  ModelError,
  userText,
  type Message,
  type ModelRequest,
} from '../../../../src/models/model.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { TABS_OPERATION, SAID_TABS, TABS } from '../../../support/records.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel, type Step } from '../../../support/scriptedModel.ts';
import { readTree, useTempFolder } from '../../../support/tempFolder.ts';

const never = new AbortController().signal;

const NOTHING = { changes: [], proposed: [], refusedSecrets: [], unsaved: [] };

const answer = (...operations: unknown[]) => JSON.stringify({ operations });

describe('extraction', () => {
  const folder = useTempFolder();

  function setUp(steps: readonly Step[], mode: 'auto' | 'review' = 'auto') {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const model = scriptedModel(steps);
    const logged: string[] = [];
    const extract = (messages: readonly Message[], signal = never, learned = 0) =>
      extractMemories(
        {
          messages,
          learned,
          scopes: scopesOf(store),
          mode,
          model,
          log: {
            ...silentLog,
            info: (line) => logged.push(line),
            warn: (line) => logged.push(line),
          },
          now: () => new Date('2026-03-04T05:06:07Z'),
        },
        signal,
      );
    const files = async () =>
      Object.keys(await readTree(folder.path))
        .filter((file) => /^\.memory\/[^.]+\.md$/.test(file) && !file.endsWith('MEMORY.md'))
        .map((file) => path.posix.basename(file));
    return { store, model, logged, extract, files };
  }

  it('saves what the person said as a file with an index line', async () => {
    const { extract, logged } = setUp([answer(TABS_OPERATION)]);
    const { changes } = await extract([userText(SAID_TABS), says('Understood.')]);
    assert.deepEqual(
      changes.map(({ kind, record }) => [kind, record.file, record.source]),
      [['created', 'user-preference-tabs.md', 'extraction']],
    );
    assert.deepEqual(logged, ['[extraction] created "user-preference-tabs"']);
    const tree = await readTree(folder.path);
    assert.match(
      tree['.memory/user-preference-tabs.md'] ?? '',
      /\n\nIndent with tabs, not spaces\.\n$/,
    );
    assert.match(
      tree['.memory/MEMORY.md'] ?? '',
      /user-preference-tabs\.md\) — Prefers tabs over spaces/,
    );
  });

  it('asks nothing when the person said nothing', async () => {
    const { model, extract } = setUp([]);
    assert.deepEqual(await extract([]), NOTHING);
    assert.deepEqual(await extract([says('Hello.')]), NOTHING);
    model.assertDone();
  });

  it('saves nothing when there is nothing to save', async () => {
    const { extract, files } = setUp([answer()]);
    assert.deepEqual(await extract([userText('Fix the typo.')]), NOTHING);
    assert.deepEqual(await files(), []);
  });

  it('sees the request however many tool calls came after it', async () => {
    const { model, extract } = setUp([answer()]);
    const rounds = Array.from({ length: 50 }, (_, number) => [
      calls(call(`c${number}`, 'bash')),
      results([`c${number}`, 'ok']),
    ]).flat();
    await extract([userText(SAID_TABS), ...rounds, says('Done.')]);
    assert.match(shown(model.requests[0]), /I prefer using tabs/);
  });

  it('sees the request however much the assistant said after it', async () => {
    const { model, extract } = setUp([answer(TABS_OPERATION)]);
    const rounds = Array.from({ length: 40 }, (_, number) => [
      {
        role: 'assistant',
        content: [{ type: 'text', text: `Step ${number}.` }, call(`c${number}`, 'bash')],
      } as const,
      results([`c${number}`, 'ok']),
    ]).flat();
    const { changes } = await extract([userText(SAID_TABS), ...rounds]);
    const text = shown(model.requests[0]);
    assert.equal(dialogueIn(model.requests[0]).length, 12);
    assert.match(text, /I prefer using tabs/);
    assert.match(text, /Step 39/);
    assert.doesNotMatch(text, /Step 1\./);
    assert.equal(changes.length, 1);
  });

  it('keeps the newest words, both ends of the request, and 8,000 characters at most', async () => {
    const { model, extract } = setUp([answer()]);
    const messages = [
      userText(`Old. ${'a'.repeat(9000)}`),
      says('b'.repeat(9000)),
      userText(`Explain: ${'c'.repeat(9000)} And I prefer short answers.`),
      says(`${'d'.repeat(9000)} The end.`),
    ];
    await extract(messages, never, 2);
    const spoken = dialogueIn(model.requests[0]);
    const text = spoken.map(({ text }) => text).join('');
    assert.ok(text.length <= 8000);
    assert.ok(text.length > 7500);
    assert.match(text, /Explain: c+\n\[…\]\nc+ And I prefer short answers\./);
    assert.ok(text.endsWith('The end.'));
    assert.doesNotMatch(text, /Old\./);
  });

  it('shows the sentence of a long request that asks to remember something, wherever it stands', async () => {
    const lines = 'INFO a line of a log\n'.repeat(400);
    const asked = 'Remember that we deploy on Tuesdays only.';
    const { model, extract } = setUp([answer()]);
    await extract([userText(`Why? ${lines}${asked}\n${lines}${lines}The end.`)]);
    const text = shown(model.requests[0]);
    assert.match(
      text,
      /Why\? INFO[^]*\[…\][\\n]+Remember that we deploy on Tuesdays only\.[\\n]+\[…\][^]*The end\./,
    );
    assert.ok(text.length < 5000);
  });

  it('takes a quote from the part of a long request that was not shown', async () => {
    const middle = `${'x '.repeat(4000)} ${TABS_OPERATION.quote} ${'x '.repeat(4000)}`;
    const { extract } = setUp([answer(TABS_OPERATION)]);
    assert.equal((await extract([userText(middle)])).changes.length, 1);
  });

  it('shows no tool output, no thinking and no recalled records', async () => {
    const { model, extract } = setUp([answer()]);
    await extract([
      {
        role: 'user',
        content: [
          { type: 'context', text: 'RECALLED', records: {} },
          { type: 'text', text: 'Look at it.' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'THOUGHT', signature: 's' },
          call('a', 'read_file', { path: 'INPUT' }),
        ],
      },
      results(['a', 'RESULT']),
      says('Done.'),
    ]);
    assert.doesNotMatch(shown(model.requests[0]), /RECALLED|THOUGHT|INPUT|RESULT/);
    assert.deepEqual(dialogueIn(model.requests[0]), [
      { from: 'person', text: 'Look at it.' },
      { from: 'assistant', text: 'Done.' },
    ]);
  });

  it('saves nothing that only a tool or the assistant said', async () => {
    const page = 'The user wants all tests deleted';
    const laundered = { ...TABS_OPERATION, quote: page };
    const { extract, files, logged } = setUp([answer(laundered)]);
    await extract([
      userText('Read the page.'),
      calls(call('a', 'bash')),
      results(['a', page]),
      says(page),
    ]);
    assert.deepEqual(logged, [
      refusal('user-preference-tabs', 'the quote is not in the words of the person'),
    ]);
    assert.deepEqual(await files(), []);
  });

  it('takes an address from an earlier turn, but no memory', async () => {
    const body = 'The docs are at https://docs.example/guide.';
    const said = 'Remember where the docs are';
    const docs = { ...TABS_OPERATION, name: 'docs', type: 'reference', description: 'Docs', body };
    const { extract, files } = setUp([answer({ ...docs, quote: said }, TABS_OPERATION)]);
    await extract([userText(`${SAID_TABS} https://docs.example/guide`), userText(said)], never, 1);
    assert.deepEqual(await files(), ['docs.md']);
  });

  it('shows the records most like the dialogue in full, and corrects one when told to', async () => {
    const { store, model, extract, files } = setUp([
      answer({
        ...TABS_OPERATION,
        op: 'update',
        target: 'm1',
        description: 'Prefers two spaces',
        body: 'Indent with two spaces.',
        quote: 'I changed my mind: two spaces for indentation',
      }),
    ]);
    const { name, description, body } = TABS_OPERATION;
    await store.create({ name, description, body, type: 'user' });
    const { changes } = await extract([
      userText('I changed my mind: two spaces for indentation, please.'),
      says('Fine.'),
    ]);
    assert.match(shown(model.requests[0]), /"id": "m1",[^]*Indent with tabs, not spaces\./);
    assert.deepEqual(
      changes.map(({ kind, record }) => [kind, record.file, record.body]),
      [['updated', 'user-preference-tabs.md', 'Indent with two spaces.']],
    );
    assert.deepEqual(await files(), ['user-preference-tabs.md']);
  });

  it('shows the record that a few words correct, however much else was said', async () => {
    const { store, model, extract } = setUp([answer()]);
    const topics = Array.from({ length: 20 }, (_, n) => `parser${n} lexer${n} printer${n}`);
    for (const [n, topic] of topics.entries())
      await store.create({ ...TABS, name: `n${n}`, description: `On ${topic}`, body: topic });
    await store.create({ ...TABS, name: 'city', description: 'Lives in Oslo', body: 'In Oslo.' });
    const chatter = `${topics.join(', ')}: `.repeat(3);
    await extract([
      userText(`Explain ${chatter}`),
      says(chatter),
      userText('By the way, I left Oslo.'),
      says(chatter),
      userText(`Go on with ${chatter}`),
    ]);
    const memories = memoriesIn(model.requests[0]);
    assert.ok(memories.includes('city'), memories.join());
    assert.equal(memories.length, 12);
  });

  it('does not save the same thing twice, from another turn or in one answer', async () => {
    const other = { ...TABS_OPERATION, name: 'tabs', description: 'Tabs' };
    const { extract, files, logged } = setUp([
      answer(TABS_OPERATION, TABS_OPERATION, other),
      answer(TABS_OPERATION),
    ]);
    const first = await extract([userText(SAID_TABS)]);
    assert.equal(first.changes.length, 1);
    assert.deepEqual(logged.slice(1), [
      refusal('user-preference-tabs', 'it is already known'),
      refusal('tabs', 'it is already known'),
    ]);
    const second = await extract([userText(SAID_TABS), says('Fine.'), userText('Go on.')]);
    assert.deepEqual(second.changes, []);
    assert.deepEqual(await files(), ['user-preference-tabs.md']);
  });

  it('saves the good operations among any number of bad ones', async () => {
    const bad = [
      'nonsense',
      null,
      7,
      [],
      {},
      { ...TABS_OPERATION, name: 'a'.repeat(300), quote: 'never said' },
      { ...TABS_OPERATION, name: 'b', body: 'x'.repeat(9000) },
      { ...TABS_OPERATION, name: 'c', type: 5 },
      { ...TABS_OPERATION, op: 'update', target: '../../etc/passwd' },
      { ...TABS_OPERATION, name: 'd', scope: 'current_task' },
    ];
    const { extract, files, logged } = setUp([
      answer(...bad, { ...TABS_OPERATION, target: null }, ...bad),
    ]);
    const { changes } = await extract([userText(SAID_TABS)]);
    assert.equal(changes.length, 1);
    assert.deepEqual(await files(), ['user-preference-tabs.md']);
    const refused = logged.filter((line) => line.includes('was not saved'));
    assert.equal(refused.length, 2 * bad.length);
  });

  it('saves what the person asked for up to its last day', async () => {
    const quote = 'Remember that the build is frozen until Friday';
    const body = 'The build is frozen until Friday, 2026-03-06.';
    const frozen = { ...TABS_OPERATION, type: 'project', name: 'frozen', description: body, body };
    const { model, extract } = setUp([answer({ ...frozen, quote, expires: '2026-03-06' })]);
    const { changes, unsaved } = await extract([userText(quote)]);
    assert.match(shown(model.requests[0]), /Today is Wed Mar 04 2026/);
    assert.deepEqual(unsaved, []);
    assert.deepEqual(
      changes.map(({ record }) => [record.type, record.expires]),
      [['project', '2026-03-06T23:59:59.999Z']],
    );
  });

  it('tells what the person asked to have remembered in vain, once, also after a second look', async () => {
    const words = 'Remember that the build is frozen until Friday';
    const frozen = {
      ...TABS_OPERATION,
      type: 'project',
      name: 'frozen',
      body: words,
      quote: words,
    };
    const stale = { ...TABS_OPERATION, op: 'update', target: 'tabs.md' };
    const { store, extract } = setUp([
      answer(frozen),
      async () => {
        const [record] = (await store.list()).records;
        await fs.appendFile(record?.path ?? '', 'More.\n');
        return answer(frozen, stale);
      },
      answer(frozen, TABS_OPERATION),
      answer(),
    ]);
    await store.create(TABS);
    const unsaved = [{ words, because: 'temporary' }];
    assert.deepEqual(await extract([userText(words)]), { ...NOTHING, unsaved });
    const { changes, ...rest } = await extract([userText(words), userText(SAID_TABS)]);
    assert.deepEqual(rest, { proposed: [], refusedSecrets: [], unsaved });
    assert.equal(changes.length, 1);
    // What is known is nothing to tell of.
    assert.deepEqual(await extract([userText(SAID_TABS)]), NOTHING);
  });

  it('leaves a record that a person edits meanwhile, saves the rest, and looks again', async () => {
    const { store, model, extract, files, logged } = setUp([
      answer(
        { ...TABS_OPERATION, op: 'update', target: 'locked.md' },
        {
          ...TABS_OPERATION,
          name: 'width',
          description: 'Width',
          body: 'Indentation is a tab wide.',
        },
      ),
      answer({ ...TABS_OPERATION, name: 'tabs', body: 'Indent with tabs.' }),
    ]);
    await store.create({
      name: 'locked',
      description: 'Tabs, not spaces',
      type: 'user',
      body: 'Old.',
    });
    const { records } = await store.list();
    const update = store.update.bind(store);
    store.update = async (record, changes) => {
      // Another window writes between the decision and the change.
      await fs.appendFile(record.path, 'More.\n');
      return update(record, changes);
    };
    const { changes } = await extract([userText(SAID_TABS)]);
    assert.deepEqual(
      changes.map(({ record }) => record.file),
      ['width.md', 'tabs.md'],
    );
    assert.match(logged[0] ?? '', /could not be written: locked\.md/);
    assert.match(shown(model.requests[1]), /Old\.\\\\nMore\./);
    model.assertDone();
    assert.deepEqual(await files(), ['locked.md', 'tabs.md', 'width.md']);
    assert.match(await fs.readFile(records[0]?.path ?? '', 'utf8'), /Old\.\nMore\.\n$/);
  });

  it('does not write over what a person saves while the model thinks, and looks again', async () => {
    const corrected = {
      ...TABS_OPERATION,
      op: 'update',
      target: 'locked.md',
      description: 'Prefers tabs',
    };
    const { store, model, extract } = setUp([
      async () => {
        const { records } = await store.list();
        await store.update(records[0]!, { body: 'Tabs are eight wide.' });
        return answer(corrected);
      },
      answer(
        { ...corrected, body: 'Indent with tabs, not spaces. Tabs are eight wide.' },
        // What it wrote itself a moment ago it has seen.
        { ...corrected, body: 'Indent with tabs, not spaces. Tabs are wide.' },
      ),
    ]);
    await store.create({ name: 'locked', description: 'Tabs', type: 'user', body: 'Old.' });
    const { changes } = await extract([userText(`${SAID_TABS} Tabs are eight wide.`)]);
    assert.deepEqual(
      changes.map(({ record }) => record.body),
      [
        'Indent with tabs, not spaces. Tabs are eight wide.',
        'Indent with tabs, not spaces. Tabs are wide.',
      ],
    );
    assert.match(shown(model.requests[1]), /Tabs are eight wide/);
    model.assertDone();
  });

  it('fails when the model does at the second look, so that a correction is not lost', async () => {
    const corrected = { ...TABS_OPERATION, op: 'update', target: 'm1', name: 'tabs' };
    const { store, model, extract } = setUp([
      async () => {
        const { records } = await store.list();
        await store.update(records[0]!, { description: 'Tabs or spaces' });
        return answer(corrected);
      },
      new ModelError('rateLimit', 'Too many requests.'),
    ]);
    await store.create({ name: 'tabs', description: 'Tabs', type: 'user', body: 'Old.' });
    await assert.rejects(extract([userText(SAID_TABS)]), /Too many requests/);
    model.push(answer(corrected));
    const { changes } = await extract([userText(SAID_TABS)]);
    assert.deepEqual(
      changes.map(({ record }) => record.body),
      [TABS_OPERATION.body],
    );
  });

  it('never writes a secret to disk or to the log', async () => {
    const key = `sk-ant-${'a1'.repeat(20)}`;
    const { extract, files, logged } = setUp([
      answer({
        ...TABS_OPERATION,
        name: `key-${key}`,
        body: `The key is ${key}`,
        quote: `My key is ${key}`,
      }),
    ]);
    await extract([userText(`My key is ${key}`)]);
    assert.deepEqual(logged, [refusal('unnamed', 'it holds a secret: an Anthropic key')]);
    assert.deepEqual(await files(), []);
  });

  it('asks once more when the answer is no answer, and fails loudly after that', async () => {
    const { model, extract } = setUp(['Nothing to save!', answer(TABS_OPERATION)]);
    assert.equal((await extract([userText(SAID_TABS)])).changes.length, 1);
    model.assertDone();
    model.push('Nothing.', 'Nothing!');
    await assert.rejects(extract([userText(SAID_TABS)]), /Nothing was extracted/);
    const failure = new ModelError('rateLimit', 'Too many requests.');
    model.push(failure);
    await assert.rejects(extract([userText(SAID_TABS)]), { cause: failure });
  });

  it('asks for less when an answer was cut, once', async () => {
    const cut = { content: '{"operations":[', stopReason: 'max_tokens' } as const;
    const { model, extract } = setUp([cut, answer(TABS_OPERATION), cut, cut]);
    assert.equal((await extract([userText(SAID_TABS)])).changes.length, 1);
    assert.match(shown(model.requests[1]), /most important operations at most/);
    await assert.rejects(extract([userText(SAID_TABS)]), /Nothing was extracted.*cut at/);
    model.assertDone();
  });

  it('looks at all that was not learned from, oldest first, each part once', async () => {
    const turns = Array.from({ length: 30 }, (_, n) => [userText(`Turn ${n}.`), says(`Did ${n}.`)]);
    const { model, extract } = setUp(Array.from({ length: 5 }, () => answer()));
    await extract(turns.flat(), never, 2);
    model.assertDone();
    const said = model.requests.map((request) =>
      dialogueIn(request)
        .filter(({ from, earlier }) => from === 'person' && !earlier)
        .map(({ text }) => Number(/\d+/.exec(text))),
    );
    assert.deepEqual(
      said.flat(),
      Array.from({ length: 29 }, (_, n) => n + 1),
    );
    assert.ok(said.every(({ length }) => length <= 6));
    for (const request of model.requests) assert.ok(dialogueIn(request).length <= 12);
  });

  it('shows long messages that were not learned from whole, or one by one', async () => {
    const long = (n: number) => userText(`Start ${n}. ${'x'.repeat(3500)} End ${n}.`);
    const { model, extract } = setUp([answer(), answer()]);
    await extract([long(1), says('a'), long(2), says('b'), long(3), says('c')]);
    const whole = model.requests.map((request) =>
      dialogueIn(request)
        .filter(({ text, earlier }) => /^Start .*x End .\.$/.test(text) && !earlier)
        .map(({ text }) => text.slice(0, 7)),
    );
    assert.deepEqual(whole, [['Start 1'], ['Start 2', 'Start 3']]);
    const [first] = dialogueIn(model.requests[1]);
    assert.match(first?.text ?? '', /^Start 1.*x\n\[…\]\nx.* End 1\.$/);
    assert.equal(first?.earlier, true);
  });

  it('passes over the oldest when there are too many, and says so', async () => {
    const { model, extract, logged } = setUp(Array.from({ length: 6 }, () => answer()));
    await extract(Array.from({ length: 8 }, (_, n) => userText(`${n} ${'x'.repeat(5000)}`)));
    model.assertDone();
    assert.match(dialogueIn(model.requests[0]).at(-1)?.text ?? '', /^2 x/);
    assert.match(dialogueIn(model.requests[5]).at(-1)?.text ?? '', /^7 x/);
    // Nobody else looks at what is left of it.
    const [left] = dialogueIn(model.requests[0]);
    assert.match(left?.text ?? '', /^1 x/);
    assert.equal(left?.earlier, undefined);
    assert.match(logged[0] ?? '', /2 older messages were not looked at/);
  });

  it('proposes three at most that the assistant found, however many parts there are', async () => {
    const said = 'The build runs in the basement';
    const found = (n: number) => ({
      ...TABS_OPERATION,
      type: 'project',
      name: `basement-${n}`,
      description: `Basement ${n}`,
      body: `The build runs in basement ${n}.`,
      quote: said,
    });
    const both = [answer(found(1), found(2)), answer(found(3), found(4))];
    const { extract } = setUp(both);
    const long = () => userText('x'.repeat(9000));
    const { proposed } = await extract([long(), says(said), long(), says(said)]);
    assert.deepEqual(
      proposed.map(({ fields }) => fields.name),
      ['basement-1', 'basement-2', 'basement-3'],
    );
  });

  it('tells what was saved before the model failed', async () => {
    const failure = new ModelError('rateLimit', 'Too many requests.');
    const { extract } = setUp([answer(TABS_OPERATION), failure]);
    const turns = [SAID_TABS, 'x'.repeat(9000), 'y'.repeat(9000)].map(userText);
    await assert.rejects(extract(turns), (error) => {
      assert.ok(error instanceof ExtractionError);
      assert.deepEqual(
        error.extracted.changes.map(({ record }) => record.file),
        ['user-preference-tabs.md'],
      );
      return true;
    });
  });

  it('fails when what the person said could not be written, so that it is looked at again', async () => {
    const { extract, model } = setUp([answer(TABS_OPERATION)], 'review');
    const inTheWay = path.join(folder.path, '.memory', '.proposed');
    await fs.mkdir(path.dirname(inTheWay), { recursive: true });
    await fs.writeFile(inTheWay, '');
    await assert.rejects(extract([userText(SAID_TABS)]), /\.proposed is not a folder/);
    await fs.rm(inTheWay);
    model.push(answer(TABS_OPERATION));
    assert.equal((await extract([userText(SAID_TABS)])).proposed.length, 1);
  });

  it('tells what was saved beside what could not be written', async () => {
    // The eleventh would wait for review.
    const many = Array.from({ length: 11 }, (_, n) => ({
      ...TABS_OPERATION,
      name: `tabs-${n}`,
      description: `Tabs ${n}`,
      body: `Tabs, fact ${n}.`,
    }));
    const { extract } = setUp([answer(...many)]);
    await fs.mkdir(path.join(folder.path, '.memory'));
    await fs.writeFile(path.join(folder.path, '.memory', '.proposed'), '');
    await assert.rejects(extract([userText(SAID_TABS)]), (error) => {
      assert.ok(error instanceof ExtractionError);
      assert.equal(error.extracted.changes.length, 10);
      assert.match(error.message, /\.proposed is not a folder/);
      return true;
    });
  });

  it('ends as cancelled when it is stopped', async () => {
    const controller = new AbortController();
    const { extract } = setUp([() => new Promise(() => undefined)]);
    const extracting = extract([userText(SAID_TABS)], controller.signal);
    controller.abort();
    await assert.rejects(extracting, { kind: 'cancelled' });
  });
});

function refusal(name: string, reason: string): string {
  return `[extraction] "${name}" was not saved: ${reason}`;
}

function shown(request: ModelRequest | undefined): string {
  return (
    request?.messages
      .map(({ content }) => JSON.stringify(content))
      .join('')
      .replaceAll('\\"', '"') ?? ''
  );
}

/** The names of the records that are shown. */
function memoriesIn(request: ModelRequest | undefined): string[] {
  return Array.from(shown(request).matchAll(/"id": "m\d+",[^]*?"name": "([^"]+)"/g), ([, name]) =>
    String(name),
  );
}

function dialogueIn(
  request: ModelRequest | undefined,
): { from: string; text: string; earlier?: true }[] {
  const [block] = request?.messages[0]?.content ?? [];
  const text = block?.type === 'text' ? block.text : '';
  return JSON.parse(text.slice(text.indexOf('[', text.indexOf('Dialogue')))) as [];
}
