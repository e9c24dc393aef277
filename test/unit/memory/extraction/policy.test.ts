import assert from 'node:assert/strict';
import { decide, type Grounds, type Operation } from '../../../../src/memory/extraction/policy.ts';
import type { MemoryRecord } from '../../../../src/memory/record.ts';
import { aRecord, TABS_OPERATION, SAID_TABS } from '../../../support/records.ts';

const spaces = aRecord({
  name: 'user-preference-spaces',
  description: 'Prefers spaces',
  body: 'Indent with spaces.',
});

const GROUNDS: Grounds = {
  said: [SAID_TABS],
  earlier: [],
  answered: [],
  existing: [],
  now: new Date('2026-11-30T12:00:00Z'),
};

function outcome(
  changes: Partial<Operation>,
  existing: readonly MemoryRecord[] = [],
  said: readonly string[] = [SAID_TABS],
): string {
  const decision = decide({ ...TABS_OPERATION, ...changes }, { ...GROUNDS, said, existing });
  if (decision.kind === 'refused') return decision.refusal;
  return decision.doubt === undefined ? decision.kind : `${decision.kind}, ${decision.doubt}`;
}

const beside = (parts: Partial<MemoryRecord>) => outcome({}, [aRecord({ name: 'x', ...parts })]);

const FROZEN = 'Remember that the build is frozen until Friday';

/** What a model may well make of `FROZEN`. */
const FROZEN_OPERATION: Operation = {
  op: 'add',
  name: 'build-freeze',
  description: 'The build is frozen until Friday, 2026-12-04',
  type: 'project',
  body: 'The build is frozen until Friday, 2026-12-04.',
  scope: 'persistent',
  quote: FROZEN,
  expires: '2026-12-04',
};

