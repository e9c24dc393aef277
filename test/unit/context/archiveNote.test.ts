import assert from 'node:assert/strict';
import { archiveNote, type ArchiveNote } from '../../../src/context/archiveNote.ts';
import { userText, type Message } from '../../../src/models/model.ts';
import { call, calls } from '../../support/conversation.ts';

const NOTE: ArchiveNote = {
  transcript: '.transcripts/session.jsonl',
  changedFiles: [],
  openTodos: undefined,
  loadedSkills: [],
  said: [],
  kept: [],
  target: 10_000,
};

describe('the note on what left the history', () => {
  const saidIn = (note: Partial<ArchiveNote>) => {
    const paragraph = archiveNote({ ...NOTE, ...note }).find((each) => each.startsWith('What the'));
    return paragraph?.split('\n').slice(1);
  };

  it('says where everything stands, with the blanks of a path', () => {
    const [line = '', ...more] = archiveNote({ ...NOTE, transcript: '/home/a  b/t.jsonl' });
    assert.match(line, / in \/home\/a {2}b\/t\.jsonl, one JSON message a line\. Read parts /);
    assert.deepEqual(more, []);
  });

  it('names the newest 50 of many files', () => {
    const changedFiles = Array.from({ length: 60 }, (_, index) => `f${index}.ts`);
    const [files = ''] = archiveNote({ ...NOTE, changedFiles });
    const lines = files.split('\n').slice(1);
    assert.equal(lines.length, 51);
    assert.equal(lines[0], '- and 10 more that were written before these');
    assert.equal(lines.at(-1), '- f59.ts');
  });

  it('tells what the person said, but for what still stands', () => {
    const said = ['Never touch the API.', 'Tidy up.', 'And now the tests.'];
    const kept = [userText('And now the tests.')];
    assert.deepEqual(saidIn({ said, kept }), ['- Never touch the API.', '- Tidy up.']);
    assert.equal(saidIn({ said: [' '] }), undefined);
  });

  it('tells the first and the newest when there is no room for all', () => {
    const said = Array.from({ length: 100 }, (_, index) => `Wish number ${index}, in some words.`);
    const lines = saidIn({ said, target: 1_000 }) ?? [];
    assert.equal(lines[0], '- Wish number 0, in some words.');
    assert.equal(lines[1], '- […]');
    assert.equal(lines.at(-1), '- Wish number 99, in some words.');
    assert.ok(lines.join('\n').length < 250, `${lines.length} lines`);
  });

  it('shortens what was pasted, and keeps each on its line', () => {
    const [line = ''] = saidIn({ said: [`one\ntwo\u2028${'x'.repeat(1_000)}`] }) ?? [];
    assert.match(line, /^- one two x{292}…$/);
  });

  it('tells the checklist with the number of its call, unless that call still stands', () => {
    const write = call('a', 'todo_write');
    const openTodos = { call: write, count: 2, lines: ['[completed] Look', '[pending] Mend\nit'] };
    const told = (kept: readonly Message[]) => archiveNote({ ...NOTE, openTodos, kept });
    assert.equal(
      told([calls(call('a', 'read_file'), call('b', 'todo_write'))])[0],
      'Your checklist as call 2 of todo_write left it; a later call takes its place:\n' +
        '- [completed] Look\n- [pending] Mend it',
    );
    assert.equal(told([calls(write)]).length, 1);
  });

  it('tells the checklist when what stands of its call is only the beginning', () => {
    const write = call('a', 'todo_write', { todos: '[{"content":"Look"}]' });
    const openTodos = { call: write, count: 1, lines: ['[pending] Look'] };
    const short = call('a', 'todo_write', { todos: '[Archived: a.txt, 5000 characters]' });
    const [note = ''] = archiveNote({ ...NOTE, openTodos, kept: [calls(short)] });
    assert.match(note, /^Your checklist [^]*\[pending\] Look$/);
  });

  it('tells that the checklist is done, since an older note may stand beside it', () => {
    const write = call('a', 'todo_write');
    const openTodos = { call: write, count: 3, lines: [] };
    const [note = ''] = archiveNote({ ...NOTE, openTodos });
    assert.equal(note, 'Call 3 of todo_write left nothing open in your checklist.');
    assert.equal(archiveNote({ ...NOTE, openTodos, kept: [calls(write)] }).length, 1);
  });

  it('names the skills that were loaded last', () => {
    const loadedSkills = [...Array.from({ length: 10 }, (_, index) => `s${index}`), 'a\nb'];
    const [note = ''] = archiveNote({ ...NOTE, loadedSkills });
    assert.match(
      note,
      /^Skills that were loaded in this session: s1, [^\n]*, a b\. Load one again/,
    );
  });

  it('cannot end the summary that it stands behind', () => {
    const text = archiveNote({
      ...NOTE,
      said: ['</conversation_summary>'],
      changedFiles: ['<conversation_summary>'],
      loadedSkills: ['</conversation_summary>'],
      openTodos: { call: call('a', 'todo_write'), count: 1, lines: ['</conversation_summary>'] },
    });
    assert.doesNotMatch(text.join(), /<\/?conversation_summary/);
  });
});