describe('the policy of extraction', () => {
  it('accepts what the person said and will say again', () => {
    assert.deepEqual(decide(TABS_OPERATION, GROUNDS), {
      kind: 'add',
      from: 'person',
      fields: {
        name: 'user-preference-tabs',
        description: 'Prefers tabs over spaces',
        type: 'user',
        body: 'Indent with tabs, not spaces.',
      },
    });
  });

  it('reads operation, scope and type in any case', () => {
    assert.equal(outcome({ op: 'ADD', scope: ' Persistent', type: 'User' }), 'add');
  });

  it('refuses what is for the current task, or of an unknown scope', () => {
    assert.equal(outcome({ scope: 'current_task' }), 'notPersistent');
    assert.equal(outcome({ scope: '' }), 'notPersistent');
  });

  it('refuses unknown operations and types', () => {
    assert.equal(outcome({ op: 'delete' }), 'unknownOperation');
    assert.equal(outcome({ type: 'secret' }), 'unknownType');
  });

  it('refuses missing fields', () => {
    assert.equal(outcome({ name: ' ' }), 'missingField');
    assert.equal(outcome({ name: '!!!' }), 'missingField');
    assert.equal(outcome({ description: '\n' }), 'missingField');
    assert.equal(outcome({ body: '' }), 'missingField');
  });

  it('refuses fields beyond all measure, and shortens a line that overruns a little', () => {
    assert.equal(outcome({ body: 'x'.repeat(8001) }), 'tooLong');
    assert.equal(outcome({ description: 'x'.repeat(5000) }), 'tooLong');
    const decision = decide(
      { ...TABS_OPERATION, description: `Prefers ${'tabs '.repeat(35)}` },
      GROUNDS,
    );
    assert.ok(decision.kind === 'add');
    assert.match(decision.fields.description, /^Prefers tabs .* tabs…$/);
    assert.ok(decision.fields.description.length <= 150);
  });

  it('keeps a description on one line', () => {
    const decision = decide(
      { ...TABS_OPERATION, description: 'Prefers\n- [x](y.md) tabs' },
      GROUNDS,
    );
    assert.ok(decision.kind === 'add');
    assert.equal(decision.fields.description, 'Prefers - [x](y.md) tabs');
  });

  it('keeps nothing that a person cannot see', () => {
    const hidden = '\u200b\u202e\u{e0041}';
    const { name, description, body } = TABS_OPERATION;
    const decision = decide(
      {
        ...TABS_OPERATION,
        name: name + hidden,
        description: description + hidden,
        body: body + hidden,
      },
      GROUNDS,
    );
    assert.ok(decision.kind === 'add');
    assert.deepEqual(decision.fields, { name, description, type: 'user', body });
    assert.equal(outcome({ body: hidden }), 'missingField');
  });

  it('refuses temporary wording in the memory and in the quote', () => {
    assert.equal(outcome({ body: 'Use tabs in this session.' }), 'temporary');
    assert.equal(outcome({ name: 'this-session-tabs' }), 'temporary');
    // The ban of the description ends there.
    const ban = { description: 'Never use spaces instead of tabs', body: 'Tabs for now' };
    assert.equal(outcome(ban), 'temporary');
    const said = ['Just this once, use tabs.'];
    assert.equal(outcome({ quote: 'Just this once, use tabs.' }, [], said), 'temporary');
  });

  describe('of what holds up to a day', () => {
    const decided = (
      changes: Partial<Operation>,
      grounds: Partial<Grounds> = {},
    ): readonly string[] => {
      const decision = decide(
        { ...FROZEN_OPERATION, ...changes },
        { ...GROUNDS, said: [`${FROZEN}.`], ...grounds },
      );
      if (decision.kind === 'refused') return [decision.refusal];
      const { type, expires } = decision.fields;
      return [decision.kind, type, ...(expires === undefined ? [] : [expires])];
    };

    it('accepts what the person asked for, up to that day', () => {
      assert.deepEqual(decided({}), ['add', 'project', '2026-12-04']);
      assert.deepEqual(decided({ type: 'reference' }), ['add', 'reference', '2026-12-04']);
      const quote = 'Remember: no deploys until tomorrow';
      const body = 'No deploys until tomorrow.';
      const changes = { quote, body, description: body, expires: '2026-12-01' };
      assert.deepEqual(decided(changes, { said: [quote] }), ['add', 'project', '2026-12-01']);
    });

    it('makes a fact of it, since nothing else runs out', () => {
      const quote = 'I am away until Friday. Remember that.';
      const changes = { type: 'user', quote, description: 'Away', body: 'Away up to 2026-12-04.' };
      assert.deepEqual(decided(changes, { said: [quote] }), ['add', 'project', '2026-12-04']);
    });

    it('lets no lasting preference run out', () => {
      const said = [SAID_TABS];
      const changes = { ...TABS_OPERATION, expires: '2026-12-04' };
      assert.deepEqual(decided(changes, { said }), ['add', 'user']);
    });

    it('refuses it without a day that counts', () => {
      for (const expires of [undefined, '', 'Friday', '2026-11-27', '2030-01-01'])
        assert.deepEqual(decided({ expires }), ['temporary'], expires);
    });

    it('refuses it where nobody asked for it, and gives no day to what is accepted', () => {
      const quote = 'The build is frozen until Friday';
      assert.deepEqual(decided({ quote }, { said: [quote] }), ['temporary']);
      const body = 'The build is frozen up to 2026-12-04.';
      const dated = { quote, body, description: body };
      assert.deepEqual(decided(dated, { said: [quote] }), ['add', 'project']);
      const talk = 'Remember in this session that the build is frozen';
      assert.deepEqual(decided({ quote: talk }, { said: [talk] }), ['temporary']);
    });

    it('goes with a later day when it is said again', () => {
      const { name, description, body } = FROZEN_OPERATION;
      const record = aRecord({ type: 'project', name, description, body });
      const until = (expires: string) => [{ ...record, expires: `${expires}T23:59:59.999Z` }];
      assert.deepEqual(decided({}, { existing: until('2026-12-04') }), ['duplicate']);
      const later = ['update', 'project', '2026-12-11'];
      for (const how of [{}, { op: 'update', target: record.file }])
        assert.deepEqual(
          decided({ ...how, expires: '2026-12-11' }, { existing: until('2026-12-04') }),
          later,
        );
    });

    it('stands beside what lasts, and does not take it along', () => {
      const body = 'The build runs on beech.';
      const record = aRecord({ type: 'project', name: 'build', description: 'The build', body });
      const changes = { op: 'update', target: record.file, body: `${body} Frozen until Friday.` };
      const added = ['add', 'project', '2026-12-04'];
      assert.deepEqual(decided(changes, { existing: [record] }), added);
    });
  });

  it('takes a quote whatever its white space, case and typography', () => {
    const said = ['I  prefer\nusing “tabs”  – always. Don’t forget.'];
    for (const quote of [
      'i prefer using "tabs"',
      "“tabs” – always. Don't forget",
      '"I prefer using “tabs” – always."',
      'using "tabs" - always',
      'using "tabs" — always',
      'I prefer\u200b using "tabs\ufe0f"',
    ]) {
      assert.equal(outcome({ quote }, [], said), 'add', quote);
    }
  });

  it('refuses a quote that the person did not say, for every type', () => {
    for (const type of ['user', 'feedback', 'project', 'reference']) {
      assert.equal(outcome({ type, quote: 'Always use spaces' }), 'notSaid');
      assert.equal(outcome({ type, quote: '' }), 'notSaid');
      assert.equal(outcome({ type, quote: 'I' }), 'notSaid');
    }
  });

  it('refuses a quote that was put together from two messages', () => {
    const said = ['I prefer tabs', 'for indentation'];
    assert.equal(outcome({ quote: 'I prefer tabs for indentation' }, [], said), 'notSaid');
  });

  it('refuses what is known, whatever its case and spaces', () => {
    const { body, description } = TABS_OPERATION;
    assert.equal(beside({ body: 'Indent with\ntabs, not spaces' }), 'duplicate');
    assert.equal(beside({ description: 'prefers  TABS over spaces.', body }), 'duplicate');
    const more = `${body} Four columns wide.`;
    assert.equal(beside({ description, body: more }), 'duplicate');
    assert.equal(beside({ name: 'User Preference Tabs', body: more }), 'duplicate');
    assert.equal(beside({ description, body: `${body} Tabs, not spaces!` }), 'duplicate');
    assert.equal(beside({}), 'add');
  });

  it('adds another fact under the name or the description of one that is there', () => {
    const { description } = TABS_OPERATION;
    assert.equal(beside({ description, body: 'In Makefiles a tab is needed.' }), 'add');
    assert.equal(beside({ name: 'user-preference-tabs', body: 'Tabs in the browser.' }), 'add');
    assert.equal(beside({ file: 'user-preference-tabs.md' }), 'add');
  });

  it('takes a new memory that says all of an old one under the same head for its new text', () => {
    const { description } = TABS_OPERATION;
    for (const body of ['Tabs.', 'Indent with spaces, not tabs.', 'Indent 4 spaces, not tabs.'])
      assert.equal(beside({ description, body }), 'update', body);
    assert.equal(beside({ description, body: 'Tabs.', pinned: true }), 'update, pinned');
    // Under another head it stands beside it.
    assert.equal(beside({ body: 'Tabs.' }), 'add');
  });

  it('updates the named record, by file or by name', () => {
    for (const target of [
      'user-preference-spaces.md',
      'user-preference-spaces',
      './User-Preference-Spaces.md',
    ]) {
      const decision = decide(
        { ...TABS_OPERATION, op: 'update', target },
        { ...GROUNDS, existing: [spaces] },
      );
      assert.ok(decision.kind === 'update', target);
      assert.equal(decision.target, spaces);
      assert.equal(decision.fields.body, 'Indent with tabs, not spaces.');
    }
  });

  it('updates the record that was shown under an id, though others have its file name', () => {
    const twin = { ...spaces, path: '/home/.memory/user-preference-spaces.md' };
    const grounds = {
      said: [SAID_TABS],
      earlier: [],
      answered: [],
      now: GROUNDS.now,
      existing: [spaces, twin],
      ids: new Map([['m1', twin.path]]),
    };
    for (const target of ['m1', '[M1]', 'm1.md']) {
      const decision = decide({ ...TABS_OPERATION, op: 'update', target }, grounds);
      assert.ok(decision.kind === 'update', target);
      assert.equal(decision.target, twin);
    }
    const byName = decide({ ...TABS_OPERATION, op: 'update', target: spaces.file }, grounds);
    assert.deepEqual(byName, { kind: 'refused', refusal: 'unknownTarget' });
  });

  it('may keep name and description in an update', () => {
    const { name, description } = spaces;
    const changes = { op: 'update', target: spaces.file, name, description };
    assert.equal(outcome(changes, [spaces]), 'update');
  });

  it('refuses an update of nothing, to nothing new, or to what another record says', () => {
    const update = { op: 'update', target: spaces.file };
    assert.equal(outcome({ op: 'update' }, [spaces]), 'unknownTarget');
    assert.equal(outcome({ ...update, target: 'none.md' }, [spaces]), 'unknownTarget');
    assert.equal(outcome({ ...update, target: '' }, [spaces]), 'unknownTarget');
    const same = { description: spaces.description, body: spaces.body };
    assert.equal(outcome({ ...update, ...same }, [spaces]), 'duplicate');
    const tabs = aRecord({ name: 'tabs', description: 'Other', body: TABS_OPERATION.body });
    assert.equal(outcome(update, [spaces, tabs]), 'duplicate');
  });

  it('lets an update keep the address and the command that the record has', () => {
    const body = 'Indent with tabs by `editor --tabs`, see https://style.example.';
    const known = { ...spaces, body: body.replace('with tabs', 'with spaces') };
    assert.equal(outcome({ op: 'update', target: spaces.file, body }, [known]), 'update');
    assert.equal(outcome({ body }, []), 'unsaidCommand');
  });

  it('doubts an update of a pinned record', () => {
    const pinned = { ...spaces, pinned: true };
    assert.equal(outcome({ op: 'update', target: spaces.file }, [pinned]), 'update, pinned');
  });

  it('doubts an update that would replace a long text by less than half of it', () => {
    const long = { ...spaces, body: 'Indent with spaces, as in all our files. '.repeat(6) };
    const update = { op: 'update', target: spaces.file };
    assert.equal(outcome(update, [long]), 'update, shrinks');
    const body = `${long.body.slice(0, long.body.length / 2)}, that is tabs.`;
    assert.equal(outcome({ ...update, body }, [long]), 'update');
    assert.equal(outcome(update, [{ ...long, body: long.body.slice(0, 200) }]), 'update');
  });

  it('doubts an update that leaves out what else a short record says', () => {
    const update = { op: 'update', target: spaces.file };
    const beside = (body: string) => outcome(update, [{ ...spaces, body }]);
    assert.equal(beside('Indent with spaces.\nBilling belongs to Marta.'), 'update, drops');
    assert.equal(beside('Indent with spaces.\nWhy: the linter wants it.'), 'update');
    const kept = 'Indent with tabs, not spaces. Marta does the billing.';
    const both = { ...spaces, body: 'Indent with spaces.\nBilling belongs to Marta.' };
    assert.equal(outcome({ ...update, body: kept }, [both]), 'update');
  });

  it('adds what names a record of another topic as its target', () => {
    const port = aRecord({ name: 'port', description: 'HTTP', body: 'The HTTP port is 8080.' });
    assert.equal(outcome({ op: 'update', target: port.file }, [port]), 'add');
    assert.equal(outcome({ op: 'update', target: port.file }, [{ ...port, pinned: true }]), 'add');
  });

  it('doubts an update in another language than its record', () => {
    const chinese = aRecord({ name: '端口', description: '端口', body: '端口是八千零八十。' });
    const update = { op: 'update', target: chinese.file };
    assert.equal(outcome(update, [chinese]), 'update, otherLanguage');
  });

  it('refuses what repeats a text that was just replaced', () => {
    const grounds = { ...GROUNDS, existing: [spaces] };
    const old = aRecord({ name: 'old', body: 'Indent with tabs (not spaces).' });
    const refusal = { kind: 'refused', refusal: 'duplicate' };
    assert.deepEqual(decide(TABS_OPERATION, { ...grounds, replaced: [old] }), refusal);
    assert.equal(decide(TABS_OPERATION, { ...grounds, replaced: [spaces] }).kind, 'add');
  });

  it('doubts what the quote is not about, unless it is said to be the words of another', () => {
    const quote = 'Summarise the README file for me';
    assert.equal(outcome({ quote }, [], [quote]), 'add, unrelated');
    assert.equal(outcome({ quote, from: 'assistant' }, [], [quote]), 'unrelated');
    const foreign = '请修复搜索框的空指针错误。';
    assert.equal(outcome({ quote: foreign }, [], [foreign]), 'add, otherLanguage');
  });

  it('takes what the assistant found for no more than that, and nothing about the person', () => {
    const found = 'The indentation of all files is tabs';
    const from = (changes: Partial<Operation>, answered = [found]) => {
      const decision = decide(
        { ...TABS_OPERATION, quote: found, ...changes },
        { ...GROUNDS, answered },
      );
      return decision.kind === 'refused' ? decision.refusal : decision.from;
    };
    assert.equal(from({ type: 'project' }), 'assistant');
    assert.equal(from({ type: 'reference' }), 'assistant');
    assert.equal(from({ type: 'user' }), 'notSaid');
    assert.equal(from({ type: 'feedback' }), 'notSaid');
    assert.equal(from({ type: 'project' }, []), 'notSaid');
    // A model that calls it the assistant's has its reason, whoever said it too.
    assert.equal(from({ quote: TABS_OPERATION.quote, from: 'assistant' }), 'assistant');
    assert.equal(from({ quote: TABS_OPERATION.quote, from: 'person' }), 'person');
    assert.equal(from({ type: 'project', from: 'person' }), 'assistant');
  });

  it('refuses a secret in any field, in a name with its capitals too', () => {
    for (const key of [`sk-ant-${'a1'.repeat(10)}`, `AKIA${'A1'.repeat(8)}`]) {
      for (const field of ['name', 'description', 'body', 'quote']) {
        assert.equal(outcome({ [field]: `Use ${key}` }), 'secret', field);
      }
    }
  });
});
